"""A text that stands for missing, listed among the values of a hierarchy: it says what becomes of missing cells."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import STAYS_MISSING, Hierarchy
from incrowd.errors import HierarchyError
from incrowd.hierarchies import build
from incrowd.hierarchies.levels import save

VALUES = pa.array(["u", "v"])
TREE = {"tree": {"groups": {"*": {"known": ["u"], "unclear": ["v", "NULL"]}}}}


def labels(hierarchy: Hierarchy) -> list[str | None]:
    return list(hierarchy.missing_row)


def test_the_text_is_no_value_and_missing_cells_take_its_path() -> None:
    found = build(TREE, VALUES, "a", missing=["NULL"])
    assert found.values == ("u", "v")
    assert labels(found) == [None, "unclear", "*"]
    assert found.extent(1).tolist() == [1, 2]
    # Where nothing says that it stands for missing, it is a value like others.
    plain = build(TREE, VALUES, "a")
    assert plain.values == ("u", "v", "NULL")
    assert labels(plain) == [None, None, "*"]


def test_a_text_directly_below_the_top_stays_missing_until_there() -> None:
    tree = {"tree": {"groups": {"*": [{"known": ["u", "v"]}, "NULL"]}}}
    found = build(tree, VALUES, "a", missing=["?", "NULL"])
    assert labels(found) == [None, None, "*"]
    assert not found.lists_missing


def test_a_text_may_stay_missing_for_some_levels(tmp_path: Path) -> None:
    groups = {"*": [{"known": {"left": ["u"], "right": ["v"]}}, {"none": ["NULL"]}]}
    rows = ["u;left;known;*", "v;right;known;*", "NULL;NULL;none;*"]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    for spec in ({"tree": {"groups": groups}}, str(tmp_path / "a.csv")):
        found = build(spec, VALUES, "a", missing=["NULL"])
        assert labels(found)[2:] == ["none", "*"]
    assert labels(found) == [None, None, "none", "*"]
    save(found, tmp_path / "again.csv")
    again = build(str(tmp_path / "again.csv"), VALUES, "a")
    assert (again.missing, again.labels, again.values) == (found.missing, found.labels, found.values)


def test_several_texts_must_agree() -> None:
    together = {"tree": {"groups": {"*": {"known": ["u", "v"], "none": ["NULL", "?"]}}}}
    assert labels(build(together, VALUES, "a", missing=["NULL", "?"])) == [None, "none", "*"]
    apart = {"tree": {"groups": {"*": {"known": ["u", "v", "?"], "none": ["NULL"]}}}}
    with pytest.raises(HierarchyError, match="1 value has two parents: equal on level 0, not on level 1"):
        build(apart, VALUES, "a", missing=["NULL", "?"])


def test_numbers_are_numbers_beside_the_text() -> None:
    tree = {"tree": {"groups": {"*": {"low": ["1", "2"], "high": ["8"], "none": ["NULL"]}}}}
    found = build(tree, pa.array([1, 2, 8]), "a", missing=["NULL"])
    assert found.spans is not None
    assert found.spans[1][:2] == ((1, 2), (8, 8))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("XY")), min_size=1, max_size=4, unique_by=lambda r: r[0]
    ),
    st.sampled_from("XYZ"),
)
def test_the_same_as_a_row_for_missing(rows: list[tuple[str, str]], label: str) -> None:
    own = [(value, first, "*") for value, first in rows]
    listed = Hierarchy.from_rows([*own, ("NULL", label, "*")]).with_missing(["NULL"])
    direct = Hierarchy.from_rows([*own, (None, label, "*")])
    assert (listed.values, listed.missing_row, listed.rows) == (direct.values, direct.missing_row, direct.rows)
    assert listed.missing[0] == STAYS_MISSING
