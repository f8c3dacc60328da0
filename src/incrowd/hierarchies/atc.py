"""Codes of drugs (ATC): chemical, pharmacological and therapeutic groups, and anatomical main group."""

import re
from collections.abc import Sequence

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import _codes
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column

MEANING = "Codes of drugs (ATC) become chemical, pharmacological, therapeutic and anatomical groups."
RANK = 11
LABELS = {"levels": "Levels", "other": "Label of other codes"}
EXAMPLES = {"levels": "chemical, pharmacological, therapeutic, anatomical"}

BY_RULE = True

LEVELS = ("chemical", "pharmacological", "therapeutic", "anatomical")

_LENGTHS = (5, 4, 3)
_MAIN_GROUPS = {
    "A": "alimentary tract and metabolism",
    "B": "blood",
    "C": "cardiovascular system",
    "D": "skin",
    "G": "genito-urinary system and sex hormones",
    "H": "other hormones",
    "J": "infections",
    "L": "cancer and immune system",
    "M": "musculoskeletal system",
    "N": "nervous system",
    "P": "parasites",
    "R": "respiratory system",
    "S": "eyes and ears",
    "V": "various",
}
_CODE = re.compile(r"[A-Z]([0-9]{2}([A-Z]([A-Z]([0-9]{2})?)?)?)?", re.ASCII | re.IGNORECASE)


def build(
    values: pa.Array, *, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None
) -> Hierarchy:
    """Return the ladder of ATC codes: `levels` are some of chemical, pharmacological, therapeutic and anatomical.

    Codes that are not in the list have the label `other`, and are refused without it.
    """
    return _codes.ladder(values, name, "atc", LEVELS, levels, labels, other)


def check(*, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None) -> None:
    """Refuse levels that the list does not have."""
    _codes.checked_levels("atc", LEVELS, levels)


def suggest(column: Column) -> Suggestion | None:
    """Suggest the list where nearly all values are full codes of it."""
    if not column.has_form("[A-DGHJL-NPRSV][0-9]{2}[A-Z]{2}[0-9]{2}"):
        return None
    return _codes.suggested(column, LEVELS, labels, "its values are codes of drugs (ATC)", 0.95)


def labels(text: str) -> tuple[str, ...] | None:
    """Return the groups of a code; a shorter code is its own group until the levels are coarser."""
    code = text.strip().upper()
    if not _CODE.fullmatch(code) or code[0] not in _MAIN_GROUPS:
        return None
    return (*(code[:length] for length in _LENGTHS), f"{code[0]} {_MAIN_GROUPS[code[0]]}")
