"""Codes of public lists: their labels, what is refused, and that every list is a tree."""

from typing import Any

import pyarrow as pa
import pytest

from hierarchies.shapes import assert_true_tree
from incrowd.errors import HierarchyError, UsageError
from incrowd.families import BUILDERS
from incrowd.hierarchies import build, check, icd10
from incrowd.hierarchies.countries import _listed

LISTS = ("atc", "countries", "icd10", "isco", "nace", "nuts")

FACTS: dict[str, dict[str, tuple[str, ...]]] = {
    "icd10": {
        "A15.1": ("A15", "A15-A19", "A00-B99 infections"),
        "a15": ("A15", "A15-A19", "A00-B99 infections"),
        "E11.9": ("E11", "E10-E14", "E00-E90 metabolism"),
        "E119": ("E11", "E10-E14", "E00-E90 metabolism"),
        "D48": ("D48", "D37-D48", "C00-D48 neoplasms"),
        "D50": ("D50", "D50-D53", "D50-D89 blood"),
        "Y05": ("Y05", "X85-Y09", "V01-Y98 external causes"),
        # Categories of national versions.
        "C7A.1": ("C7A", "C00-D48 neoplasms", "C00-D48 neoplasms"),
        "O09": (
            "O09",
            "O00-O99 pregnancy and birth",
            "O00-O99 pregnancy and birth",
        ),
    },
    "atc": {
        "A10BA02": ("A10BA", "A10B", "A10", "A alimentary tract and metabolism"),
        "n02": ("N02", "N02", "N02", "N nervous system"),
    },
    "isco": {
        "2512": ("251", "25", "2 professionals"),
        "0110": ("011", "01", "0 armed forces"),
        "110": ("011", "01", "0 armed forces"),
        "9": ("9", "9", "9 elementary occupations"),
    },
    "nace": {
        "62.01": ("62.0", "62", "J information and communication"),
        "6201": ("62.0", "62", "J information and communication"),
        "A01.11": ("01.1", "01", "A agriculture, forestry and fishing"),
        "84": ("84", "84", "O public administration"),
    },
    "nuts": {"AT130": ("AT13", "AT1", "AT"), "EL30": ("EL30", "EL3", "EL")},
    "countries": {
        "AT": ("Western Europe", "Europe"),
        "chl": ("South America", "Americas"),
        "Viet Nam": ("South-eastern Asia", "Asia"),
        " Réunion ": ("Eastern Africa", "Africa"),
    },
}
"""From the published lists."""


@pytest.mark.parametrize("name", LISTS)
def test_labels_of_codes(name: str) -> None:
    codes = pa.array([*FACTS[name]])
    found = {row[0]: row[1:-1] for row in build(name, codes, "code").rows}
    assert found == FACTS[name]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_a_tree_with_and_without_strangers(name: str) -> None:
    codes = [*FACTS[name], "?!", "none of them"]
    assert_true_tree(build({name: {"other": "other"}}, pa.array(codes), "code"), codes)
    with pytest.raises(HierarchyError) as error:
        build(name, pa.array(codes), "code")
    assert f"2 of the {len(codes)} different values of column 'code' are not codes that {name} knows" in str(
        error.value
    )
    assert "none of them" not in str(error.value)


@pytest.mark.parametrize("name", LISTS)
def test_levels_are_those_of_the_list_in_order(name: str) -> None:
    levels = BUILDERS.module(name).LEVELS
    last: Any = {name: {"levels": [levels[-1]]}}
    code = next(iter(FACTS[name]))
    assert build(last, pa.array([code]), "code").rows == [(code, FACTS[name][code][-1], "*")]
    with pytest.raises(UsageError, match="they are not in ascending order"):
        check({name: {"levels": [*levels[::-1]]}}, "code")
    with pytest.raises(UsageError, match="it may be"):
        check({name: {"levels": ["nowhere"]}}, "code")


@pytest.mark.parametrize(
    ("name", "stranger"), [("isco", "2912"), ("nace", "B01"), ("nace", "34"), ("nuts", "US123"), ("icd10", "A1")]
)
def test_what_a_list_lacks(name: str, stranger: str) -> None:
    assert BUILDERS.module(name).labels(stranger) is None


def test_every_country_has_its_codes_once() -> None:
    """ISO 3166 has 249 countries and areas; Kosovo has a code that users took."""
    names = [names for _, names in _listed()]
    assert len(names) == 250
    assert all(len(two) == 2 and len(three) == 3 for two, three, *_ in names)
    spelled = [name.casefold() for of in names for name in of]
    assert len(set(spelled)) == len(spelled)
    assert len({region for (_, region), _ in _listed()}) == 6


def test_blocks_are_in_order_and_within_their_chapter() -> None:
    spans = [block.split("-") for _, blocks in icd10._CHAPTERS for block in blocks.split()]
    assert all(first <= last for first, last in spans)
    for chapter, blocks in icd10._CHAPTERS:
        first, _, last = chapter.partition(" ")[0].partition("-")
        ends = [end for block in blocks.split() for end in block.split("-")]
        assert ends == sorted(ends)
        assert first <= ends[0]
        assert ends[-1] <= last
