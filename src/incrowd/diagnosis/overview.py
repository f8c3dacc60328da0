"""A first diagnosis of a table: unique records, the columns that single them out, and next steps."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from incrowd.commands import command, source_arguments, steps
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.counters import counter_for
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.diagnosis.wording import limits
from incrowd.text import attributes, count, number, percent, table

_SHOWN = 12
_COUNTED = 100


@dataclass(frozen=True, eq=False)
class Overview:
    """A first diagnosis: k over all columns, the unique records, and the columns that single them out."""

    every_set: Answer
    """The answer to Q4, from which the rest follows."""
    name: str
    k: int
    unique: int
    """Records that are unique over all columns."""
    threats: tuple[tuple[list[str], int], ...]
    """The smallest sets that single out a record, each with the number of records it makes unique."""
    safe: tuple[tuple[list[str], int], ...]
    """The largest sets in which no record is unique, each with its k."""
    arguments: tuple[str, ...]
    """The arguments that name the source on the command line; empty if it has no name there."""
    chosen: tuple[str, ...]
    """The chosen columns; empty if all were."""

    def __str__(self) -> str:
        asked = self.every_set.asked
        records, columns = self.every_set.records, len(asked.among)
        lines = [f"{self.name}: {count(records, 'record')}, {count(columns, 'column')}.", ""]
        if records == 0:
            return lines[0] + " Without records, k is 0."
        alone = f"{count(self.unique, 'record')} ({percent(self.unique / records)})"
        over = f"all {columns} columns" if columns > 1 else "its only column"
        lines.append(f"Over {over}, k = {number(self.k)}: " + _who(self.unique, alone))
        if self.threats:
            lines += ["", "Smallest sets of columns that single out a record:", ""]
            rows = [(attributes(names), unique, percent(unique / records)) for names, unique in self.threats]
            lines.append(table(["columns", "unique records", "share"], rows[:_SHOWN]))
            more = len(self.every_set.other_border or ()) - _SHOWN
            lines += [f"... and {number(more)} more"] if more > 0 else []
        if self.safe:
            lines += ["", "Largest sets of columns in which no record is unique:", ""]
            lines.append(table(["columns", "k"], [(attributes(n), k) for n, k in self.safe], most=_SHOWN))
        lines += [line for limit in limits(self.every_set) for line in ("", limit)]
        if self.arguments:
            lines += ["", steps(self._commands())]
        return "\n".join(lines)

    def _commands(self) -> list[tuple[str, str]]:
        several = next((names for names, _ in self.threats if len(names) > 1), list(self.every_set.asked.among))
        five = ("--k", "5")
        return [
            (
                command("inspect", self.arguments, "--among", self.chosen),
                "shows what each column holds, and its suggested role",
            ),
            (
                command("diagnose", self.arguments, "--among", self.chosen, *five),
                "lists which columns can be published together with k = 5",
            ),
            (
                command("diagnose", self.arguments, "--quasi", several, *five, "--suppress", "find"),
                "counts the records to suppress for that",
            ),
            (
                command("risk", self.arguments, "--quasi", several),
                "measures the risk from an attacker who knows these columns",
            ),
        ]


def _who(unique: int, alone: str) -> str:
    if unique == 0:
        return "no record is unique."
    return f"{alone} is unique." if unique == 1 else f"{alone} are unique."


def overview(diagnosis: Diagnosis, every_set: Answer) -> Overview:
    """Return the first diagnosis of a table, from the answer to Q4."""
    frequencies = diagnosis.frequencies(diagnosis.among)
    counter = counter_for(frequencies, diagnosis.nulls)

    def unique(names: list[str]) -> int:
        return int(np.count_nonzero(counter.sizes(frequencies.indices(names)) == 1))

    whole = counter.sizes(range(len(frequencies.names)))
    safe = [row for row in every_set.below_border() if row["k"] > 1]
    threats = every_set.other_border or []
    counted = sorted(
        ((names, unique(names)) for names in threats[:_COUNTED]), key=lambda each: (len(each[0]), -each[1])
    )
    return Overview(
        every_set,
        diagnosis.source.name,
        int(whole.min()) if len(whole) else 0,
        int(np.count_nonzero(whole == 1)),
        tuple(counted),
        tuple((row["quasi"], row["k"]) for row in _largest(safe, counter.monotone)),
        source_arguments(diagnosis.source.name),
        () if diagnosis.among == diagnosis.source.columns else diagnosis.among,
    )


def _largest(rows: list[dict[str, Any]], monotone: bool) -> list[dict[str, Any]]:
    """Return the sets that no other contains; if k is monotone, only sets with one more column are compared."""
    covered: set[frozenset[str]] = set()
    result: list[dict[str, Any]] = []
    for row in reversed(rows):
        names = frozenset(row["quasi"])
        if names not in covered and (monotone or not any(names < set(larger["quasi"]) for larger in result)):
            result.append(row)
        covered |= {names - {name} for name in names}
    return result
