"""What verification found, and how it is told."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from incrowd.text import count, number, printable
from incrowd.verification._columns import ColumnFacts

WORDS = {True: "holds", False: "FAILS", None: "not checked"}
"""What a check found, by whether it holds."""


class Check(NamedTuple):
    """One thing that was compared."""

    name: str
    holds: bool | None
    """None where it could not be checked."""
    detail: str


class FailingClass(NamedTuple):
    """A class that breaks a promise."""

    number: int | None
    """From 1, as classes first appear in the file; None where only the population has such people."""
    size: int

    def __str__(self) -> str:
        if self.number is None:
            return "a class of people none of whom is in the release"
        return f"class {number(self.number)} ({count(self.size, 'record')})"


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether a release keeps its promises."""

    name: str
    """Of the data."""
    checks: tuple[Check, ...]
    records: int
    classes: int
    smallest: int
    """Records of the smallest class; where cells are wildcards, the fewest that match one."""
    failing: tuple[FailingClass, ...] = ()
    """The first of those that fail a model."""
    warnings: tuple[str, ...] = ()
    wildcards: str | None = None
    """Which cells match everything, where some do: 'wiped' or 'missing'."""
    columns: tuple[ColumnFacts, ...] = ()
    """How many values and spellings each column has, and whom kept columns make unique."""

    def __repr__(self) -> str:
        return f"<Verdict: {self.word}; {count(len(self.checks), 'check')}>"

    @property
    def holds(self) -> bool:
        """Whether everything that it claims was checked and found so."""
        return all(check.holds is True for check in self.checks)

    @property
    def word(self) -> str:
        """The verdict in short; an empty release breaks no promise, and protects nobody."""
        if self.holds:
            return "holds" if self.records else "empty"
        return "does not hold" if any(check.holds is False for check in self.checks) else "not proven"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": self.name,
            "holds": self.holds,
            "verdict": self.word,
            "records": self.records,
            "classes": self.classes,
            "smallest": self.smallest,
            "checks": [check._asdict() for check in self.checks],
            "failing": [{"class": each.number, "size": each.size} for each in self.failing],
            "warnings": list(self.warnings),
            "columns": [asdict(column) for column in self.columns],
        }

    def __str__(self) -> str:
        fewest = f"the smallest of {number(self.smallest)}"
        if self.wildcards is not None:
            fewest = f"each matched by at least {number(self.smallest)}, if {self.wildcards} cells match anything"
        found = f"{count(self.records, 'record')} in {count(self.classes, 'class')}, {fewest}"
        lines = [f"{printable(self.name)}: {found}.", ""]
        lines += [f"{WORDS[check.holds]:11}  {printable(f'{check.name}: {check.detail}')}" for check in self.checks]
        lines += [f"\nWarning: {printable(warning)}" for warning in self.warnings]
        lines += ["", *([] if self.holds else [self._remedy(), ""]), self.word]
        return "\n".join(lines)

    def _remedy(self) -> str:
        failed = {check.name for check in self.checks if check.holds is False}
        if not failed:
            return "Nothing fails, but not everything could be checked: give what is lacking."
        if failed & {"hash", "sensitive hash", "reading"}:
            return "These are not the data that were released: get them and their manifest anew from whoever made them."
        if failed <= {"record", "reference", "cells", "links"}:
            return "The private record does not fit: give the one that was written with this release."
        return "Do not pass it on: make the release anew with incrowd anonymize."
