"""Regions of Europe (NUTS): regions of levels 2 and 1, and country."""

import re
from collections.abc import Sequence

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import _codes
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column

MEANING = "Regions of Europe (NUTS) become larger regions and countries."
RANK = 14
LABELS = {"levels": "Levels", "other": "Label of other codes"}
EXAMPLES = {"levels": "nuts2, nuts1, country"}

BY_RULE = True

LEVELS = ("nuts2", "nuts1", "country")

_COUNTRIES = frozenset(
    [
        "AL",
        "AT",
        "BE",
        "BG",
        "CH",
        "CY",
        "CZ",
        "DE",
        "DK",
        "EE",
        "EL",
        "ES",
        "FI",
        "FR",
        "HR",
        "HU",
        "IE",
        "IS",
        "IT",
        "LI",
        "LT",
        "LU",
        "LV",
        "ME",
        "MK",
        "MT",
        "NL",
        "NO",
        "PL",
        "PT",
        "RO",
        "RS",
        "SE",
        "SI",
        "SK",
        "TR",
        "UK",
        "XK",
    ]
)
"""Countries that have regions; Greece is EL, the United Kingdom UK."""
_CODE = re.compile(r"([A-Z]{2})[0-9A-Z]{0,3}", re.ASCII | re.IGNORECASE)


def build(
    values: pa.Array, *, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None
) -> Hierarchy:
    """Return the ladder of NUTS regions: `levels` are some of nuts2, nuts1 and country.

    Codes that are not in the list have the label `other`, and are refused without it.
    """
    return _codes.ladder(values, name, "nuts", LEVELS, levels, labels, other)


def check(*, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None) -> None:
    """Refuse levels that the list does not have."""
    _codes.checked_levels("nuts", LEVELS, levels)


def suggest(column: Column) -> Suggestion | None:
    """Suggest the list where nearly all values are codes of regions, not of countries alone."""
    if (
        not column.is_text
        or not column.has_form("[A-Z]{2}[0-9A-Z]{1,3}")
        or not column.has_form("[A-Z]{2}[0-9].*", 0.5)
    ):
        return None
    return _codes.suggested(column, LEVELS, labels, "its values are regions of Europe (NUTS)", 0.9)


def labels(text: str) -> tuple[str, ...] | None:
    """Return the regions and the country of a code; a shorter code is its own region until the levels are coarser."""
    code = text.strip().upper()
    found = _CODE.fullmatch(code)
    return (code[:4], code[:3], code[:2]) if found is not None and found[1] in _COUNTRIES else None
