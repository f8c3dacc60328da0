"""The notions of Gionis, Mazza and Tassa: the lecture's tables, any pair of tables, and what implies what."""

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.comparison.columns import Column
from incrowd.comparison.tables import Original
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role
from incrowd.release_metrics import _consistency
from incrowd.release_metrics.global_one_k import GlobalOneK
from incrowd.release_metrics.k_k import KK
from incrowd.release_metrics.k_one import KOne
from incrowd.release_metrics.one_k import OneK
from incrowd.release_metrics.reference import Base, Class, ReferenceRelease
from incrowd.release_metrics.smallest_class import SmallestClass
from metrics.pages import Example, agreed, examples

NOTIONS = (OneK(), KOne(), KK(), GlobalOneK())
NAMES = ("one_k", "k_one", "k_k", "global_one_k")
RACE = [("White", "Person", "*"), ("Black", "Person", "*"), ("Asian", "Asian", "*")]
ORIGINAL = [("White", "94138"), ("Black", "94139"), ("Asian", "94141"), ("Asian", "94141"), ("Asian", "94142")]
PERSON = [("Person", "9413*")] * 2
RELEASES = {
    "2-anonymity": [("Asian", "9414*")] * 3,
    "2-anonymity (revisited)": [("Asian", "94141"), ("Asian", "9414*"), ("Asian", "9414*")],
    "a record of one": [("Asian", "9414*"), ("Asian", "9414*"), ("Asian", "94142")],
    "one with a record": [("Asian", "94141"), ("Asian", "94141"), ("Asian", "9414*")],
}
VERDICTS = {
    # smallest class, original side, released side, both, for who knows all
    "2-anonymity": (2, 2, 2, 2, 2),
    "2-anonymity (revisited)": (1, 2, 2, 2, 2),
    "a record of one": (1, 2, 1, 1, 1),
    "one with a record": (1, 1, 2, 1, 1),
}
"""FX-SAM-9: Samarati's lecture, slide 57 (k-anonymity revisited), by hand."""


def frame(rows: list[tuple[Any, ...]], *names: str) -> pa.Table:
    return pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(names)})


@pytest.mark.parametrize("name", RELEASES)
def test_the_lecture(name: str) -> None:
    columns = {"race": {"role": "quasi", "hierarchy": Hierarchy.from_rows(RACE)}, "zip": "quasi"}
    release = frame(PERSON + RELEASES[name], "race", "zip")
    found = incrowd.measure(
        frame(ORIGINAL, "race", "zip"), [release], columns=columns, metrics=["smallest_class", *NAMES]
    )
    readings = found.releases[0].readings
    assert tuple(readings[each].value for each in ("smallest_class", *NAMES)) == VERDICTS[name]


# Any pair of tables, whether the one was made from the other or not.

TREE = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*"), ("d", "de", "*"), ("e", "de", "*")]
COVERED = {
    None: {None},
    **{value: {value} for value in "abcde"},
    "ab": {"a", "b"},
    "de": {"d", "e"},
    "*": {*"abcde", None},
    "{a, c}": {"a", "c"},
}
CELLS = st.sampled_from(list(COVERED))
VALUES = st.sampled_from([None, *"abcde"])


def counted(rows: list[tuple[Any, ...]]) -> FrequencySet:
    counting = Counting(["x", "y"])
    counting.add([pa.array([row[at] for row in rows], pa.string()) for at in range(2)])
    return counting.result()


@settings(max_examples=80)
@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=6),
    st.lists(st.tuples(CELLS, CELLS), min_size=1),
    st.data(),
)
def test_any_pair_of_tables(given_rows: list[Any], released: list[Any], data: st.DataObject) -> None:
    # A missing cell stands for missing only where the original has some.
    original = [(None, None), *given_rows]
    released = released[: data.draw(st.integers(1, len(original)))]
    columns = {name: Column(Role.QUASI, Hierarchy.from_rows(TREE)) for name in "xy"}
    made = Original.of(counted(original), columns).released("release", counted(released), {}, None)
    base = Base(tuple("abcde"), paths={row[0]: row[1:] for row in TREE})
    classes = [
        Class(tuple(frozenset(COVERED[cell]) for cell in cells), (), ((),) * n)
        for cells, n in Counter(released).items()
    ]
    page = ReferenceRelease(tuple(original), tuple(classes), (base, base), 2)
    for yardstick in NOTIONS:
        agreed(yardstick, made, page)


@settings(max_examples=60)
@given(examples(most_rows=10))
def test_what_implies_what(example: Example) -> None:
    """Of releases whose cells cover what they stand for."""
    page = example.page()
    if not page.published:
        return
    one_k, k_one, k_k, known = (each.textbook(page) or 0 for each in NOTIONS)
    smallest = SmallestClass().textbook(page) or 0
    assert 1 <= smallest <= known <= one_k, "k-anonymity implies global (1,k), which implies (1,k)"
    assert smallest <= k_one, "and (k,1)"
    assert k_k == min(one_k, k_one)
    # Who alone fits a record is given it.
    assert known == 1 or k_one >= 2


def test_what_implies_nothing() -> None:
    """(k,k) does not imply global (1,k), and global (1,k) does not imply (k,1)."""
    # The first and the last are a's and e's; so abe is b's, though bcde fits b as well.
    assert values(["ae", "abe", "acd", "bcde", "ae"]) == (2, 2, 2, 1)
    assert values(["ac", "abcd", "abcd", "abcd"]) == (3, 2, 2, 3)


def values(rows: list[str]) -> tuple[float | None, ...]:
    """Originals a, b, c, ..., as many as released records, each of which is a set of them."""
    letters = tuple("abcdefgh"[: len(rows)])
    classes = [Class((frozenset(row),), (), ((),) * n) for row, n in Counter(rows).items()]
    page = ReferenceRelease(tuple((letter,) for letter in letters), tuple(classes), (Base(letters),), 1)
    return tuple(each.textbook(page) for each in NOTIONS)


def test_too_many_pairs_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    release = frame(PERSON + RELEASES["2-anonymity"], "race", "zip")
    columns = {"race": {"role": "quasi", "hierarchy": Hierarchy.from_rows(RACE)}, "zip": "quasi"}
    original = frame(ORIGINAL, "race", "zip")

    def measured() -> Any:
        return incrowd.measure(original, [release], columns=columns, metrics=NAMES).releases[0].readings

    monkeypatch.setattr(_consistency, "MOST_EDGES", 3)
    assert measured()["global_one_k"].why == "too many consistent pairs of distinct records to match (4)"
    assert measured()["k_k"].value == 2
    monkeypatch.setattr(_consistency, "MOST_PAIRS", 7)
    assert {each.value for each in measured().values()} == {None}
    assert "(4 x 2)" in measured()["one_k"].why


def test_without_scipy_the_others_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_consistency, "find_spec", lambda name: None)
    found = incrowd.measure(frame(ORIGINAL, "race", "zip"), [frame(ORIGINAL, "race", "zip")], columns=["race", "zip"])
    readings = found.releases[0].readings
    assert readings["global_one_k"].why == "matching needs SciPy; install incrowd[table]"
    assert readings["one_k"].value == 1


def test_sets_of_more_than_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of 150 numbers, each on its own and all pairs at once or summed up by bits: the same, and as counted."""
    ends = [(low, min(149, low + low % 7 + 1)) for low in range(0, 150, 2)]
    original = pa.table({"n": [str(n) for n in range(150)]})
    release = frame([(f"{low}-{high}",) for low, high in ends for _ in range(2)], "n")
    people = [2 * sum(low <= n <= high for low, high in ends) for n in range(150)]
    rows = [high - low + 1 for low, high in ends]

    def measured() -> list[float | None]:
        found = incrowd.measure(original, [release], columns=["n"], metrics=NAMES[:3]).releases[0].readings
        return [found[name].value for name in NAMES[:3]]

    least = min(n for n in people if n)
    assert measured() == [least, min(rows), min(least, *rows)]
    monkeypatch.setattr(_consistency, "MOST_EDGES", 10)
    assert measured() == [least, min(rows), min(least, *rows)]
