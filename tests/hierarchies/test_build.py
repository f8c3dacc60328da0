"""From a description to a hierarchy: builders and options by name, paths, losses, coverage."""

from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, SourceError, UsageError
from incrowd.families import members
from incrowd.hierarchies import build, check, parse, settled

AGES = pa.array([17, 23, 38])


@pytest.mark.parametrize(
    ("spec", "builder", "options"),
    [
        (None, "automatic", {}),
        ("mask", "mask", {}),
        ("age.csv", "levels", {"path": "age.csv"}),
        ("age.TSV", "levels", {"path": "age.TSV"}),
        ("some.folder/age.txt", "levels", {"path": "some.folder/age.txt"}),
        (Path("age.csv"), "levels", {"path": "age.csv"}),
        ("country.yaml", "tree", {"path": "country.yaml"}),
        ("country.json", "tree", {"path": "country.json"}),
        ({"mask": None}, "mask", {}),
        (MappingProxyType({"mask": MappingProxyType({"from": "left"})}), "mask", {"from": "left"}),
    ],
    ids=str,
)
def test_what_a_description_means(spec: Any, builder: str, options: dict[str, Any]) -> None:
    assert settled(spec, "age") == (builder, options)


def test_every_builder_is_found() -> None:
    assert {"automatic", "dates", "intervals", "levels", "mask", "tree"} <= set(members("hierarchies", "build"))


def test_building() -> None:
    assert build(None, AGES, "age").height == 1
    assert build(parse("intervals:widths=5/20"), AGES, "age").rows[0] == ("17", "15-19", "0-19", "*")
    assert build({"mask": {"from": "left"}}, AGES, "age").rows[0] == ("17", "*7", "*")
    assert build({"intervals": {"widths": (5, 10)}}, pa.array(["1"]), "age").height == 3


# Checked before any data are read.


@pytest.mark.parametrize("builder", sorted(members("hierarchies", "build")))
def test_what_checks_options_has_all_of_them(builder: str) -> None:
    module = members("hierarchies", "build")[builder]
    own = [each for each in signature(module.build).parameters.values() if each.name != "values"]
    if [each.name for each in own] == ["name"]:
        assert not hasattr(module, "check")
    else:
        assert list(signature(module.check).parameters.values()) == own


@pytest.mark.parametrize(
    "spec",
    [
        "nothing",
        {"mask": {"to": "left"}},
        {"mask": {"from": "above"}},
        {"mask": {"character": "**"}},
        {"mask": {"steps": [2, 1]}},
        {"levels": {}},
        {"levels": {"path": "age.csv", "width": 5}},
        {"tree": {}},
        {"tree": {"groups": {"a": ["1", "2"], "b": ["2"]}}},
        {"tree": {"groups": []}},
        {"tree": {"groups": {"a": [["1"]]}}},
        {"intervals": {}},
        {"intervals": {"widths": [5, 7]}},
        {"intervals": {"widths": [5], "cuts": [3]}},
        {"intervals": {"cuts": [[1, 2], [3]]}},
        {"intervals": {"widths": [5], "origin": "x"}},
        {"intervals": {"widths": [5], "bottom": 9, "top": 3}},
        {"intervals": {"widths": [5], "decimal": ";"}},
        {"intervals": {"widths": [5], "domain": [9, 1]}},
        {"intervals": {"widths": [5], "domain": [0, 10**9]}},
        {"dates": {"levels": ["year", "month"]}},
        {"dates": {"levels": ["age"]}},
        {"dates": {"levels": ["age"], "reference": "soon"}},
        {"dates": {"levels": ["age"], "reference": "2020-01-01", "widths": [5, 7]}},
        {"dates": {"levels": ["age"], "reference": "2020-01-01", "widths": [2.5]}},
        {"dates": {"widths": [5]}},
        {"dates": {"reference": "2020-01-01"}},
        {"dates": {"format": "%d"}},
    ],
    ids=str,
)
def test_what_is_refused_before_building_is_refused_alike_by_building(spec: Any) -> None:
    with pytest.raises(UsageError) as early:
        check(spec, "age")
    with pytest.raises(UsageError) as late:
        build(spec, pa.array([], pa.string()), "age")
    assert str(early.value) == str(late.value)
    assert type(early.value) is type(late.value)


def test_what_needs_values_or_files_shows_later() -> None:
    check(None, "age")
    check("age.csv", "age")
    check({"mask": {"steps": [1, 2]}}, "age")
    check({"intervals": {"widths": [5], "losses": [0, 1]}}, "age")
    check(Hierarchy.from_rows([("17", "*")]), "age")


def test_a_hierarchy_stays_itself() -> None:
    hierarchy = Hierarchy.from_rows([("17", "*"), ("23", "*"), ("38", "*")])
    assert build(hierarchy, AGES, "age") is hierarchy


def test_paths_begin_at_the_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "age.csv").write_text("17;young;*\n23;young;*\n38;old;*\n", encoding="utf-8")
    assert build("age.csv", AGES, "age", tmp_path).labels[1] == ("young", "old")
    assert build({"levels": {"path": "age.csv"}}, AGES, "age", tmp_path).height == 2
    assert build(str(tmp_path / "age.csv"), AGES, "age", Path("/elsewhere")).height == 2
    monkeypatch.chdir(tmp_path)
    assert build("age.csv", AGES, "age").height == 2
    with pytest.raises(SourceError, match="'age'"):
        build("other.csv", AGES, "age")


def test_losses() -> None:
    assert build({"intervals": {"widths": 10, "losses": [0, 0.1, 1]}}, AGES, "age").losses == (0, 0.1, 1)
    assert build({"automatic": {"losses": (0, 7)}}, AGES, "age").losses == (0, 7)
    assert build(parse("mask:losses=0/0.5/2"), AGES, "age").losses == (0, 0.5, 2)
    for losses in ([0, 1], 1, "much"):
        with pytest.raises(HierarchyError, match="the hierarchy of column 'age': losses"):
            build({"intervals": {"widths": 10, "losses": losses}}, AGES, "age")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("maks", "the hierarchy of column 'age' is 'maks'; it may be atc, automatic, "),
        ("age.xlsx", "is 'age.xlsx'; it may be"),
        ({"maks": {}}, "is 'maks'; it may be"),
        ({}, "does not name one builder; there are atc, automatic, "),
        ({"mask": {}, "dates": {}}, "does not name one builder"),
        (5, "does not name one builder"),
        ({"mask": ["left"]}, "the options of mask for column 'age': they have no names; it has from, character, steps"),
        ({"mask": {"form": "left"}}, "no option 'form'; it has from, character, steps, losses"),
        ({"mask": {"values": []}}, "no option 'values'"),
        ({"mask": {"name": "x"}}, "no option 'name'"),
        ({"levels": {}}, "column 'age': levels: no path is given"),
        ({"intervals": {"widths": [5, 7]}}, "column 'age': intervals: widths: 7 is not a multiple"),
    ],
    ids=str,
)
def test_misuse(spec: Any, words: str) -> None:
    with pytest.raises(UsageError) as error:
        build(spec, AGES, "age")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_all_values_must_be_covered(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("17;*\n", encoding="utf-8")
    specs: list[Any] = ["age.csv", {"tree": {"groups": ["17"]}}, Hierarchy.from_rows([("17", "*")])]
    for spec in specs:
        with pytest.raises(HierarchyError) as error:
            build(spec, AGES, "age", tmp_path)
        assert error.value.offending == ("23", "38")
        assert "column 'age' lacks 2 of its 3" in str(error.value)


@pytest.mark.parametrize(
    "spec", [None, "mask", "dates", "intervals:widths=5", "intervals:cuts=5", "dates:levels=age,reference=2020-01-01"]
)
def test_a_column_without_values_can_be_published(spec: str | None) -> None:
    hierarchy = build(parse(spec or ""), pa.nulls(0), "empty")
    ladder = hierarchy.along("empty", pa.nulls(0))
    assert [list(up) for up in ladder.up] == [*[[0]] * hierarchy.height, [1]]
    assert [list(ladder.covered(level)) for level in range(hierarchy.height + 1)] == [[1]] * (hierarchy.height + 1)


texts = st.lists(st.text(max_size=6), min_size=1, max_size=12, unique=True)


@given(texts | st.lists(st.integers(), unique=True).map(lambda numbers: [str(number) for number in numbers]))
def test_builders_that_take_any_text_make_true_trees(values: list[str]) -> None:
    array = pa.array(values, pa.string())
    for spec in (
        None,
        "mask",
        "mask:from=left,steps=2",
        {"tree": {"groups": [value for value in values if value] or "x"}},
    ):
        if isinstance(spec, dict) and "" in values:
            continue
        hierarchy = build(parse(spec) if isinstance(spec, str) else spec, array, "any")
        assert_true_tree(hierarchy, values)
