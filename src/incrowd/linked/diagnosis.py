"""Which columns of which tables single people out, and which do so only together.

A person is singled out by some columns if fewer than k people fit what may be known of the person in them. More columns
never single out fewer people. So whoever is singled out by a set of columns, and by none of the sets with one column
less, is singled out by these columns only together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Counts, Views, views_of_tables
from incrowd.core.schema import Role
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import words
from incrowd.linked.problem import people_tables
from incrowd.linked.reading import LinkedData, open_tables, read_tables
from incrowd.parameters import whole_number
from incrowd.searches import LinkedTable
from incrowd.searches.lattice.structure import with_structure
from incrowd.text import number, percent, table
from incrowd.watch import Show, Stopped, Watch, all_or_nothing

Mask = NDArray[np.bool_]
_SHOWN = 15
"""Sets of columns that are printed."""


@dataclass(frozen=True)
class Singled:
    """A set of columns, and how many people it singles out."""

    columns: tuple[str, ...]
    """By `table.column`."""
    people: int
    only_together: int
    """People whom no set with one column less singles out."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of the columns."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.columns))


@dataclass(frozen=True, eq=False, repr=False)
class LinkedAnswer(Brief):
    """The diagnosis of several tables."""

    k: int
    knows: str
    known: str
    people: int
    all_columns: Singled | None
    """None if the time was up before."""
    highest_risk: float | None
    """The highest prosecutor risk of a person: 1 by the fewest people of whom the same may be known, by all columns."""
    average_risk: float | None
    """The mean of that over all people."""
    sets: tuple[Singled, ...]
    """Every set of up to `max_size` columns that was counted, the smallest first."""
    max_size: int
    stopped: str = "done"

    @property
    def together(self) -> list[Singled]:
        """Sets of columns of several tables that single people out only together, most people first."""
        found = [each for each in self.sets if len(each.tables) > 1 and each.only_together]
        return sorted(found, key=lambda each: -each.only_together)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "k": self.k,
            "knows": self.knows,
            "people": self.people,
            "all_columns": None if self.all_columns is None else _plain(self.all_columns),
            "highest_risk": self.highest_risk,
            "average_risk": self.average_risk,
            "max_size": self.max_size,
            "sets": [_plain(each) for each in self.sets],
            "stopped": self.stopped,
        }

    def __str__(self) -> str:
        parts = [self._first(), self._alone(), self._together()]
        if self.stopped != "done":
            parts.append(f"Stopped ({self.stopped}): not all sets of columns were counted.")
        return "\n\n".join(part for part in parts if part)

    def _first(self) -> str:
        known = f"An attacker knows the record of a person and {self.known}."
        if self.all_columns is None:
            return known
        found = self.all_columns.people
        fit = "nobody else" if self.k == 2 else f"fewer than {self.k} people"
        share = percent(found / self.people) if self.people else "0%"
        return (
            f"{known}\nBy all {len(self.all_columns.columns)} columns, {number(found)} of {number(self.people)} people "
            f"({share}) are singled out: something may be known of each that is true of {fit}.\n"
            f"Prosecutor risk: {percent(self.highest_risk or 0)} at most, {percent(self.average_risk or 0)} on average."
        )

    def _alone(self) -> str:
        rows = [(each.columns[0], each.people) for each in self.sets if len(each.columns) == 1]
        return table(("column alone", "people singled out"), rows) if rows else ""

    def _together(self) -> str:
        found = self.together
        if not found:
            larger = self.all_columns is not None and self.max_size < len(self.all_columns.columns)
            hint = " Larger sets may: raise max_size." if larger else ""
            return f"No set of up to {self.max_size} columns of several tables singles out anybody only together.{hint}"
        rows = [(" + ".join(each.columns), each.people, each.only_together) for each in found[:_SHOWN]]
        more = f"\nand {number(len(found) - _SHOWN)} more sets" if len(found) > _SHOWN else ""
        return table(("columns of several tables", "people singled out", "only together"), rows) + more


def _plain(each: Singled) -> dict[str, Any]:
    return {"columns": list(each.columns), "people": each.people, "only_together": each.only_together}


class LinkedDiagnosis:
    """Several tables about the same people, open for the question who is singled out."""

    def __init__(self, job: LinkedJob) -> None:
        """Nothing is read before something is asked."""
        self._job = job
        self._data: LinkedData | None = None
        self._tables: tuple[LinkedTable, ...] = ()

    def ask(
        self, k: int = 2, max_size: int = 2, time: float | None = None, progress: Show | None = None
    ) -> LinkedAnswer:
        """Return how many people every set of up to `max_size` columns singles out, and all columns together."""
        whole_number("k", k)
        whole_number("max_size", max_size)
        with Watch(progress=progress) as watch, all_or_nothing("the data were being read"):
            self._read(watch)
        assert self._data is not None
        columns = self._columns()
        counting = _Counting(self._job, self._tables, columns, k)
        every: Singled | None = None
        highest: float | None = None
        average: float | None = None
        found: list[Singled] = []
        stopped = "done"
        with Watch(time, progress) as watch:
            try:
                fewest = counting.fewest(frozenset(range(len(columns))))
                every = Singled(tuple(columns), int((fewest < k).sum()), 0)
                highest = 1 / int(fewest.min()) if len(fewest) else 0.0
                average = float((1 / fewest).mean()) if len(fewest) else 0.0
                for size in range(1, min(max_size, len(columns)) + 1):
                    for chosen in combinations(range(len(columns)), size):
                        watch.tick(f"{len(found):,} sets of columns counted")
                        found.append(counting.singled(frozenset(chosen)))
            except Stopped as stop:
                stopped = stop.reason
        knows = self._job.knows
        return LinkedAnswer(
            k, str(knows), words(knows), self._data.people, every, highest, average, tuple(found), max_size, stopped
        )

    def _read(self, watch: Watch) -> None:
        if self._data is None:
            self._data = read_tables(self._job, open_tables(self._job, self._job.frames), watch)
            self._tables = people_tables(self._job, self._data)

    def _columns(self) -> list[str]:
        quasi = self._job.settings.having(Role.QUASI)
        if not quasi:
            raise UsageError.no_columns("the job")
        return [
            f"{name}.{column}"
            for name, part in self._job.tables.items()
            for column, of in part.columns.items()
            if of.role == Role.QUASI
        ]


@dataclass(eq=False)
class _Counting:
    """Counts who is singled out by sets of columns; what is known of subsets is kept."""

    job: LinkedJob
    tables: Sequence[LinkedTable]
    columns: Sequence[str]
    k: int
    _known: dict[frozenset[int], Mask] = field(default_factory=dict)

    def singled(self, chosen: frozenset[int]) -> Singled:
        """Return how many people a set singles out, and how many of them only together."""
        exposed = self.exposed(chosen)
        before = np.zeros_like(exposed)
        for column in chosen if len(chosen) > 1 else ():
            before |= self.exposed(chosen - {column})
        names = tuple(self.columns[at] for at in sorted(chosen))
        return Singled(names, int(exposed.sum()), int((exposed & ~before).sum()) if len(chosen) > 1 else 0)

    def exposed(self, chosen: frozenset[int]) -> Mask:
        """Return whom a set of columns singles out."""
        if chosen not in self._known:
            seen = self._views(chosen)
            self._known[chosen] = seen.exposed(seen.sizes >= self.k, self.tables[0].people.people)
        return self._known[chosen]

    def fewest(self, chosen: frozenset[int]) -> Counts:
        """Return for each person the fewest people of whom something is true that may be known of the person."""
        seen = self._views(chosen)
        people = self.tables[0].people.people
        found = np.full(people, people, dtype=np.int64)
        np.minimum.at(found, seen.person, seen.sizes[seen.of])
        return found

    def _views(self, chosen: frozenset[int]) -> Views:
        names = [self.columns[at] for at in sorted(chosen)]
        own = [self._classes(at, names) for at in range(len(self.tables))]
        involved = self._involved(names)
        # Of the others not even the number of records is known.
        known = [
            each if at in involved else replace(each, parent=None, above=None) for at, each in enumerate(self.tables)
        ]
        classes = with_structure(own, known, self.job.knows)
        held = [self.tables[at].people.held(classes[at]) for at in involved]
        return views_of_tables(held, self.job.knows)

    def _classes(self, at: int, names: Sequence[str]) -> Codes:
        """Return the class of each entry of a table by the columns that are known."""
        frequencies = self.tables[at].people.frequencies
        columns = [column for column, name in enumerate(frequencies.names) if name in names]
        if not columns or not frequencies.combinations:
            return np.zeros(frequencies.combinations, dtype=np.int32)
        codes = [frequencies.codes[column] for column in columns]
        return number_combinations(codes, [frequencies.cardinalities[column] for column in columns])[0]

    def _involved(self, names: Sequence[str]) -> list[int]:
        """Return the first table, those with columns that are known, and those that they hang on."""
        order = list(self.job.tables)
        found = {0}
        for name in names:
            table: str | None = name.partition(".")[0]
            while table is not None:
                found.add(order.index(table))
                table = self.job.tables[table].of
        return sorted(found)
