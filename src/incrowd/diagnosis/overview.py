"""A first diagnosis of a table: unique records, the columns that single them out, and next steps."""

from dataclasses import dataclass
from typing import Any

from incrowd.commands import command, named, source_arguments, steps
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.diagnosis.histogram_counters import profiles_for
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
    """Records, or people, that are unique over all columns."""
    threats: tuple[tuple[list[str], int], ...]
    """The smallest sets that single out a record or person, each with the number it makes unique."""
    safe: tuple[tuple[list[str], int], ...]
    """The largest sets in which none is unique, each with its k."""
    arguments: tuple[str, ...]
    """The arguments that name the source on the command line; empty if it has no name there."""
    chosen: tuple[str, ...]
    """The chosen columns; empty if all were."""

    def __str__(self) -> str:
        asked = self.every_set.asked
        records, columns = self.every_set.records, len(asked.among)
        one, several = ("person", "people") if asked.measure.person else ("record", "records")
        whole = (self.every_set.people or 0) if asked.measure.person else records
        of = f" of {count(whole, one)}" if asked.measure.person else ""
        lines = [f"{self.name}: {count(records, 'record')}{of}, {count(columns, 'column')}.", ""]
        if records == 0:
            return lines[0] + " Without records, k is 0."
        alone = f"{count(self.unique, one)} ({percent(self.unique / whole)})"
        over = f"all {columns} columns" if columns > 1 else "its only column"
        lines.append(f"Over {over}, k = {number(self.k)}: " + _who(self.unique, alone, one))
        if self.threats:
            smallest = "Sets of columns found so far" if self._found_no_size else "Smallest sets of columns"
            lines += ["", f"{smallest} that single out a {one}:", ""]
            rows = [(attributes(names), unique, percent(unique / whole)) for names, unique in self.threats]
            lines.append(table(["columns", f"unique {several}", "share"], rows[:_SHOWN]))
            more = len(self.every_set.other_border or ()) - _SHOWN
            lines += [f"... and {number(more)} more"] if more > 0 else []
        if self.safe:
            largest = "Largest sets of columns" + (" counted so far" if self.every_set.stopped else "")
            lines += ["", f"{largest} in which no {one} is unique:", ""]
            lines.append(table(["columns", "k"], [(attributes(n), k) for n, k in self.safe], most=_SHOWN))
        lines += [line for limit in limits(self.every_set) for line in ("", limit)]
        if self.arguments:
            lines += ["", steps(self._commands())]
        return "\n".join(lines)

    @property
    def _found_no_size(self) -> bool:
        return self.every_set.stopped is not None and not self.every_set.through

    def _commands(self) -> list[tuple[str, str]]:
        several = next((names for names, _ in self.threats if len(names) > 1), list(self.every_set.asked.among))
        five, person = ("--k", "5"), named("--person", self.every_set.asked.person)
        longer = command("diagnose", self.arguments, "--among", self.chosen, *person, "--time", "600")
        return [
            *([(longer, "counts larger sets")] if self.every_set.stopped == "time" else []),
            (
                command("inspect", self.arguments, "--among", self.chosen),
                "shows what each column holds, and its suggested role",
            ),
            (
                command("diagnose", self.arguments, "--among", self.chosen, *person, *five),
                "lists which columns can be published together with k = 5",
            ),
            (
                command("diagnose", self.arguments, "--quasi", several, *person, *five, "--suppress", "find"),
                "counts the records to suppress for that",
            ),
            (
                command("risk", self.arguments, "--quasi", several, *person),
                "measures the risk from an attacker who knows these columns",
            ),
        ]


def _who(unique: int, alone: str, one: str) -> str:
    if unique == 0:
        return f"no {one} is unique."
    return f"{alone} is unique." if unique == 1 else f"{alone} are unique."


def overview(diagnosis: Diagnosis, every_set: Answer) -> Overview:
    """Return the first diagnosis of a table, from the answer to Q4."""
    frequencies = diagnosis.counted(diagnosis.among)
    profiles = profiles_for(frequencies, diagnosis.nulls, every_set.asked.measure)

    def unique(names: list[str]) -> int:
        return profiles.profile(frequencies.indices(names)).unique

    whole = profiles.profile(range(len(diagnosis.among)))
    safe = [row for row in every_set.below_border() if row["k"] > 1]
    threats = every_set.other_border or []
    counted = sorted(
        ((names, unique(names)) for names in threats[:_COUNTED]), key=lambda each: (len(each[0]), -each[1])
    )
    return Overview(
        every_set,
        diagnosis.source.name,
        int(whole.reached(0)),
        whole.unique,
        tuple(counted),
        tuple((row["quasi"], row["k"]) for row in _largest(safe, profiles.monotone)),
        source_arguments(diagnosis.source.name),
        diagnosis.among if diagnosis.among_is_given and diagnosis.among != diagnosis.source.columns else (),
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
