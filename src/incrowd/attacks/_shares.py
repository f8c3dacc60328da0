"""The shares of sensitive values in the population, as an attacker knows them: given directly, or in a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from incrowd.core.brief import Brief
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.histograms import Counts, Domain
from incrowd.core.table import MISSING
from incrowd.engines.source import Source, count
from incrowd.errors import UsageError
from incrowd.jobs import names
from incrowd.spelling import split, unescaped
from incrowd.text import count as counted
from incrowd.watch import Watch

UNIT = 10**15
"""Shares are compared to 15 decimal places; products stay whole numbers."""

_ROUNDING = UNIT // 1000
"""Shares that were rounded for print need not sum to 1 exactly."""

SHARE = "share"
"""The column of a table of shares that holds them; the other one is called as the sensitive column."""

_NUMBERS = re.compile(r".*:\s*[0-9.][0-9.eE+-]*\s*$", re.DOTALL)


@dataclass(frozen=True, repr=False)
class Shares(Brief):
    """The shares of one sensitive column's values in the population."""

    column: str
    of: Mapping[str | None, int] = field(repr=False)
    """By value its share, in units; None is a missing value."""

    @property
    def rest(self) -> int:
        """Return the total share of values not listed; 0 if those listed sum to 1."""
        left = UNIT - sum(self.of.values())
        return 0 if abs(left) <= _ROUNDING else left

    def along(self, domain: Domain) -> tuple[Counts, int]:
        """Return per value of a release its share in units, and how many values have none of their own.

        A value that is not listed has at most the rest. A missing cell is not a value of the population: unless it is
        listed, it is given the whole, beyond which nothing is frequent.
        """
        assert domain.values is not None
        forms = [text_forms(value) for value in plain(domain.values)]
        found = [next((self.of[form] for form in each if form in self.of), None) for each in forms]
        there = [at for at, records in enumerate(domain.whole[1:].tolist()) if records]
        lacking = sum(1 for at in there if found[at] is None)
        known = {form for at in there for form in forms[at]}
        self._check(lacking, sum(1 for value in self.of if value is not None and value not in known))
        weights = np.full(len(domain.whole), self.rest, dtype=np.int64)
        weights[MISSING] = self.of.get(None, UNIT)
        weights[1:] = [self.rest if share is None else share for share in found]
        return weights, lacking

    def _check(self, lacking: int, unknown: int) -> None:
        """Refuse shares that cannot be those of a population from which the release comes."""
        where = f"shares of column {self.column!r}"
        if lacking and not self.rest:
            raise UsageError.invalid(
                where,
                f"they sum to 1, but {counted(lacking, 'value')} of the release {_have(lacking)} none",
                "list every value, or leave a remainder for values not listed",
            )
        if unknown and (self.rest or unknown == len(self.of)):
            raise UsageError.invalid(
                where,
                f"{counted(unknown, 'value')} of {len(self.of)} {_are(unknown)} not in the release",
                "check the spelling, or list all values of the population, with shares that sum to 1",
            )


def _have(n: int) -> str:
    return "has" if n == 1 else "have"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


Given = Mapping[Any, Any] | Source
"""Shares by column and value, or a table of those of one column."""


def given_shares(given: Any, read: Callable[[Any], Source]) -> tuple[Given, ...]:
    """Return what a user gave, texts and tables read; one alone need not be in a list."""
    several = given if isinstance(given, list | tuple) else () if given is None else (given,)
    return tuple(_given(each, read) for each in several)


def _given(each: Any, read: Callable[[Any], Source]) -> Given:
    if isinstance(each, Mapping):
        return each
    return from_text(each) if isinstance(each, str) and is_text_of_shares(each) else read(each)


def is_text_of_shares(text: str) -> bool:
    """Return whether a text lists shares, and does not name a file: it ends with a colon and a number."""
    return _NUMBERS.fullmatch(text) is not None


def read_shares(given: Sequence[Given], sensitive: Sequence[str], watch: Watch) -> dict[str, Shares]:
    """Return by sensitive column the shares of its values."""
    found: dict[str, Shares] = {}
    for each in given:
        parts = _mapped(each) if isinstance(each, Mapping) else [_from_table(each, sensitive, watch)]
        for shares in parts:
            if shares.column not in sensitive:
                raise UsageError.unknown_columns([shares.column], sensitive)
            if shares.column in found:
                raise UsageError.repeated_columns([shares.column])
            found[shares.column] = shares
    return found


def from_text(text: str) -> dict[str, dict[str, str]]:
    """Return what `disease=diabetes:0.2,flu:0.05` says, by column and value; a backslash keeps a comma in a value."""
    said = names.split(text)
    if said is None:
        raise UsageError.invalid("shares", "no column named", "write them as illness=flu:0.05,gout:0.01")
    column, numbers = said
    pairs = [part.rpartition(":") for part in split(numbers, ",")]
    if not all(colon for _, colon, _ in pairs):
        raise UsageError.invalid(
            f"shares of column {column!r}", "a value has no share", "write each as VALUE:SHARE, with commas between"
        )
    found = {unescaped(value).strip(): share for value, _, share in pairs}
    if len(found) < len(pairs):
        raise _twice(column)
    return {column: found}


def _mapped(given: Mapping[Any, Any]) -> list[Shares]:
    for column, of in given.items():
        if not isinstance(of, Mapping):
            raise UsageError.invalid(
                f"shares of column {column!r}", "they have no values", "give the share of each value: {'flu': 0.05}"
            )
    return [_shares(str(column), of.items()) for column, of in given.items()]


def _from_table(source: Source, sensitive: Sequence[str], watch: Watch) -> Shares:
    """Return shares from a table of two columns: one named like a sensitive column, the other `share`."""
    columns = [name for name in source.columns if name != SHARE]
    if SHARE not in source.columns or len(columns) != 1 or columns[0] not in sensitive:
        raise UsageError.invalid(
            f"shares in {source.name}",
            "not a table of shares",
            f"it needs a column named like a sensitive column ({', '.join(map(repr, sensitive))}), and {SHARE!r}",
        )
    rows = count(source, [columns[0], SHARE], watch)
    values, shares = ([None, *plain(each)] for each in rows.values)
    if rows.records > rows.combinations:
        raise _twice(columns[0])
    cells = zip(rows.codes[0].tolist(), rows.codes[1].tolist(), strict=True)
    return _shares(columns[0], ((values[one], shares[two]) for one, two in cells))


def _shares(column: str, given: Iterable[tuple[Any, Any]]) -> Shares:
    pairs = [(None if value is None else text_forms(value)[0], _units(column, share)) for value, share in given]
    listed = dict(pairs)
    if len(listed) < len(pairs):
        raise _twice(column)
    if not listed:
        raise UsageError.invalid(f"shares of column {column!r}", "there are none", "give the share of a value")
    total = sum(listed.values())
    if total > UNIT + _ROUNDING:
        raise UsageError.invalid(
            f"shares of column {column!r}",
            f"they sum to {total / UNIT:.4g}",
            "give shares of the population, which sum to 1, or to less if some values are not listed",
        )
    return Shares(column, listed)


def _units(column: str, share: Any) -> int:
    """Return a share as a whole number of units; errors omit it, since a wrong column may have record values."""
    try:
        found = round(Fraction(str(share).strip()) * UNIT)
    except (ValueError, ZeroDivisionError):
        found = 0
    if isinstance(share, bool) or not 0 < found <= UNIT:
        raise UsageError.invalid(
            f"shares of column {column!r}", "one is not a number above 0, at most 1", "give 0.2 for a fifth"
        )
    return found


def _twice(column: str) -> UsageError:
    return UsageError.invalid(f"shares of column {column!r}", "a value occurs twice", "list each value once")
