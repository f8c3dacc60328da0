"""Every combination on its own levels."""

import datetime

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.recodings import RecodingMap
from incrowd.recodings.by_combination import SUPPRESSED, Texts, recode
from incrowd.searches import Problem
from searches.problems import problems
from searches.scored_by_hand import published

COUNTRIES = Hierarchy.from_rows(
    [("Japan", "Asia", "*"), ("Peru", "America", "*"), ("Antarctica", "Antarctica", "*"), (None, "unknown", "*")]
)


def one_column(hierarchy: Hierarchy, values: pa.Array, codes: list[int], levels: list[int]) -> RecodingMap:
    """A recoding of one column."""
    combinations = FrequencySet(("a",), (values,), np.array([codes], dtype=np.int32), np.ones(len(codes), np.int64))
    return recode(combinations, [hierarchy.along("a", values)], np.array([levels], dtype=np.int16))


def cells(recoding: RecodingMap) -> list[str | None]:
    """What the only column publishes."""
    [column] = recoding.columns
    assert column is not None
    return [column.labels[code] for code, kept in zip(column.codes, recoding.kept, strict=True) if kept]


def test_mixed_levels() -> None:
    values = pa.array(["Japan", "Peru", "Antarctica"])
    made = one_column(COUNTRIES, values, [1, 1, 1, 2, 3, 3, 0, 0, 2], [0, 1, 2, 1, 0, 1, 0, 1, SUPPRESSED])
    assert cells(made) == ["Japan", "Asia", "*", "America", "Antarctica", "Antarctica", None, "unknown"]
    assert made.kept.tolist() == [True] * 8 + [False]


def test_equal_texts_are_one_label_whatever_the_level() -> None:
    made = one_column(COUNTRIES, pa.array(["Antarctica", "Peru"]), [1, 1, 2], [0, 1, 1])
    [column] = made.columns
    assert column is not None
    assert column.codes[0] == column.codes[1] != column.codes[2]


def test_only_what_is_published_is_listed() -> None:
    made = one_column(COUNTRIES, pa.array(["Japan", "Peru"]), [1, 2, 2], [1, SUPPRESSED, 1])
    [column] = made.columns
    assert column is not None
    assert set(column.labels) == {"Asia", "America"}


def test_a_column_on_level_0_throughout_stays_as_it_is() -> None:
    made = one_column(COUNTRIES, pa.array(["Japan", "Peru"]), [1, 2], [0, SUPPRESSED])
    assert made.columns == (None,)
    assert made.kept.tolist() == [True, False]


def test_nothing_published() -> None:
    made = one_column(COUNTRIES, pa.array(["Japan"]), [1], [SUPPRESSED])
    assert not made.kept.any()


def test_original_values_become_the_texts_that_hierarchies_name_them_by() -> None:
    numbers = Hierarchy.from_rows([("1", "few"), ("2.5", "few")])
    assert cells(one_column(numbers, pa.array([1.0, 2.5]), [1, 2, 2], [0, 0, 1])) == ["1", "2.5", "few"]
    days = Hierarchy.from_rows([("2020-02-29", "2020")])
    assert cells(one_column(days, pa.array([datetime.date(2020, 2, 29)]), [1, 1], [0, 1])) == ["2020-02-29", "2020"]


def test_texts_in_order() -> None:
    texts = Texts.of(COUNTRIES.along("a", pa.array(["Peru", "Japan"])))
    ranked = sorted(zip(texts.order.tolist(), texts.labels, strict=True))
    assert [label for _, label in ranked] == [None, "*", "America", "Antarctica", "Asia", "Japan", "Peru", "unknown"]


@given(problems(), st.data())
def test_cells_are_what_the_hierarchies_say(given_problem: Problem, data: st.DataObject) -> None:
    combinations = given_problem.frequencies.project(given_problem.quasi)
    levels = np.array(
        [
            [data.draw(st.integers(0, ladder.height)) for _ in range(combinations.combinations)]
            for ladder in given_problem.ladders
        ],
        dtype=np.int16,
    )
    levels[:, [data.draw(st.booleans()) for _ in range(combinations.combinations)]] = SUPPRESSED
    expected = published(given_problem, levels)
    made = recode(combinations, given_problem.ladders, levels)
    assert np.flatnonzero(made.kept).tolist() == list(expected)
    for at, row in expected.items():
        for column, (published_column, cell) in enumerate(zip(made.columns, row, strict=True)):
            if published_column is None:
                assert levels[column, at] == 0
            else:
                assert published_column.labels[published_column.codes[at]] == cell
