"""Two tables as a release that metrics can measure: the original counted, the cells of the release read."""

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
        """Return the original with its columns along their scales; the label needs no role."""
        scales = [
            scale_of(name, values, columns.get(name, Column()))
            for name, values in zip(frequencies.names, frequencies.values, strict=True)
        ]
        return cls(frequencies, columns, tuple(scales), label)

    @property
    def quasi(self) -> int:
        """Return the number of quasi-identifiers."""
        return sum(column.role == Role.QUASI for column in self.columns.values())

    def reader(self, at: int, hierarchy: Hierarchy | None = None, missing: int = 0) -> CellReader:
        """Return the reader of a column's cells, with the labels of the release's own hierarchy if it has one.

        `missing` is in how many records the release lacks the cell: with more than the original, it suppressed some.
        """
        there = _missing(self.frequencies, at)
        has_missing = there > 0 and missing <= there
        order = self.columns.get(self.frequencies.names[at], Column()).scale if hierarchy is None else ()
        return CellReader(self.scales[at], has_missing, hierarchy, order)

    def released(self, name: str, release: FrequencySet, metadata: Mapping[str, Column], k: int | None) -> Released:
        """Return a release of this table; raise SourceError if it cannot be one."""
        given = self.frequencies
        if release.records > given.records:
            raise SourceError.of(
                name,
                f"it has {release.records:,} records, more than the {given.records:,} of the original",
                "check that it is a release of this table",
            )
        covers = []
        for at, values in enumerate(release.values):
            column = metadata.get(given.names[at], Column())
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
        """Return the sensitive ranges of a column."""
        wanted, at = self.columns[name].ranges, self.frequencies.names.index(name)
        if wanted == ():
            return None
        if not isinstance(wanted, int):
            return Covers.of_cells(self.scales[at], _read("the sensitive ranges", name, self.reader(at), wanted))
        ladder = self.scales[at].ladder
        if ladder is None or not 0 <= wanted <= ladder.height:
            levels = "it has no hierarchy" if ladder is None else f"its levels are 0 to {ladder.height}"
            raise UsageError.invalid(
                f"the sensitive ranges of column {name!r}", f"no level {wanted}: {levels}", "give ranges"
            )
        nodes = self.reader(at).nodes(ladder.hierarchy, wanted)
        return Covers.of_cells(self.scales[at], [cell for cell in nodes if cell is not None])

    def workload(self, name: str, queries: FrequencySet) -> Workload:
        """Return given queries: one per row; an empty cell does not restrict its column."""
        conditions_by_column: list[Covers] = []
        conditions = np.full((len(self.scales), queries.combinations), NO_CONDITION, dtype=np.int32)
        for at, scale in enumerate(self.scales):
            cells: Sequence[Cell] = []
            if scale.name in queries.names:
                place = queries.names.index(scale.name)
                cells = _read(name, scale.name, self.reader(at), plain(queries.values[place]))
                conditions[at] = queries.codes[place] - 1
            conditions_by_column.append(Covers.of_cells(scale, cells))
        return Workload.of_conditions(self.frequencies, conditions_by_column, conditions)


def _missing(table: FrequencySet, at: int) -> int:
    """Return the number of records with a missing value in a column."""
    return int(table.counts[table.codes[at] == MISSING].sum())


def _read(
    source: str, column: str, reader: CellReader, values: Sequence[Any], refused: Cell | None = None
) -> list[Cell]:
    """Return what cells cover; unreadable ones are counted, and never shown."""
    cells = [reader.read(value) for value in values]
    unknown = sum(cell is None or cell is refused for cell in cells)
    if unknown:
        raise SourceError.of(
            source,
            f"{unknown} of the {sum(value is not None for value in values)} distinct cells of column {column!r} are "
            "neither values of the original nor ranges, sets or masks of them, nor labels of a known hierarchy",
            "give their hierarchy (-q COLUMN=HIERARCHY), their order (--scale), or the missing-value marker "
            "(--missing)",
        )
    return [cell for cell in cells if cell is not None]
