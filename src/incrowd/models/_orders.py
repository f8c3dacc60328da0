"""The order of a column's values: numbers and dates by themselves, others as the user says. Missing comes last."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.histograms import Counts, Domain
from incrowd.core.table import MISSING
from incrowd.errors import UsageError
from incrowd.spelling import Names

Order = Names
"""Every value as text, lowest first; empty where the values are numbers or dates."""

ABSENT = -1
"""The rank of what does not occur in the table."""

_RANKS: WeakKeyDictionary[Domain, dict[Order, Counts]] = WeakKeyDictionary()
"""A search asks for the same ranks at every node."""


def ranks_of(domain: Domain, order: Order) -> Counts:
    """Return the rank 0, 1, 2, ... of each code among those that occur in the table."""
    known = _RANKS.setdefault(domain, {})
    if order not in known:
        known[order] = _ranks(domain, order)
    return known[order]


def _ranks(domain: Domain, order: Order) -> Counts:
    assert domain.values is not None, "several columns jointly have no order"
    values = plain(domain.values)
    codes = [int(code) for code in np.flatnonzero(domain.whole) if code != MISSING]
    present = [values[code - 1] for code in codes]
    name = domain.columns[0]
    keys = _listed(name, present, order) if order else _natural(name, present)
    ranks = np.full(len(domain.whole), ABSENT, dtype=np.int64)
    for rank, at in enumerate(sorted(range(len(codes)), key=lambda at: keys[at])):
        ranks[codes[at]] = rank
    if domain.whole[MISSING]:
        ranks[MISSING] = len(codes)
    return ranks


def _listed(name: str, values: Sequence[object], order: Order) -> list[int]:
    place = {text: at for at, text in enumerate(order)}
    found = [next((place[form] for form in text_forms(value) if form in place), ABSENT) for value in values]
    lacking = found.count(ABSENT)
    if lacking:
        raise UsageError.invalid(
            f"order of t_closeness on column {name!r}",
            f"it lacks {lacking} of {len(values)} different values",
            "list all of them, lowest first",
        )
    return found


def _natural(name: str, values: Sequence[object]) -> list[tuple[Any, str]]:
    """Return what the values sort by; equal numbers that are written differently by their text."""
    for reading in (_number, _date):
        keys = _read(values, reading)
        if keys is not None:
            return keys
    raise UsageError.invalid(
        f"t_closeness with ordered distance on column {name!r}",
        "its values are neither all numbers nor all dates (year-month-day)",
        "give their order, lowest first, or choose another distance",
    )


def _read(values: Sequence[object], reading: Callable[[object], Any]) -> list[tuple[Any, str]] | None:
    try:
        keys = [(reading(value), str(value)) for value in values]
        # Times with and without a zone cannot be compared.
        sorted(keys)
    except (ValueError, TypeError, InvalidOperation):
        return None
    return keys


def _number(value: object) -> Any:
    if isinstance(value, str):
        value = Decimal(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or value != value:
        raise ValueError
    return value


def _date(value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    return datetime.fromisoformat(str(value).strip())
