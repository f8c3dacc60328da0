"""Microaggregation: MDAV as it is written, safe under every model, the same on every run."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import LocalSearch, NothingFound, Problem
from incrowd.searches._clusters import threads
from incrowd.searches.microaggregation import Microaggregation
from incrowd.watch import Watch
from searches.chosen import groups_of
from searches.clusters_by_record import Mdav, as_told, told
from searches.local_problems import (
    PLAIN_PROBLEMS,
    is_safe,
    is_whole,
    local_problem,
    local_problems,
    numbers,
    records_of,
)
from searches.problems import Ticks

SEARCHES = st.builds(Microaggregation, block=st.sampled_from([None, 1, 8]))


@given(problem=PLAIN_PROBLEMS, k=st.integers(2, 6))
@settings(max_examples=60)
def test_groups_are_those_of_the_algorithm_as_it_is_written(problem: Problem, k: int) -> None:
    problem = replace(problem, model=KAnonymity(k), budget=0)
    groups = groups_of(Microaggregation(block=None).run(problem, Watch()))
    if groups is None:
        assert problem.frequencies.records < k
    else:
        expected = told(problem, Mdav(problem, k).clusters())
        assert as_told([records for _, records in records_of(groups)]) == expected


@given(problem=local_problems(), search=SEARCHES)
def test_every_group_satisfies_every_model(problem: Problem, search: Microaggregation) -> None:
    groups = groups_of(search.run(problem, Watch()))
    if groups is not None:
        assert is_whole(groups)
        assert is_safe(problem, groups)


@given(problem=local_problems(), search=SEARCHES, ticks=st.integers(0, 8))
def test_stopped_at_any_time_the_groups_are_safe(problem: Problem, search: Microaggregation, ticks: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "SLICE", 30)
        patch.setattr(threads, "processors", lambda: 1)
        groups = groups_of(search.run(problem, Ticks(ticks)))
    if groups is not None:
        assert is_whole(groups)
        assert is_safe(problem, groups)


@given(problem=local_problems(), search=SEARCHES)
@settings(max_examples=20)
def test_the_number_of_threads_changes_nothing(problem: Problem, search: Microaggregation) -> None:
    with pytest.MonkeyPatch.context() as patch:
        told_by = []
        for processors in (1, 3):
            patch.setattr(threads, "processors", lambda number=processors: number)
            groups = groups_of(search.run(problem, Watch()))
            told_by.append(groups and records_of(groups))
        assert told_by[0] == told_by[1]


def test_outer_records_come_first() -> None:
    rows: list[dict[str, str | None]] = [{"a": str(a)} for a in (0, 1, 2, 10, 11, 12, 20, 21, 22)]
    groups = groups_of(Microaggregation().run(local_problem(rows, {"a": numbers}, KAnonymity(3)), Watch()))
    assert groups is not None
    found = {frozenset(int(cell or 0) for (cell,) in records) for _, records in records_of(groups)}
    assert found == {frozenset({0, 1, 2}), frozenset({10, 11, 12}), frozenset({20, 21, 22})}


def test_sizes_are_k_to_2k() -> None:
    rng = np.random.default_rng(3)
    rows: list[dict[str, str | None]] = [{"a": str(int(a)), "b": str(int(b))} for a, b in rng.integers(0, 99, (305, 2))]
    problem = local_problem(rows, {"a": numbers, "b": numbers}, KAnonymity(10))
    outcome = Microaggregation(block=None).run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    sizes = np.bincount(outcome.groups.group, weights=outcome.groups.counts)
    assert sorted(set(sizes.tolist())) == [10, 15]


def test_small_tables() -> None:
    for rows, groups in (([], 0), ([{"a": None}] * 5, 1), ([{"a": "1"}] * 9, 2)):
        found = groups_of(Microaggregation().run(local_problem(rows, {"a": numbers}, KAnonymity(4)), Watch()))
        assert found is not None
        assert found.n == groups
    few = local_problem([{"a": "1"}] * 3, {"a": numbers}, KAnonymity(4))
    assert isinstance(Microaggregation().run(few, Watch()), NothingFound)


def test_what_a_search_says_of_itself() -> None:
    assert isinstance(Microaggregation(), LocalSearch)
    assert not Microaggregation().needs_sensitive
    with pytest.raises(UsageError, match="block of microaggregation is 'all'"):
        Microaggregation(block="all")  # type: ignore[arg-type]
