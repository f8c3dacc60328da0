"""Judge values that are names of people: those that many have are enough to tell what the others are."""

import re

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.vocabulary.people import FAMILY, GIVEN

_FEWEST = 8
"""Different names that are not listed by chance."""
_SHARE = 0.35
"""The share of values with a listed name. Lists of cities or brands have some of them too."""
_LONGEST = 5
"""Words of a full name; longer values are sentences."""
_KNOWN = GIVEN | FAMILY
_WORDS = re.compile(r"[^\W\d_]+")


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of names of people."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_text or column.distinct < _FEWEST:
        return None
    values = [_WORDS.findall(text.casefold()) for text in column.texts.to_pylist()]
    hits = sum(1 <= len(words) <= _LONGEST and not _KNOWN.isdisjoint(words) for words in values)
    if hits < max(_FEWEST, _SHARE * len(values)):
        return None
    return Opinion(Role.IDENTIFIER, "its values look like names of people", 0.91)
