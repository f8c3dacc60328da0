"""Judge values that are names of people: those that many have are enough to tell what the others are."""

import re
import unicodedata

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.vocabulary.people import FAMILY, GIVEN

_LOOKED_AT = 300
"""Values that show it."""
_FEWEST = 5
"""Different names that are not listed by chance."""
_SHARE, _OF_FEW = 0.35, 0.6
"""The share of values with a listed name, of many and of few. Lists of cities or brands have some of them too."""
_MANY = 20
_LONGEST = 5
"""Words of a full name; longer values are sentences."""
_WORDS = re.compile(r"[^\W\d_]+")


def _words(text: str) -> list[str]:
    """Return the words of a text without accents. Nothing is remembered: these are values."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
    return _WORDS.findall(plain)


_KNOWN = frozenset(word for name in GIVEN | FAMILY for word in _words(name))


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of names of people."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_text or column.distinct < _FEWEST:
        return None
    values = [_words(text) for text in column.texts[:_LOOKED_AT].to_pylist()]
    hits = sum(1 <= len(words) <= _LONGEST and not _KNOWN.isdisjoint(words) for words in values)
    if hits < max(_FEWEST, (_SHARE if len(values) >= _MANY else _OF_FEW) * len(values)):
        return None
    return Opinion(Role.IDENTIFIER, "its values look like names of people", 0.91)
