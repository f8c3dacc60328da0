"""A set of columns and its neighbors: the effect of one column more or less on k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from incrowd.core.brief import Brief
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.engines.source import chosen_columns
from incrowd.results import Result
from incrowd.text import attributes, table
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart

_STEPS = {"chosen": "chosen", "less": "one column less", "more": "one column more"}


@dataclass(frozen=True, repr=False)
class ColumnSet(Brief):
    """The chosen set of columns, or one that differs from it by one column."""

    step: str
    """chosen, less or more."""
    column: str | None
    """The column in which it differs."""
    quasi: tuple[str, ...]
    k: int
    unique: int | None
    """Number of unique records, or people."""


@dataclass(frozen=True, repr=False)
class Exploration(Brief, Result):
    """A set of columns and those around it, each with its k."""

    sets: tuple[ColumnSet, ...]
    """The chosen set first."""
    lattice: Any = None
    """The k of every subset of the columns asked for, if any."""
    unit: str = "records"
    """The unit of the counts: records or people."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        sets = [{**asdict(each), "quasi": list(each.quasi)} for each in self.sets]
        counted = {} if self.unit == "records" else {"unit": self.unit}
        return {"sets": sets, **counted, **({} if self.lattice is None else {"lattice": self.lattice})}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each set, the chosen one first."""
        return [{**asdict(each), "quasi": list(each.quasi)} for each in self.sets]

    def parts(self) -> list[str]:
        """Return a table with a line for each set."""
        rows = [(_STEPS[each.step], each.column, attributes(each.quasi), each.k, each.unique) for each in self.sets]
        return [table(("step", "column", "columns", "k", f"unique {self.unit}"), rows)]

    def plot(self) -> Chart:
        """Return a picture of the k of each set."""
        from incrowd.charts import bars

        return bars([(attributes(each.quasi), each.k) for each in self.sets], "k")


def explore(
    diagnosis: Diagnosis,
    quasi: Sequence[str],
    lattice: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
) -> Exploration:
    """Count the set itself, the sets with one column less and those with one more."""
    chosen = list(chosen_columns(quasi, diagnosis.source.columns, "quasi"))
    with Watch(time, progress) as watch:
        # All others are counted from this one, without reading the table again.
        diagnosis.frequencies(diagnosis.everything, watch)
    less = [("less", name, [each for each in chosen if each != name]) for name in chosen if len(chosen) > 1]
    added = [name for name in diagnosis.among if name not in chosen]
    more = [("more", name, [each for each in diagnosis.among if each in (*chosen, name)]) for name in added]
    sets = tuple(_counted(diagnosis, *each) for each in [("chosen", None, chosen), *less, *more])
    among = diagnosis.within(list(lattice)) if lattice else None
    every = None if among is None else among.ask(time=time, progress=progress).answer
    return Exploration(sets, every, "people" if diagnosis.counts_people() else "records")


def _counted(diagnosis: Diagnosis, step: str, column: str | None, quasi: list[str]) -> ColumnSet:
    answer = diagnosis.ask(quasi=quasi)
    return ColumnSet(step, column, tuple(quasi), answer.answer, answer.unique)
