"""The result of verification, as data and as text."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from incrowd.results import Result
from incrowd.text import count, number, printable, table
from incrowd.verification._columns import ColumnFacts

WORDS = {True: "passed", False: "failed", None: "not checked"}
"""The displayed result of a check, by whether it holds."""

_VERDICTS = {"holds": "verified", "does not hold": "failed", "not proven": "incomplete"}


def verdict_word(verdict: str) -> str:
    """Return the displayed word for a verdict that is given as in JSON."""
    return _VERDICTS.get(verdict, verdict)


def wildcard_cells(wildcards: str) -> str:
    """Return the displayed name of the cells that match everything."""
    return "suppressed cells" if wildcards == "wiped" else "missing values"


class Check(NamedTuple):
    """One claim of a release, and whether it is true."""

    name: str
    holds: bool | None
    """None if it could not be checked."""
    detail: str


class FailingClass(NamedTuple):
    """A class that violates a model."""

    number: int | None
    """From 1, as classes first appear in the file; None if the class occurs in the population only."""
    size: int
    unit: str = "record"
    """The unit of its size."""

    def __str__(self) -> str:
        if self.number is None:
            return "a class of the population without a record in the release"
        return f"class {number(self.number)} ({count(self.size, self.unit)})"


@dataclass(frozen=True, repr=False)
class Verdict(Result):
    """The result of verifying a release."""

    name: str
    """The name of the data."""
    checks: tuple[Check, ...]
    records: int
    classes: int
    smallest: int
    """Records in the smallest class; if cells are wildcards, the smallest number of records that match one."""
    failing: tuple[FailingClass, ...] = ()
    """The first classes that violate a model."""
    warnings: tuple[str, ...] = ()
    wildcards: str | None = None
    """The cells that match everything, if any: 'wiped' or 'missing'."""
    columns: tuple[ColumnFacts, ...] = ()
    """The number of values and spellings of each column, and of records that kept columns make unique."""

    def __repr__(self) -> str:
        return f"<Verdict: {self.word}; {count(len(self.checks), 'check')}>"

    @property
    def holds(self) -> bool:
        """Return whether every claim was checked and is true."""
        return all(check.holds is True for check in self.checks)

    @property
    def value(self) -> str:
        """Return the verdict as in JSON: holds, does not hold, not proven; or empty, for a release without records."""
        if self.holds:
            return "holds" if self.records else "empty"
        return "does not hold" if any(check.holds is False for check in self.checks) else "not proven"

    @property
    def word(self) -> str:
        """Return the displayed verdict: verified, failed, incomplete or empty."""
        return verdict_word(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "name": self.name,
            "holds": self.holds,
            "verdict": self.value,
            "records": self.records,
            "classes": self.classes,
            "smallest": self.smallest,
            "checks": [check._asdict() for check in self.checks],
            "failing": [{"class": each.number, "size": each.size} for each in self.failing],
            "warnings": list(self.warnings),
            "columns": [asdict(column) for column in self.columns],
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each check."""
        return [{"check": each.name, "result": WORDS[each.holds], "detail": each.detail} for each in self.checks]

    def parts(self) -> list[str]:
        """Return the verdict, every check, and what to do if it is not verified."""
        return [str(self)]

    def look(self) -> list[str]:
        """Return the verdict first, and the checks as a table."""
        rows = [(WORDS[each.holds], each.name, each.detail) for each in self.checks]
        found = f"{self.word[:1].upper()}{self.word[1:]}.\n{printable(self.name)}: {self._found()}."
        warned = [f"Warning: {warning}" for warning in self.warnings]
        return [found, table(("result", "check", ""), rows), *warned, *([] if self.holds else [self._remedy()])]

    def __str__(self) -> str:
        lines = [f"{printable(self.name)}: {self._found()}.", ""]
        lines += [f"{WORDS[check.holds]:11}  {printable(f'{check.name}: {check.detail}')}" for check in self.checks]
        lines += [f"\nWarning: {printable(warning)}" for warning in self.warnings]
        lines += ["", *([] if self.holds else [self._remedy(), ""]), self.word]
        return "\n".join(lines)

    def _found(self) -> str:
        fewest = f"smallest class: {number(self.smallest)}"
        if self.wildcards is not None:
            fewest = f"at least {number(self.smallest)} match each, if {wildcard_cells(self.wildcards)} match anything"
        return f"{count(self.records, 'record')} in {count(self.classes, 'class')}; {fewest}"

    def _remedy(self) -> str:
        failed = {check.name for check in self.checks if check.holds is False}
        if not failed:
            return "No check failed, but some could not be run: give what they need."
        if failed & {"hash", "sensitive hash", "reading"}:
            return "These are not the released data. Get the data and their manifest again from the publisher."
        if failed <= {"record", "reference", "cells", "links"}:
            return "The private record does not match. Give the one that was written with this release."
        return "Do not share this release. Create it again with incrowd anonymize."
