"""Which columns of which tables single people out, and which do so only together.

A person is singled out by some columns if fewer than k people fit what may be known of the person in them. More columns
never single out fewer people. So whoever is singled out by a set of columns, and by none of the sets with one column
less, is singled out by these columns only together.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from incrowd.core.brief import Brief
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import words
from incrowd.linked.counting import Counting, Singled, quasi_identifiers, risk_of_people
from incrowd.linked.problem import people_tables
from incrowd.linked.reading import LinkedData, open_tables, read_tables
from incrowd.parameters import whole_number
from incrowd.results import Result
from incrowd.searches import LinkedTable
from incrowd.text import attributes, count, number, percent, table
from incrowd.watch import Show, Stopped, Watch, all_or_nothing

_SHOWN = 15
"""Sets of columns that are printed."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkedAnswer(Brief, Result):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for every set of columns that was counted."""
        return [_plain(each) for each in self.sets]

    def parts(self) -> list[str]:
        """Return who is singled out by all columns, by each alone, and by some only together."""
        parts = [self._first(), self._alone(), self._together()]
        if self.stopped != "done":
            parts.append(f"Stopped ({self.stopped}): not all sets of columns were counted.")
        return [part for part in parts if part]

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
        rows = [(" + ".join(each.columns), each.people, each.only_together) for each in found]
        return table(("columns of several tables", "people singled out", "only together"), rows, most=_SHOWN)


def _plain(each: Singled) -> dict[str, Any]:
    return {"columns": list(each.columns), "people": each.people, "only_together": each.only_together}


class LinkedDiagnosis(Result):
    """Several tables about the same people, open for the question who is singled out."""

    def __init__(self, job: LinkedJob) -> None:
        """Nothing is read before something is asked."""
        self._job = job
        self._data: LinkedData | None = None
        self._tables: tuple[LinkedTable, ...] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each quasi-identifier, by `table.column`."""
        return [{"column": name} for name in quasi_identifiers(self._job)]

    def parts(self) -> list[str]:
        """Return what is open, and how to ask; nothing is read for that."""
        columns = quasi_identifiers(self._job)
        return [
            f"Several tables, open for questions about {count(len(columns), 'column')}.\n{attributes(columns)}",
            "Ask for example:\n  diagnosis.ask(k=2, max_size=2)    who is singled out, and by which columns together",
        ]

    def ask(
        self, k: int = 2, max_size: int = 2, time: float | None = None, progress: Show | None = None
    ) -> LinkedAnswer:
        """Return how many people every set of up to `max_size` columns singles out, and all columns together."""
        whole_number("k", k)
        whole_number("max_size", max_size)
        with Watch(progress=progress) as watch, all_or_nothing("the data were being read"):
            self._read(watch)
        assert self._data is not None
        columns = quasi_identifiers(self._job)
        counting = Counting(self._job, self._tables, columns, self._job.knows, k)
        every: Singled | None = None
        highest: float | None = None
        average: float | None = None
        found: list[Singled] = []
        stopped = "done"
        with Watch(time, progress) as watch:
            try:
                risk = risk_of_people(self._job, self._tables, self._job.knows, k)
                every = Singled(tuple(columns), risk.exposed, 0)
                highest, average = risk.highest, risk.average
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
