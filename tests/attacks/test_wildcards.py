"""Missing cells as wildcards, against brute force over all persons."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.cells import DOMAINS, Row, counted, target
from incrowd.attacks.wildcards import Wildcards
from incrowd.core.schema import Nulls
from incrowd.models.k_anonymity import KAnonymity
from incrowd.watch import Watch

CELLS = st.tuples(*[st.sampled_from(["a", "b", None])] * 3)


def attacked(records: list[Row], k: int, nulls: Nulls = Nulls.MAYBE) -> Any:
    """What the fast form finds."""
    [exposure] = Wildcards(k).on(replace(target(records, ()), nulls=nulls), Watch())
    return exposure


@settings(max_examples=60)
@given(st.lists(CELLS, max_size=9), st.integers(1, 4))
def test_against_every_person(records: list[Row], k: int) -> None:
    assert attacked(records, k).records == Wildcards(k).textbook(records)


@settings(max_examples=40)
@given(st.lists(CELLS, max_size=5), st.integers(1, 4))
def test_nobody_is_exposed_where_k_equal_records_are_demanded(records: list[Row], k: int) -> None:
    crowd = [row for row in records for _ in range(k)]
    assert bool(KAnonymity(k).holds(counted(list(DOMAINS), crowd).classes(list(DOMAINS))).all())
    assert attacked(crowd, k).records == 0


def test_worked_by_hand() -> None:
    """FX-ANON-3: by `maybe` every record has two matches or more; equal are two of the five alone."""
    records: list[Row] = [("a", "1", "*"), ("a", None, "*"), ("b", "1", "*"), (None, None, "*"), ("a", "1", "*")]
    found = attacked(records, 2)
    assert (found.records, found.classes) == (3, 3)
    assert found.worst.size == 1
    assert found.worst.told == "5 records match it, and 1 equal it"
    # By `right_maybe` the fourth has itself alone: it is exposed without any attack on missing cells.
    assert attacked(records, 2, Nulls.RIGHT_MAYBE).records == 2


def test_of_wiped_cells_the_release_alone_does_not_tell() -> None:
    [found] = Wildcards(2).on(replace(target([("a", "1", "*"), ("a", "1", "b")], ()), wiped=True), Watch())
    assert (found.records, found.classes) == (None, None)
    assert "--with" in found.why
