"""Associations of columns: by hand, at the edges, and as the textbook has them."""

from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.release_metrics import associations as module
from incrowd.release_metrics.association_change import AssociationChange
from incrowd.release_metrics.associations import associations, cramer
from metrics.pages import Example, Told, reading

NUMBERS, SET = Told("numbers"), Told("set")


def of(example: Example) -> dict[tuple[str, str], tuple[float, float]]:
    """The associations before and after, by pair."""
    return {(each.first, each.second): (each.original, each.release) for each in associations(example.released())}


def test_pearson_by_hand() -> None:
    """Ages 1, 2, 3, 6 and incomes 2, 4, 6, 4: r = 4 / sqrt(14 * 8)."""
    rows = [(1, 2), (2, 4), (3, 6), (6, 4)]
    alone = Example({"age": NUMBERS, "income": NUMBERS}, rows, [0, 1, 2, 3])
    [(before, after)] = of(alone).values()
    assert before == after == pytest.approx(4 / sqrt(14 * 8))


def test_eta_by_hand() -> None:
    """Groups 1, 3 and 5, 7: the variance between them is 4 of 5."""
    alone = Example({"town": SET, "age": NUMBERS}, [("a", 1), ("a", 3), ("b", 5), ("b", 7)], [0, 1, 2, 3])
    [(before, after)] = of(alone).values()
    assert before == after == pytest.approx(sqrt(4 / 5))


def test_cramer_by_hand() -> None:
    """chi squared of [[3, 1], [1, 3]] is 2, of 8 records: V = 0.5."""
    assert cramer(np.array([[3.0, 1.0], [1.0, 3.0]])) == pytest.approx(0.5)
    assert cramer(np.array([[5.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])) == pytest.approx(1)


@pytest.mark.parametrize("table", [[[4.0, 3.0]], [[4.0], [3.0]], [[2.0, 4.0], [3.0, 6.0]], [[0.0, 0.0], [2.0, 5.0]]])
def test_no_association(table: list[list[float]]) -> None:
    assert cramer(np.array(table)) == 0


def test_a_cell_counts_as_each_value_that_it_covers() -> None:
    """All towns in one set: whatever depended on the town no longer does."""
    rows = [("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")]
    together = Example({"town": SET}, rows, [0, 0, 0, 0], {"illness": SET})
    [(before, after)] = of(together).values()
    assert before == pytest.approx(1)
    assert after == 0


def test_records_that_lack_one_of_the_two_are_not_looked_at() -> None:
    rows = [(1, 1), (2, 2), (3, 3), (None, 9), (7, None)]
    alone = Example({"age": NUMBERS, "income": NUMBERS}, rows, [0, 1, 2, 3, 4])
    [(before, _)] = of(alone).values()
    assert before == pytest.approx(1)


def test_a_column_that_does_not_vary_has_none() -> None:
    example = Example({"age": NUMBERS, "town": SET}, [(5, "a"), (5, "b"), (5, "a")], [0, 1, 2])
    assert list(of(example).values()) == [(0.0, 0.0)]
    assert reading(AssociationChange(), example) == 0


@pytest.mark.parametrize(
    ("example", "why"),
    [
        (Example({"age": NUMBERS, "town": SET}, [(1, "a"), (2, "b")], [-1, -1]), "nothing is published"),
        (Example({"age": NUMBERS}, [(1,), (2,)], [0, 1]), "fewer than two columns with values"),
        (
            Example({"age": NUMBERS, "town": SET}, [(1, None), (None, "b")], [0, 1]),
            "fewer than two columns with values",
        ),
    ],
)
def test_nothing_to_say(example: Example, why: str) -> None:
    assert reading(AssociationChange(), example) is None
    assert AssociationChange().measure(example.released()).why == why


def test_the_parts_are_the_associations_of_each_pair() -> None:
    example = Example({"age": NUMBERS, "town": SET}, [(1, "a"), (2, "a"), (8, "b"), (9, "b")], [0, 0, 1, 1])
    found = AssociationChange().measure(example.released())
    assert found.parts.keys() == {"age and town"}
    assert found.parts["age and town"]["release"] == pytest.approx(1)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), size=st.integers(1, 9))
def test_large_tables_in_parts(seed: int, size: int) -> None:
    """Many cells are processed part by part, and counted by sorting, with the same result."""
    chance = Random(seed)
    rows = [(chance.randint(0, 30), chance.choice("abcdefgh"), chance.choice("xyz")) for _ in range(60)]
    example = Example({"age": NUMBERS, "town": SET}, rows, [at // size for at in range(60)], {"illness": SET})
    whole = of(example)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_AT_ONCE", 7)
        patched.setattr(module, "_DENSE", 0)
        parts = of(example)
    for pair, values in whole.items():
        assert parts[pair] == pytest.approx(values, abs=1e-12)
    assert reading(AssociationChange(), example) is not None


def test_rare_values_count_as_one() -> None:
    """More values than are distinguished: those beyond are one, in the fast form as in the textbook."""
    rows = [(f"v{at % 70}", at % 2) for at in range(200)]
    example = Example({"town": SET, "sex": NUMBERS}, rows, [at // 4 for at in range(200)])
    assert reading(AssociationChange(), example) is not None
