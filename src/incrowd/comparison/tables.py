"""Two tables become a release as yardsticks see it: the original counted, the release's cells read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from incrowd.comparison.columns import Column, scale_of
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy, plain
from incrowd.core.schema import Role
from incrowd.core.table import MISSING
from incrowd.errors import SourceError, UsageError
from incrowd.release_metrics.cell_reader import CellReader
from incrowd.release_metrics.covers import NOTHING, Cell, Covers
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Scale
from incrowd.release_metrics.workload import NO_CONDITION, Workload


@dataclass(frozen=True, eq=False)
class Original:
    """The table that was given, counted and laid along its scales."""

    frequencies: FrequencySet
    """Quasi-identifiers first."""
    columns: Mapping[str, Column]
    scales: tuple[Scale, ...]
    label: str | None = None

    @classmethod
    def of(cls, frequencies: FrequencySet, columns: Mapping[str, Column], label: str | None = None) -> "Original":
        """Lay the columns of a table along their scales; the label needs no role."""
        scales = [
            scale_of(name, values, columns.get(name, Column()))
            for name, values in zip(frequencies.names, frequencies.values, strict=True)
        ]
        return cls(frequencies, columns, tuple(scales), label)

    @property
    def quasi(self) -> int:
        """How many quasi-identifiers there are."""
        return sum(column.role == Role.QUASI for column in self.columns.values())

    def reader(self, at: int, hierarchy: Hierarchy | None = None, missing: int = 0) -> CellReader:
        """What reads the cells of a column, with the labels of a release's own hierarchy where it has one.

        `missing` is in how many records the release lacks the cell: with more than the original, it suppressed some.
        """
        there = _missing(self.frequencies, at)
        has_missing = there > 0 and missing <= there
        order = self.columns.get(self.frequencies.names[at], Column()).scale if hierarchy is None else ()
        return CellReader(self.scales[at], has_missing, hierarchy, order)

    def released(self, name: str, release: FrequencySet, told: Mapping[str, Column], k: int | None) -> Released:
        """A release of this table; what cannot be one is refused."""
        given = self.frequencies
        if release.records > given.records:
            raise SourceError.of(
                name,
                f"it has {release.records:,} records, and the original has {given.records:,}",
                "check that it was made from this table",
            )
        covers = []
        for at, values in enumerate(release.values):
            column = told.get(given.names[at], Column())
            own = column.hierarchy if isinstance(column.hierarchy, Hierarchy) else None
            reader = self.reader(at, own, _missing(release, at))
            cells = _read(name, given.names[at], reader, [None, *plain(values)], refused=NOTHING)
            covers.append(Covers.of_cells(self.scales[at], cells))
        names = [*self.columns]
        return Released(
            given,
            tuple(covers),
            release.codes,
            release.counts,
            self.quasi,
            sensitive=tuple(each for each in names if self.columns[each].role == Role.SENSITIVE),
            label=self.label,
            k=k,
            weights=tuple(self.columns[each].priority for each in names[: self.quasi]),
            ranges={each: found for each in names if (found := self._ranges(each)) is not None},
        )

    def _ranges(self, name: str) -> Covers | None:
        """The sensitive ranges of a column."""
        wanted, at = self.columns[name].ranges, self.frequencies.names.index(name)
        if wanted == ():
            return None
        if not isinstance(wanted, int):
            return Covers.of_cells(self.scales[at], _read("the sensitive ranges", name, self.reader(at), wanted))
        ladder = self.scales[at].ladder
        if ladder is None or not 0 <= wanted <= ladder.height:
            levels = "it has no hierarchy" if ladder is None else f"its levels are 0 to {ladder.height}"
            raise UsageError.senseless(
                f"the sensitive ranges of column {name!r}", f"level {wanted} is asked for, and {levels}", "give ranges"
            )
        nodes = self.reader(at).nodes(ladder.hierarchy, wanted)
        return Covers.of_cells(self.scales[at], [cell for cell in nodes if cell is not None])

    def workload(self, name: str, queries: FrequencySet) -> Workload:
        """Own queries: a row for each, an empty cell asks nothing of its column."""
        asked: list[Covers] = []
        conditions = np.full((len(self.scales), queries.combinations), NO_CONDITION, dtype=np.int32)
        for at, scale in enumerate(self.scales):
            cells: Sequence[Cell] = []
            if scale.name in queries.names:
                place = queries.names.index(scale.name)
                cells = _read(name, scale.name, self.reader(at), plain(queries.values[place]))
                conditions[at] = queries.codes[place] - 1
            asked.append(Covers.of_cells(scale, cells))
        return Workload.of_conditions(self.frequencies, asked, conditions)


def _missing(table: FrequencySet, at: int) -> int:
    """In how many records the cell of a column is missing."""
    return int(table.counts[table.codes[at] == MISSING].sum())


def _read(
    source: str, column: str, reader: CellReader, values: Sequence[Any], refused: Cell | None = None
) -> list[Cell]:
    """What cells cover; those that nobody can read are counted, and never shown."""
    cells = [reader.read(value) for value in values]
    unknown = sum(cell is None or cell is refused for cell in cells)
    if unknown:
        raise SourceError.of(
            source,
            f"{unknown} of the {sum(value is not None for value in values)} different cells of column {column!r} are "
            "neither values of the original nor ranges, sets or masks of them, nor labels of a known hierarchy",
            "give the hierarchy that they come from (-q COLUMN=HIERARCHY), their order (--scale), or the "
            "text that stands for missing (--missing)",
        )
    return [cell for cell in cells if cell is not None]
