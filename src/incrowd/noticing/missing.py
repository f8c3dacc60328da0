"""Codes for missing: texts such as ? and k.A., and numbers such as 9, 99 and -9 away from the others."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from incrowd.noticing.notice import Notice
from incrowd.proposing.facts import Column, Sureness
from incrowd.proposing.kinds import PLACEHOLDERS
from incrowd.proposing.vocabulary.lists import MAY_BE_MISSING

_NEGATIVE = (-1, -2, -3, -4, -5, -6, -7, -8, -9, -66, -77, -88, -97, -98, -99, -888, -998, -999, -9999, -99999)
_LOWEST_OF_A_SCALE = -6
_HIGH = (9, 99, 999, 9999, 99999, 999999)
_BESIDE = (0, 1, 2, 11, 22, 111, 222)
"""Numbers that are subtracted from a high code for those beside it: 99, 98, 97, 88, 77."""
_MANY = 50
"""More distinct numbers are amounts, whose highest may be a limit."""
_FEWEST = 2
"""Distinct numbers besides the codes."""
_OFTEN = 4
"""A code that lies within the reach of the others occurs so many times as often as any of those near it."""
_NEAR = 10
"""Numbers next to a code with which it is compared."""
_APART = 3
"""It lies so many times as far from them as they lie from each other."""
_SHARE = 0.02
"""The least share of the records that have it."""


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield the codes for missing among the values."""
    texts = [_text(value) for value in column.values.to_pylist()]
    known = set(texts)
    sure = [text for text in PLACEHOLDERS if text in known]
    others = [text for text in texts if text not in sure]
    if sure:
        yield _notice(column, sure, Sureness.LIKELY)
    words = [text for text in others if text.strip().casefold() in MAY_BE_MISSING]
    if words and len(words) < len(others):
        yield _notice(column, words, Sureness.UNSURE)
    yield from _numbers(column, [text for text in others if text not in words])


def _numbers(column: Column, texts: Sequence[str]) -> Iterator[Notice]:
    numbers: dict[str, float] = {}
    for text in texts:
        number = _number(text)
        if number is None:
            return
        numbers[text] = number
    if len(numbers) <= _FEWEST:
        return
    codes, sureness = _codes(np.array(sorted({*numbers.values()})))
    if sureness is Sureness.UNSURE and column.is_counted:
        frequent, how_sure = _frequent(column, numbers)
        if not codes or codes == frequent:
            codes, sureness = frequent, how_sure
    written = [text for text, number in numbers.items() if number in codes]
    if written:
        yield _notice(column, sorted(written), sureness)


def _codes(numbers: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> tuple[set[float], Sureness]:
    """Return the numbers that stand apart as codes do, and how sure that is."""
    below, above = _negative(numbers), _high(numbers)
    codes = below | above
    left = [number for number in numbers if number not in codes]
    if not codes or len(left) < _FEWEST:
        return set(), Sureness.UNSURE
    plain = len(left) <= _MANY and not (below == {-1.0} and max(left) <= 1)
    return codes, Sureness.LIKELY if plain else Sureness.UNSURE


def _frequent(column: Column, numbers: Mapping[str, float]) -> tuple[set[float], Sureness]:
    """Return a number of nines at one end of the others, and those beside it, that occurs far more often than those
    near it; and how sure that it is a code is. An age of 99 in a third of the records is one, even if others are 90."""
    counts: dict[float, int] = {}
    for value, holders in zip(column.values.to_pylist(), column.holders.tolist(), strict=True):
        number = numbers.get(_text(value))
        if number is not None:
            counts[number] = counts.get(number, 0) + holders
    ordered = sorted(counts)
    for codes, others in [*_at_the_top(ordered), *_at_the_bottom(ordered)]:
        often, near = sum(counts[code] for code in codes), others[:_NEAR]
        steps = np.abs(np.diff(near))
        apart = abs(codes[-1] - others[0]) >= max(2.0, _APART * float(np.median(steps)))
        if apart and often >= _SHARE * column.present and often >= _OFTEN * max(counts[number] for number in near):
            most = max(counts[number] for number in others)
            return {*codes}, Sureness.LIKELY if often >= _OFTEN * most else Sureness.UNSURE
    return set(), Sureness.UNSURE


def _at_the_top(ordered: Sequence[float]) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Yield high codes, highest first, each set with all other numbers, nearest first."""
    highest = ordered[-1]
    nines = next((high for high in (highest, highest + 1) if high in _HIGH), None)
    beside = set() if nines is None else {nines - less for less in _BESIDE}
    for start in range(len(ordered) - 1, _FEWEST, -1):
        if ordered[start] not in beside:
            return
        yield ordered[start:][::-1], ordered[:start][::-1]


def _at_the_bottom(ordered: Sequence[float]) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Yield the same of low codes, lowest first."""
    for end in range(1, len(ordered) - _FEWEST):
        if ordered[end - 1] not in _NEGATIVE:
            return
        yield ordered[:end], ordered[end:]


def _negative(numbers: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> set[float]:
    negative = {float(number) for number in numbers[numbers < 0]}
    # Below 0 a scale goes on: -2, -1, 0, 1, 2.
    is_scale = {-1.0, -2.0} <= negative and 0 in numbers and min(negative) > _LOWEST_OF_A_SCALE
    return negative if negative and negative <= set(_NEGATIVE) and not is_scale else set()


def _high(numbers: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> set[float]:
    """Return a number of nines, and those beside it, that lie further from the others than these reach."""
    highest = float(numbers[-1])
    if highest not in _HIGH and highest + 1 not in _HIGH:
        return set()
    nines = highest if highest in _HIGH else highest + 1
    beside = {nines - less for less in _BESIDE if nines - less > 0}
    positive = numbers[numbers >= 0]
    for start in range(max(0, len(positive) - len(_BESIDE)), len(positive)):
        codes, others = positive[start:], positive[:start]
        if not len(others) or not set(codes.tolist()) <= beside:
            continue
        gap, reach = float(codes[0] - others[-1]), float(others[-1] - others[0])
        if gap >= 2 and (gap > reach or (nines == 9 and codes[0] >= 8 and others[-1] <= 6)):
            return set(codes.tolist())
    return set()


def _notice(column: Column, codes: Sequence[str], sureness: Sureness) -> Notice:
    quoted = ", ".join(map(repr, codes))
    may = "seems to mean" if sureness is Sureness.LIKELY else "may mean"
    may = may if len(codes) == 1 else may.replace("seems", "seem")
    return Notice(
        column.name,
        f"{quoted} {may} missing",
        "it is read as a value" if len(codes) == 1 else "they are read as values",
        (("Read as missing", {"missing": tuple(codes)}),),
        sureness,
    )


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _number(text: str) -> float | None:
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return number if np.isfinite(number) else None
