"""Codes of occupations (ISCO-08): minor, sub-major and major groups."""

import re
from collections.abc import Sequence

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import _codes
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column
from incrowd.proposing.naming import words_of

MEANING = "Codes of occupations (ISCO-08) become minor, sub-major and major groups."
RANK = 12
LABELS = {"levels": "Levels", "other": "Label of other codes"}
EXAMPLES = {"levels": "minor, submajor, major"}

BY_RULE = True

LEVELS = ("minor", "submajor", "major")

_MAJOR = (
    "armed forces",
    "managers",
    "professionals",
    "technicians and associate professionals",
    "clerical support workers",
    "service and sales workers",
    "skilled agricultural, forestry and fishery workers",
    "craft and related trades workers",
    "plant and machine operators, and assemblers",
    "elementary occupations",
)
_SUBMAJOR = (3, 4, 6, 5, 4, 4, 3, 5, 3, 6)
"""How many sub-major groups each major group has, numbered from 1 on."""
_CODE = re.compile(r"[0-9]{1,4}", re.ASCII)
_NAMED = frozenset(words_of("isco occupation occupations beruf profession occup"))


def build(
    values: pa.Array, *, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None
) -> Hierarchy:
    """Return the ladder of ISCO-08 codes: `levels` are some of minor, submajor and major.

    Codes that are not in the list have the label `other`, and are refused without it.
    """
    return _codes.ladder(values, name, "isco", LEVELS, levels, labels, other)


def check(*, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None) -> None:
    """Refuse levels that the list does not have."""
    _codes.checked_levels("isco", LEVELS, levels)


def suggest(column: Column) -> Suggestion | None:
    """Suggest the list where the name speaks of occupations and the values are its codes of four digits."""
    if not _NAMED & set(words_of(column.name)) or not column.has_form("[0-9]{3,4}"):
        return None
    return _codes.suggested(column, LEVELS, labels, "its values are codes of occupations (ISCO-08)", 0.9)


def labels(text: str) -> tuple[str, ...] | None:
    """Return the groups of a code; those of the armed forces begin with 0, which numbers leave out."""
    code = text.strip()
    if not _CODE.fullmatch(code):
        return None
    code = f"0{code}" if code in ("110", "210", "310") else code
    major = int(code[0])
    if len(code) > 1 and not 1 <= int(code[1]) <= _SUBMAJOR[major]:
        return None
    return code[:3], code[:2], f"{major} {_MAJOR[major]}"
