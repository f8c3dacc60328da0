"""Explicit trees."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, IncrowdError, SourceError, UsageError
from incrowd.hierarchies.tree import build, save

NOTHING = pa.nulls(0)


def rows(groups: Any) -> list[tuple[str, ...]]:
    """The rows of a tree's hierarchy."""
    return build(NOTHING, groups=groups).rows


def test_groups() -> None:
    assert rows({"Europe": ["UK", "Italy"], "America": ["USA"]}) == [
        ("UK", "Europe", "*"),
        ("Italy", "Europe", "*"),
        ("USA", "America", "*"),
    ]


def test_one_label_at_the_outside_is_the_top() -> None:
    assert rows({"World": {"Europe": ["UK"]}}) == [("UK", "Europe", "World")]


def test_values_alone() -> None:
    assert rows(["a", "b"]) == rows({"*": ["a", "b"]}) == rows({"a": None, "b": ""}) == [("a", "*"), ("b", "*")]
    assert rows("a") == rows(["a"]) == [("a", "*")]


def test_a_shallow_branch_waits_for_the_deep_ones() -> None:
    groups = {"A": {"A1": {"A11": ["a"]}, "A2": ["b"]}, "B": ["c"], "d": None}
    assert rows(groups) == [
        ("a", "A11", "A1", "A", "*"),
        ("b", "A2", "A2", "A", "*"),
        ("c", "B", "B", "B", "*"),
        ("d", "d", "d", "d", "*"),
    ]


def test_values_beside_groups() -> None:
    assert rows({"A": ["x", {"B": ["y"], "C": "z"}]}) == [("x", "x", "A"), ("y", "B", "A"), ("z", "C", "A")]


def test_a_group_may_be_called_as_one_of_its_values() -> None:
    assert rows({"I10": ["I10", "I10.1"], "I11": ["I11"]}) == [
        ("I10", "I10", "*"),
        ("I10.1", "I10", "*"),
        ("I11", "I11", "*"),
    ]
    assert rows({"Other": {"Other": ["x"], "More": ["y"]}}) == [("x", "Other", "Other"), ("y", "More", "Other")]


def test_numbers_and_other_scalars() -> None:
    ladder = build(pa.array([1, 2, 10]), groups={"few": [1, 2.0], "many": [10]})
    assert ladder.values == ("1", "2", "10")
    assert ladder.spans == (((1, 1), (2, 2), (10, 10)), ((1, 2), (10, 10)), ((1, 10),))
    assert build(NOTHING, groups={"a": ["x"]}).spans is None


@pytest.mark.parametrize(
    ("groups", "offending"),
    [
        ({"Europe": ["Georgia", "x"], "America": ["Georgia", "x", "y"]}, ("Georgia", "x")),
        ({"Europe": {"G": ["a"]}, "America": {"G": ["b"]}}, ("G",)),
        # The value x would be called as the group x, which is elsewhere.
        ({"A": {"x": {"y": ["1"]}}, "B": {"z": {"w": ["2"]}}, "x": None}, ("x",)),
    ],
)
def test_two_parents(groups: Any, offending: tuple[str, ...]) -> None:
    with pytest.raises(HierarchyError) as error:
        rows(groups)
    assert error.value.offending == offending


@pytest.mark.parametrize("groups", [{}, [], "", {"A": [None]}, {"": ["a"]}, {"A": [["a"]]}, [{"a": [""]}]])
def test_no_tree(groups: Any) -> None:
    with pytest.raises(UsageError):
        rows(groups)


def test_nested_within_itself() -> None:
    endless: list[Any] = ["a"]
    endless.append({"b": endless})
    with pytest.raises(UsageError, match="too deeply"):
        rows(endless)


@pytest.mark.parametrize("options", [{}, {"groups": ["a"], "path": "a.yaml"}])
def test_groups_or_a_path(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="give one of them"):
        build(NOTHING, **options)


# Files.


def written(folder: Path, name: str, text: str) -> Path:
    """A file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_yaml_scalars_are_texts(tmp_path: Path) -> None:
    """In plain YAML, NO is false, 012 is ten, 1_0 is ten, and a date is none."""
    path = written(
        tmp_path, "t.yaml", "Nordics: [NO, 012, 1_0, 2020-01-01, null, ~, Österreich]\nRest: {yes: , '1.0': }\n"
    )
    assert build(NOTHING, path=path).values == (
        "NO",
        "012",
        "1_0",
        "2020-01-01",
        "null",
        "~",
        "Österreich",
        "yes",
        "1.0",
    )


def test_json(tmp_path: Path) -> None:
    path = written(tmp_path, "t.json", '{"World": {"Europe": ["UK", 1.50], "America": {"North": ["USA", 10]}}}')
    assert build(NOTHING, path=path).rows == [
        ("UK", "Europe", "Europe", "World"),
        ("1.50", "Europe", "Europe", "World"),
        ("USA", "North", "America", "World"),
        ("10", "North", "America", "World"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.yaml", "a: [1\nb: secret", "line 2 is not valid YAML"),
        ("t.yaml", "a: \x00", "is not valid YAML"),
        ("t.yaml", "a: [1]\nb: [2]\na: [3]\n", "1 of its labels occur twice"),
        ("t.yaml", "", "it has no value"),
        ("t.yaml", "a: &a [*a]", "too deeply|directly inside a list"),
        # Refused where the second list begins, not at the end of what may be nested.
        ("t.yaml", "a: " + 3000 * "[", "directly inside a list"),
        ("t.yaml", "a: [x]\n? [secret]\n: [y]", "directly inside a list"),
        ("t.yaml", "{{secret: x}: [y]}", "directly inside a list"),
        ("t.yaml", "a: &a [secret]\n? *a\n: [y]", "directly inside a list"),
        ("t.json", '{"a": ["secret"', "line 1 is not valid JSON"),
        ("t.json", '{"x": {"a": [1], "a": [2]}}', "1 of its labels occur twice"),
    ],
)
def test_files_that_hold_no_tree(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(IncrowdError, match=words) as error:
        build(NOTHING, path=written(tmp_path, name, text))
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("a: [ä]".encode("latin-1"))
    with pytest.raises(SourceError, match="not in UTF-8"):
        build(NOTHING, path=tmp_path / "latin.yaml")
    with pytest.raises(SourceError, match="no such file with the hierarchy of column 'country'"):
        build(NOTHING, name="country", path=tmp_path / "nowhere.yaml")
    with pytest.raises(SourceError, match="cannot be read"):
        build(NOTHING, path=tmp_path)


# Any tree.


@st.composite
def forests(draw: st.DrawFn, numbers: list[int] | None = None, depth: int = 3) -> Any:
    """Groups in which every value and every label has a number of its own."""
    numbers = [0] if numbers is None else numbers

    def fresh() -> str:
        numbers[0] += 1
        return f"n{numbers[0]}"

    if depth == 0 or draw(st.booleans()):
        return [fresh() for _ in range(draw(st.integers(1, 3)))]
    return {fresh(): draw(forests(numbers, depth - 1)) for _ in range(draw(st.integers(1, 3)))}


def values_of(groups: Any) -> list[str]:
    """The leaves."""
    return [leaf for inside in groups.values() for leaf in values_of(inside)] if isinstance(groups, dict) else groups


@given(forests())
def test_a_true_tree(groups: Any) -> None:
    ladder = build(NOTHING, groups=groups)
    assert list(ladder.values) == values_of(groups)
    assert_true_tree(ladder, values_of(groups))


@given(forests())
def test_a_file_holds_the_same_tree(tmp_path_factory: pytest.TempPathFactory, groups: Any) -> None:
    path = tmp_path_factory.mktemp("tree") / "t.json"
    path.write_text(json.dumps(groups), encoding="utf-8")
    as_yaml = path.with_suffix(".yaml")
    as_yaml.write_text(json.dumps(groups), encoding="utf-8")
    assert build(NOTHING, path=path).rows == build(NOTHING, path=as_yaml).rows == rows(groups)


OTHERS = {"west": ["Linz", "Wels"], "rest": ["other", "Graz"]}


def test_what_a_tree_does_not_list_is_other() -> None:
    found = build(pa.array(["Linz", "Rome", "Bonn"]), groups=OTHERS, other="other")
    labels = {row[0]: row[1:] for row in found.rows}
    assert labels["Rome"] == labels["Bonn"] == labels["other"] == ("rest", "*")
    assert labels["Linz"] == ("west", "*")


def test_other_stands_beside_the_outermost_groups_if_the_tree_lacks_it() -> None:
    for groups in ({"west": ["Linz", "Wels"], "east": ["Graz"]}, {"all": [{"west": ["Linz", "Wels"]}, "Graz"]}):
        found = build(pa.array(["Linz", "Rome"]), groups=groups, other="other")
        labels = {row[0]: row[1:] for row in found.rows}
        assert labels["Rome"] == ("other", labels["Linz"][-1])
        assert labels["Linz"][0] == "west"


@given(data=st.data())
def test_a_saved_tree_is_the_same(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Labels may stay, repeat those of other levels, or need quotes."""
    values = data.draw(st.lists(st.sampled_from(["a", "b: c", "no", "1", "- x"]), min_size=1, unique=True))
    found = [[value] for value in values]
    for level in range(data.draw(st.integers(0, 3))):
        labels = {row[-1]: data.draw(st.sampled_from([row[-1], "G", f"H{level}", "a"])) for row in found}
        found = [[*row, labels[row[-1]]] for row in found]
    saved = Hierarchy.from_rows([(*row, "*") for row in found])
    path = tmp_path_factory.mktemp("tree") / "x.yaml"
    save(saved, path)
    assert sorted(build(pa.array(values), path=path).rows) == sorted(saved.rows)


def test_a_tree_cannot_say_what_becomes_of_missing_values(tmp_path: Path) -> None:
    listed = Hierarchy.from_rows([("a", "A", "*"), (None, "none", "*")])
    with pytest.raises(UsageError, match=r"save it as \.csv"):
        save(listed, tmp_path / "x.yaml")
    assert not (tmp_path / "x.yaml").exists()
