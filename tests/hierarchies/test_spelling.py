"""Short forms of hierarchies."""

from contextlib import suppress
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.hierarchies import parse, spell

FORMS: list[tuple[str, Any]] = [
    ("", None),
    ("mask", "mask"),
    ("age.csv", "age.csv"),
    ("ladders/age.csv", "ladders/age.csv"),
    (r"C:\ladders\age.csv", r"C:\ladders\age.csv"),
    ("mask:", {"mask": {}}),
    ("mask:from=left", {"mask": {"from": "left"}}),
    ("intervals:widths=5/10/20,origin=0", {"intervals": {"widths": [5, 10, 20], "origin": 0}}),
    ("intervals:widths=[5]", {"intervals": {"widths": [5]}}),
    ("intervals:widths=5", {"intervals": {"widths": 5}}),
    ("intervals:widths=0.5/2.5,bottom=-18", {"intervals": {"widths": [0.5, 2.5], "bottom": -18}}),
    ("intervals:cuts=[[18, 30], [30]],top=90", {"intervals": {"cuts": [[18, 30], [30]], "top": 90}}),
    ("dates:levels=month/year,format=%d/%m/%Y", {"dates": {"levels": ["month", "year"], "format": "%d/%m/%Y"}}),
    ("dates:levels=age,reference=2020-01-31", {"dates": {"levels": "age", "reference": "2020-01-31"}}),
    ('tree:groups={"Süd": ["a,b", "c/d"]}', {"tree": {"groups": {"Süd": ["a,b", "c/d"]}}}),
    ("levels:path=x/age.csv,losses=0/0.5/1", {"levels": {"path": "x/age.csv", "losses": [0, 0.5, 1]}}),
    ('levels:path="a,b.csv"', {"levels": {"path": "a,b.csv"}}),
    ('mask:character="/",from=left', {"mask": {"character": "/", "from": "left"}}),
    ('mask:character="5"', {"mask": {"character": "5"}}),
    ("mask:character=007", {"mask": {"character": "007"}}),
    ("mask:a=true,b=null,c=false", {"mask": {"a": True, "b": None, "c": False}}),
]


@pytest.mark.parametrize(("text", "spec"), FORMS, ids=[text or "empty" for text, _ in FORMS])
def test_both_ways(text: str, spec: Any) -> None:
    assert parse(text) == spec
    assert spell(spec) == text


def test_blanks_do_not_matter() -> None:
    assert parse(" intervals: widths = 5 / 10 , origin = 0 ") == {"intervals": {"widths": [5, 10], "origin": 0}}
    assert parse('mask:character="*" , steps=1') == {"mask": {"character": "*", "steps": 1}}


def test_other_kinds_of_plain_data() -> None:
    assert spell({"intervals": MappingProxyType({"widths": (5, 10)})}) == "intervals:widths=5/10"
    assert spell({"tree": {"groups": MappingProxyType({"a": ("b",)})}}) == 'tree:groups={"a": ["b"]}'
    assert spell({"dates": {"reference": date(2020, 1, 31)}}) == "dates:reference=2020-01-31"
    assert spell({"levels": {"path": Path("age.csv")}}) == 'levels:path="age.csv"'
    assert spell({"mask": None}) == "mask:"


def test_a_path_that_looks_like_options() -> None:
    assert spell("a:b=c.csv") == "levels:path=a:b=c.csv"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mask:from=left,from=right", "the option 'from' comes twice"),
        ("mask:from=left,=3", "'=3' has no ="),
        ("mask:from=left,steps", "'steps' has no ="),
        ("intervals:cuts=[1,2", "not JSON"),
        ('mask:character="*"x=1', "no comma"),
    ],
)
def test_unreadable(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse(text)


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["true", "5", "1e5", "NaN", "a/b", "a,b", "[", '"', " x ", "", "=", "null", "-0", "\\"])
)
names = st.from_regex("[a-z_][a-z0-9_]{0,5}", fullmatch=True)
plain = st.recursive(scalars, lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside), max_leaves=6)
options = st.dictionaries(names.filter(lambda name: name not in ("path", "format")), plain)
with_slashes = st.fixed_dictionaries({}, optional={"path": st.text(), "format": st.text()})
specs = st.builds(lambda name, some, more: {name: {**some, **more}}, names, options, with_slashes)


@given(specs)
def test_what_is_spelled_is_read_back(spec: dict[str, dict[str, Any]]) -> None:
    assert parse(spell(spec)) == spec


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(UsageError):
        spec = parse(text)
        assert parse(spell(spec)) == spec
