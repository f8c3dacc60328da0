"""Codes of economic activities (NACE Rev. 2): group, division and section."""

import re
from collections.abc import Sequence

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import _codes
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column
from incrowd.proposing.naming import words_of

MEANING = "Codes of economic activities (NACE Rev. 2) become groups, divisions and sections."
RANK = 13
LABELS = {"levels": "Levels", "other": "Label of other codes"}
EXAMPLES = {"levels": "group, division, section"}

BY_RULE = True

LEVELS = ("group", "division", "section")

_SECTIONS = (
    ("A", 1, 3, "agriculture, forestry and fishing"),
    ("B", 5, 9, "mining and quarrying"),
    ("C", 10, 33, "manufacturing"),
    ("D", 35, 35, "electricity and gas"),
    ("E", 36, 39, "water and waste"),
    ("F", 41, 43, "construction"),
    ("G", 45, 47, "trade"),
    ("H", 49, 53, "transport and storage"),
    ("I", 55, 56, "accommodation and food"),
    ("J", 58, 63, "information and communication"),
    ("K", 64, 66, "finance and insurance"),
    ("L", 68, 68, "real estate"),
    ("M", 69, 75, "professional, scientific and technical activities"),
    ("N", 77, 82, "administrative and support services"),
    ("O", 84, 84, "public administration"),
    ("P", 85, 85, "education"),
    ("Q", 86, 88, "health and social work"),
    ("R", 90, 93, "arts and recreation"),
    ("S", 94, 96, "other services"),
    ("T", 97, 98, "households"),
    ("U", 99, 99, "extraterritorial organizations"),
)
"""Each section with its first and its last division."""
_CODE = re.compile(r"([A-U])?[ .]?([0-9]{2})(?:\.?([0-9])(?:\.?[0-9]{1,2})?)?", re.ASCII | re.IGNORECASE)
_NAMED = frozenset(words_of("nace industry branch sector branche wirtschaftszweig wz secteur activite"))


def build(
    values: pa.Array, *, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None
) -> Hierarchy:
    """Return the ladder of NACE codes: `levels` are some of group, division and section.

    Codes that are not in the list have the label `other`, and are refused without it.
    """
    return _codes.ladder(values, name, "nace", LEVELS, levels, labels, other)


def check(*, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None) -> None:
    """Refuse levels that the list does not have."""
    _codes.checked_levels("nace", LEVELS, levels)


def suggest(column: Column) -> Suggestion | None:
    """Suggest the list where the values have its letters, or the name speaks of it and they have its digits."""
    lettered = column.is_text and column.has_form(r"[A-U][0-9]{2}(\.[0-9]{1,2})?")
    named = bool(_NAMED & set(words_of(column.name))) and column.has_form(r"[0-9]{2}(\.[0-9]{1,2}|[0-9]{1,2})?")
    if not named and not (lettered and _NAMED & set(words_of(column.name))):
        return None
    return _codes.suggested(column, LEVELS, labels, "its values are codes of economic activities (NACE)", 0.92)


def labels(text: str) -> tuple[str, ...] | None:
    """Return the group, division and section of a code; a letter that contradicts its digits is no code."""
    code = text.strip().upper()
    found = _CODE.fullmatch(code)
    if found is None:
        return None
    letter, division, group = found.groups()
    for section, first, last, meaning in _SECTIONS:
        if first <= int(division) <= last and letter in (None, section):
            fine = f"{division}.{group}" if group else division
            return fine, division, f"{section} {meaning}"
    return None
