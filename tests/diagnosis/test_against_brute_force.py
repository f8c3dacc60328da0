"""Every question on random small tables: the Diagnosis Centre says what the definitions say."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import (
    CLASSES,
    OVER_ALL_SETS,
    QUESTIONS,
    WILDCARDS,
    WITH_AT_MOST,
    WITHOUT_SUPPRESSION,
    Given,
    all_sets,
    class_sizes,
    expected,
    givens,
    judged,
    k_of,
    largest,
    opened,
    small_tables,
    smallest,
)
from incrowd.core import kernels as chosen_kernels
from strategies import Row

EVERY_QUESTION = [
    (question, nulls, at_most)
    for question in QUESTIONS
    for nulls in (*CLASSES, *WILDCARDS)
    for at_most in (False, True)
    if (nulls in CLASSES or question in WITHOUT_SUPPRESSION) and (question in WITH_AT_MOST or not at_most)
]
KERNELS = ("Numbering", "Refiner", "Tally", "scatter", "total")
BUILDS = [kind for kind in ("compiled", "checked", "numpy_kernels") if find_spec(f"incrowd.core.kernels.{kind}")]

every_question = pytest.mark.parametrize(("question", "nulls", "at_most"), EVERY_QUESTION)


def as_set(answer: Any) -> Any:
    """An answer in which neither the order of sets nor that of columns in a set matters."""
    if isinstance(answer, list):
        return frozenset(as_set(row) for row in answer)
    if isinstance(answer, dict):
        return frozenset((name, as_set(value)) for name, value in answer.items())
    return answer


@contextmanager
def kernels(kind: str) -> Iterator[None]:
    """Other kernels in every module that uses some."""
    others = import_module(f"incrowd.core.kernels.{kind}")
    with pytest.MonkeyPatch.context() as patch:
        for module in [module for name, module in sys.modules.items() if name.startswith("incrowd.")]:
            for name in KERNELS:
                if module is not chosen_kernels and getattr(module, name, None) is getattr(chosen_kernels, name):
                    patch.setattr(module, name, getattr(others, name))
        yield


@every_question
@settings(max_examples=25)
@given(data=st.data())
def test_answers_follow_the_definitions(question: str, nulls: str, at_most: bool, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    asked = data.draw(givens(question, columns, at_most))
    answer = opened(rows, columns, nulls).ask(**asked.arguments())
    assert answer.question == question
    assert answer.complete
    assert answer.answer == expected(rows, columns, asked, nulls)
    assert answer.records == len(rows)
    assert answer.evaluations <= (len(all_sets(columns, asked.max_size)) if asked.quasi is None else 1)
    if asked.quasi and nulls == "basic":
        assert answer.set_aside == len(rows) - len(judged(rows, asked.quasi, nulls))


@pytest.mark.parametrize("nulls", [*CLASSES, *WILDCARDS])
@pytest.mark.parametrize("at_most", [False, True])
@settings(max_examples=25)
@given(table=small_tables(), k=st.integers(1, 7))
def test_the_other_border_of_question_3(table: Any, nulls: str, at_most: bool, k: int) -> None:
    columns, rows = table
    of_set = {names: k_of(rows, names, nulls) for names in all_sets(columns)}
    plain = opened(rows, columns, nulls).ask(k=k, at_most=at_most).to_dict()
    if at_most:
        assert plain["largest_safe"] == largest([names for names in of_set if of_set[names] > k])
    else:
        assert plain["smallest_unsafe"] == smallest([names for names in of_set if of_set[names] < k])


@pytest.mark.parametrize("nulls", CLASSES)
@pytest.mark.parametrize("question", ["Q4", "Q8", "Q10", "Q12"])
@settings(max_examples=25)
@given(data=st.data())
def test_the_smallest_sets_that_single_somebody_out_or_leave_nothing(
    question: str, nulls: str, data: st.DataObject
) -> None:
    columns, rows = data.draw(small_tables(fewest_rows=1))
    asked = data.draw(givens(question, columns))
    sizes = {names: class_sizes(rows, names, nulls) for names in all_sets(columns, asked.max_size)}

    def at_the_border(names: tuple[str, ...]) -> bool:
        if question in ("Q4", "Q8"):
            return k_of(rows, names, nulls, asked.suppress) <= 1
        if question == "Q10":
            assert asked.k is not None
            return max(sizes[names], default=0) < asked.k
        return max(sizes[names], default=0) < 2 <= asked.up_to

    plain = opened(rows, columns, nulls).ask(**asked.arguments()).to_dict()
    assert plain["smallest_unsafe"] == smallest([names for names in sizes if at_the_border(names)])


LONELY_AND_INCOMPLETE = [
    # {a, b, c} is safe for k = 2 though {b} and {a, b} are not: whoever stands alone misses a cell of it.
    [("1", "1", "1"), ("1", "1", "1"), ("1", "2", None), ("1", None, "2")],
    [("1", "1", "1"), ("1", "1", "1"), ("2", None, "1"), (None, "2", "1"), ("1", "1", None)],
    [("1", "1", "1")] * 3 + [("2", "2", None)] * 2 + [(None, "1", "2"), ("2", None, "2")],
]


@pytest.mark.parametrize("cells", LONELY_AND_INCOMPLETE)
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("share", [None, "0", "0.25"])
@pytest.mark.parametrize("at_most", [False, True])
def test_basic_matching_may_be_safe_again_with_more_columns(
    cells: list[tuple[str | None, ...]], k: int, share: str | None, at_most: bool
) -> None:
    """The random tables seldom have this, and it is where pruning would go wrong."""
    rows: list[Row] = [dict(zip("abc", record, strict=True)) for record in cells]
    asked = Given(k=k, suppress=share, at_most=at_most)
    assert opened(rows, "abc", "basic").ask(**asked.arguments()).answer == expected(rows, "abc", asked, "basic")


@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=15)
@given(data=st.data())
def test_the_order_of_rows_and_columns_is_no_matter(question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    nulls = data.draw(st.sampled_from([*CLASSES, *(WILDCARDS if question in WITHOUT_SUPPRESSION else ())]))
    asked = data.draw(givens(question, columns, question in WITH_AT_MOST and data.draw(st.booleans())))
    rows_shuffled = data.draw(st.permutations(rows))
    columns_shuffled = data.draw(st.permutations(columns))
    arguments = asked.arguments()
    answer = as_set(opened(rows, columns, nulls).ask(**arguments).answer)
    assert as_set(opened(rows_shuffled, columns, nulls).ask(**arguments).answer) == answer
    shuffled = arguments | {"quasi": asked.quasi and data.draw(st.permutations(asked.quasi))}
    assert as_set(opened(rows, columns_shuffled, nulls).ask(**shuffled).answer) == answer


@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=10)
@given(data=st.data())
def test_all_kernels_give_the_same(question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    nulls = data.draw(st.sampled_from([*CLASSES, *(WILDCARDS if question in WITHOUT_SUPPRESSION else ())]))
    asked = data.draw(givens(question, columns))
    first, *others = BUILDS
    with kernels(first):
        answer = opened(rows, columns, nulls).ask(**asked.arguments()).to_dict()
    for kind in others:
        with kernels(kind):
            assert opened(rows, columns, nulls).ask(**asked.arguments()).to_dict() == answer


def test_other_kernels_are_really_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.core.kernels import numpy_kernels as plain

    used: list[str] = []

    class Refiner(plain.Refiner):
        def sizes(self, *arguments: Any) -> Any:
            used.append("sizes")
            return super().sizes(*arguments)

    monkeypatch.setattr(plain, "Refiner", Refiner)
    with kernels("numpy_kernels"):
        opened([{"a": "1", "b": "2"}] * 3, ["a", "b"]).ask()
    assert used == ["sizes"] * 3


@settings(max_examples=40)
@given(table=small_tables(), data=st.data())
def test_questions_in_any_order_share_one_count(table: Any, data: st.DataObject) -> None:
    columns, rows = table
    diagnosis = opened(rows, columns)
    for question in data.draw(st.lists(st.sampled_from(list(QUESTIONS)), max_size=4)):
        asked = data.draw(givens(question, columns))
        assert diagnosis.ask(**asked.arguments()).answer == expected(rows, columns, asked, "extended")


@pytest.mark.parametrize("question", OVER_ALL_SETS)
@settings(max_examples=15)
@given(data=st.data())
def test_among_fewer_columns(question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    among = columns[: data.draw(st.integers(1, len(columns)))]
    asked = data.draw(givens(question, among))
    diagnosis = opened(rows, columns)
    fewer = type(diagnosis)(diagnosis.source, among)
    assert fewer.ask(**asked.arguments()).answer == expected(rows, among, asked, "extended")
    assert fewer.k([columns[-1]]) == k_of(rows, [columns[-1]])
