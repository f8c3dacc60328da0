"""K-Members with Range Diversity as its objective: as the definitions say, record by record, and its edges."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.models import Reference
from incrowd.models._ranges_by_definition import TextRanges
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches import NothingFound, Outcome, Problem
from incrowd.searches._clusters import threads
from incrowd.searches.k_members import KMembers
from incrowd.watch import Watch
from local.tables import assert_whole
from local.test_guaranteed import MODELS, table_5_1
from local.thesis_tables import LEAVES, problems
from searches.chosen import groups_of
from searches.clusters_by_record import KMembers as ByRecord
from searches.clusters_by_record import Record, as_told, in_order, told
from searches.local_problems import records_of
from searches.problems import Ticks

ALONE = KMembers(objective="range_diversity", block=None)


class ByRange(ByRecord):
    """The same algorithm; what is kept low is the mean Range Diversity of the judged columns."""

    def __init__(self, problem: Problem, k: int, models: Sequence[RangeDiversity]) -> None:
        super().__init__(problem, k)
        names, values = problem.frequencies.names, problem.frequencies.values
        self.at = [names.index(model.columns[0]) for model in models]
        self.texts = [[None, *map(str, values[at].to_pylist())] for at in self.at]
        paths = {row[0]: row[1:] for row in LEAVES.rows}
        self.ranges = []
        for model, at, texts in zip(models, self.at, self.texts, strict=True):
            everything = Counter((texts[record[at]],) for record in in_order(problem))
            self.ranges.append(TextRanges(model, Reference({model.columns: everything}, {"ward": paths})))

    def loss(self, cluster: Sequence[Record]) -> Fraction:  # type: ignore[override]
        """Records times Range Diversity."""
        each = [
            ranges.range_diversity(Counter(texts[record[at]] for record in cluster))
            for ranges, texts, at in zip(self.ranges, self.texts, self.at, strict=True)
        ]
        return len(cluster) * sum(each, Fraction(0)) / len(each)


@st.composite
def judged(draw: st.DrawFn) -> tuple[Problem, int, list[RangeDiversity]]:
    """A problem whose range_diversity limits nothing."""
    problem = draw(problems(most=10, models=MODELS))
    assert isinstance(problem.model, All)
    size, *limited = problem.model.models
    assert isinstance(size, KAnonymity)
    models = [replace(model, p=1.0) for model in limited if isinstance(model, RangeDiversity)]
    return replace(problem, model=All((size, *models))), size.k, models


def run(problem: Problem, search: KMembers) -> Outcome:
    """What the search finds."""
    with Watch() as watch:
        return search.run(problem, watch)


@settings(max_examples=80)
@given(case=judged(), slices=st.sampled_from([1, 10**6]))
def test_clusters_are_those_of_the_algorithm_as_it_is_written(
    case: tuple[Problem, int, list[RangeDiversity]], slices: int
) -> None:
    problem, k, models = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "SLICE", slices)
        groups = groups_of(run(problem, ALONE))
    if groups is None:
        assert problem.frequencies.records < k
    elif k > 1:
        expected = ByRange(problem, k, models).clusters()
        assert as_told([records for _, records in records_of(groups)]) == told(problem, expected)


@given(problem=problems(models=MODELS, budget=100), block=st.sampled_from([None, 1]), starts=st.integers(1, 3))
def test_every_group_satisfies_every_model(problem: Problem, block: int | None, starts: int) -> None:
    outcome = run(problem, replace(ALONE, block=block, starts=starts))
    assert not isinstance(outcome, NothingFound)
    assert_whole(problem, outcome.groups)


@given(problem=problems(models=MODELS, budget=100), ticks=st.integers(0, 6))
def test_stopped_at_any_time(problem: Problem, ticks: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "SLICE", 1)
        outcome = ALONE.run(problem, Ticks(ticks))
    if not isinstance(outcome, NothingFound):
        assert_whole(problem, outcome.groups)


@given(case=judged())
@settings(max_examples=30)
def test_more_starts_do_not_harm(case: tuple[Problem, int, list[RangeDiversity]]) -> None:
    problem, k, models = case
    reference = ByRange(problem, k, models)
    costs = []
    for starts in (1, 4):
        groups = groups_of(run(problem, replace(ALONE, starts=starts)))
        if groups is None or k == 1:
            return
        code = [{None: 0, **{v: at + 1 for at, v in enumerate(x.to_pylist())}} for x in problem.frequencies.values]
        clusters = [
            [tuple(code[c][cell] for c, cell in enumerate(record)) for record in found.elements()]
            for _, found in records_of(groups)
        ]
        costs.append(sum(map(reference.loss, clusters)))
    assert costs[1] <= costs[0]


def test_without_a_range_diversity_there_is_no_objective() -> None:
    problem = replace(table_5_1(4), model=KAnonymity(2))
    with pytest.raises(UsageError, match="no model is range_diversity; add a range_diversity"):
        run(problem, ALONE)
    assert not ALONE.needs_sensitive
