"""Judge numbers of people by age, such as num5_17 beside num18_64, or k5 beside k618: the ranges adjoin."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table

_OLDEST = 100
"""The highest limit of an age."""
_PEOPLE = 20
"""More people live in no household."""
_NAME = re.compile(
    r"(?P<stem>[A-Za-z_.]*?)[_.]?(?P<side>lt|le|under|gt|ge|over)?[_.]?(?P<ages>\d{1,4}([_.]|to)?\d{0,3})"
)
_REASON = "it seems to count the people of a household who are of an age, which others know"


@dataclass(frozen=True)
class _Range:
    """The first age and the last one; None where there is no limit."""

    first: int | None
    last: int | None

    def adjoins(self, other: "_Range") -> bool:
        """Return whether the other one begins where this one ends."""
        return self.last is not None and other.first is not None and other.first - self.last in (0, 1)


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column that counts people by age."""
    by_stem: dict[str, list[tuple[Column, list[_Range]]]] = {}
    for column in table.columns:
        found = _NAME.fullmatch(column.name) if _counts_people(column) else None
        if found is not None:
            by_stem.setdefault(found["stem"].lower(), []).append((column, list(_ranges(found["side"], found["ages"]))))
    return {
        column.name: Opinion(Role.QUASI, _REASON, 0.56)
        for family in by_stem.values()
        for column, ranges in family
        if _adjoins_another(column, ranges, family)
    }


def _counts_people(column: Column) -> bool:
    if not column.is_whole or column.meaning is not None or len(column.numbers) < 2:
        return False
    return bool(column.numbers[0] == 0 and column.numbers[-1] <= _PEOPLE)


def _adjoins_another(
    column: Column, ranges: Sequence[_Range], family: Sequence[tuple[Column, Sequence[_Range]]]
) -> bool:
    others = [each for other, theirs in family if other is not column for each in theirs]
    return any(one.adjoins(other) or other.adjoins(one) for one in ranges for other in others)


def _ranges(side: str | None, ages: str) -> Iterator[_Range]:
    """Yield what a name may mean: 618 is 6 to 18, and 5 alone is up to 5."""
    parts = [int(part) for part in re.split(r"[_.]|to", ages) if part]
    if len(parts) == 2:
        yield from _between(*parts)
    elif side is not None and parts[0] <= _OLDEST:
        last = parts[0] - (side == "lt" or side == "under")
        yield (
            _Range(parts[0] + (side == "gt" or side == "over"), None)
            if side in ("gt", "ge", "over")
            else _Range(None, last)
        )
    elif side is None:
        for at in range(1, len(ages)):
            if not ages[at:].startswith("0"):
                yield from _between(int(ages[:at]), int(ages[at:]))
        if parts[0] < _OLDEST:
            yield _Range(None, parts[0])


def _between(first: int, last: int) -> Iterator[_Range]:
    if first < last <= _OLDEST:
        yield _Range(first, last)
