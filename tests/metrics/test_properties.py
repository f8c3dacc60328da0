"""Every metric on random tables: equal to its textbook, and true to what it tells a search."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.families import members
from incrowd.metrics import Columns, Generalized, Levels, Metric
from incrowd.metrics.queries import Queries
from metrics.by_hand import bound, levels_of, node, records
from strategies_lattice import laid_tables

METRICS: dict[str, Metric] = {name: module.METRIC() for name, module in members("metrics", "METRIC").items()}
METRICS["queries"] = Queries(size=12)

ROUNDING = 1e-9
LOOSE = ("queries",)
"""Their errors fall on some ways up: a bound that never falls cannot be exact."""


def some_of(data: st.DataObject, classes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Any of the classes."""
    return np.array(data.draw(st.lists(st.booleans(), min_size=len(classes), max_size=len(classes))), dtype=np.bool_)


def some_node(data: st.DataObject, columns: Columns) -> Generalized:
    """Any node with any of its classes kept."""
    levels = data.draw(st.sampled_from(list(levels_of(columns))))
    return node(columns, levels, lambda sizes: some_of(data, sizes), data.draw(st.integers(0, 9)))


@given(data=st.data(), columns=laid_tables())
def test_the_score_is_the_textbook_s(data: st.DataObject, columns: Columns) -> None:
    seen = some_node(data, columns)
    by_record = records(columns, seen)
    for name, metric in METRICS.items():
        expected = metric.textbook(by_record, seen.levels, columns)
        assert metric.prepare(columns).score(seen) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING), name


@given(data=st.data(), columns=laid_tables())
def test_any_combination_speaks_for_its_class(data: st.DataObject, columns: Columns) -> None:
    seen = some_node(data, columns)
    other = node(columns, seen.levels, lambda _: seen.kept, data.draw(st.integers(0, 9)))
    for name, metric in METRICS.items():
        score = metric.prepare(columns)
        assert score.score(other) == pytest.approx(score.score(seen), rel=ROUNDING, abs=ROUNDING), name
        assert score.penalty(other, ~seen.kept) == pytest.approx(score.penalty(seen, ~seen.kept), abs=ROUNDING), name


@given(data=st.data(), columns=laid_tables())
def test_no_node_scores_less_than_its_bound(data: st.DataObject, columns: Columns) -> None:
    scores = {name: metric.prepare(columns) for name, metric in METRICS.items()}
    for levels in levels_of(columns):
        whole = node(columns, levels)
        some = Generalized(levels, whole.sizes, some_of(data, whole.sizes), whole.origins)
        none = Generalized(levels, whole.sizes, ~whole.kept, whole.origins)
        for name, score in scores.items():
            # Without any tolerance: rounding has its place in the bound.
            assert bound(score, levels) <= min(score.score(seen) for seen in (whole, some, none)), name


@given(data=st.data(), columns=laid_tables())
def test_bounds_and_penalties_are_exact_where_they_can_be(data: st.DataObject, columns: Columns) -> None:
    """Nothing is lost at the top, where all records are one class; anything may be lost at the bottom."""
    assume(columns.records)
    bottom, *_, top = levels_of(columns)
    whole, some = node(columns, top), node(columns, bottom, lambda sizes: some_of(data, sizes))
    for name, metric in METRICS.items():
        if name in LOOSE:
            continue
        score = metric.prepare(columns)
        assert score.score(whole) == pytest.approx(bound(score, top), rel=ROUNDING, abs=ROUNDING), name
        expected = bound(score, bottom) + score.penalty(some, ~some.kept)
        assert score.score(some) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING), name


@given(columns=laid_tables())
def test_bounds_never_fall_on_the_way_up(columns: Columns) -> None:
    for name, metric in METRICS.items():
        score = metric.prepare(columns)
        for part, ladder in zip(score.parts, columns.ladders, strict=True):
            assert len(part) == ladder.height + 1, name
            assert all(low <= high for low, high in pairwise(part)), name
        totals = [sum(p[level] for p, level in zip(score.parts, at, strict=True)) for at in levels_of(columns)]
        assert all(low <= high for low, high in pairwise(score.bound(np.sort(totals)))), name


def lies_below(low: Levels, high: Levels) -> bool:
    return all(a <= b for a, b in zip(low, high, strict=True))


@given(data=st.data(), columns=laid_tables(most_levels=2), k=st.integers(1, 12))
def test_what_is_lost_costs_no_less_below(data: st.DataObject, columns: Columns, k: int) -> None:
    """k-anonymity absorbs: a class that has k records or more has them on higher levels as well."""
    counted = {levels: node(columns, levels, lambda sizes: sizes >= k) for levels in levels_of(columns)}
    # A model that is stricter than what is known to be necessary suppresses more.
    fewer = {
        levels: Generalized(levels, seen.sizes, seen.kept & some_of(data, seen.sizes), seen.origins)
        for levels, seen in counted.items()
    }
    for name, metric in METRICS.items():
        score = metric.prepare(columns)
        penalties = {levels: score.penalty(seen, ~seen.kept) for levels, seen in counted.items()}
        for low, seen in counted.items():
            least = bound(score, low)
            above = max(penalty for high, penalty in penalties.items() if lies_below(low, high))
            slack = ROUNDING * max(1.0, abs(least))
            assert score.score(seen) >= least + above - slack, name
            assert score.score(fewer[low]) >= least + above - slack, name


@given(columns=laid_tables())
def test_nothing_lost_adds_nothing(columns: Columns) -> None:
    seen = [node(columns, levels) for levels in levels_of(columns)]
    for name, metric in METRICS.items():
        score = metric.prepare(columns)
        assert {score.penalty(each, ~each.kept) for each in seen} == {0.0}, name


@given(data=st.data(), columns=laid_tables())
def test_classes_without_records_do_not_matter(data: st.DataObject, columns: Columns) -> None:
    seen = some_node(data, columns)
    flipped = Generalized(seen.levels, seen.sizes, seen.kept ^ (seen.sizes == 0), seen.origins)
    for name, metric in METRICS.items():
        score = metric.prepare(columns)
        assert score.score(flipped) == pytest.approx(score.score(seen)), name
        assert score.penalty(flipped, ~flipped.kept) == pytest.approx(score.penalty(seen, ~seen.kept)), name
