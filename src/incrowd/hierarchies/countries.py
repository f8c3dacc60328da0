"""Countries: subregion and region of the United Nations, from codes of two or three letters or English names."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import _codes
from incrowd.hierarchies._country_list import REGIONS
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column
from incrowd.proposing.naming import words_of

MEANING = "Countries (ISO codes or English names) become subregions and regions of the United Nations."
RANK = 15
LABELS = {"levels": "Levels", "other": "Label of other values"}
EXAMPLES = {"levels": "subregion, region"}

BY_RULE = True

LEVELS = ("subregion", "region")

_SUBREGION = re.compile(r"^(\w+)/([^:\n]+): (.*?)(?=^\w+/|\Z)", re.MULTILINE | re.DOTALL)
_MOST = 0.75
"""The share of values that must be countries: others are answers such as unknown."""
_FEWEST_CODES = 5
"""Distinct codes of two letters below which they may be something else."""


def build(
    values: pa.Array, *, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None
) -> Hierarchy:
    """Return the ladder of countries: `levels` are some of subregion and region.

    Values that are not in the list have the label `other`, and are refused without it.
    """
    return _codes.ladder(values, name, "countries", LEVELS, levels, labels, other)


def check(*, name: str = "unnamed", levels: Sequence[str] = LEVELS, other: str | None = None) -> None:
    """Refuse levels that the list does not have."""
    _codes.checked_levels("countries", LEVELS, levels)


def suggest(column: Column) -> Suggestion | None:
    """Suggest the list where most values are countries; a few codes of two letters may also be states or clinics."""
    are_codes = column.is_text and column.has_form("[A-Za-z]{2}")
    if not column.is_text or (are_codes and (column.distinct < _FEWEST_CODES or "state" in words_of(column.name))):
        return None
    return _codes.suggested(column, LEVELS, labels, "its values are countries", 0.9, _MOST)


def labels(text: str) -> tuple[str, ...] | None:
    """Return the subregion and region of a country."""
    return _known().get(text.strip().casefold())


@cache
def _known() -> dict[str, tuple[str, str]]:
    """Return the subregion and region of every code and name."""
    return {name.casefold(): place for place, names in _listed() for name in names}


def _listed() -> Iterator[tuple[tuple[str, str], list[str]]]:
    for region, subregion, countries in _SUBREGION.findall(REGIONS):
        for country in " ".join(countries.split()).split(";"):
            two, three, names = country.strip().split(" ", 2)
            yield (subregion, region), [two, three, *(name.strip() for name in names.split(" = "))]
