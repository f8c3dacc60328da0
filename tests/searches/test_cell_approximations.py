"""The approximations stay within the bound that they state, and never wipe fewer cells than are needed."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.metrics.loss import Loss
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound, forest, greedy_cover
from incrowd.searches.fewest_cells import FewestCells
from incrowd.searches.forest import Forest
from incrowd.searches.greedy_cover import GreedyCover
from incrowd.watch import Watch
from searches.cells_by_hand import Cells, is_k_anonymous, of_records, published, wipeable
from searches.own_levels import shuffled
from searches.problems import Row, Ticks, problem
from searches.test_optimal import adult, on_adult

__all__ = ["adult"]

SEARCHES: list[Any] = [Forest, GreedyCover]
CELL = st.sampled_from(["u", "v", "w", None])
ROWS = st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), min_size=1, max_size=14))
WEIGHTS = st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=4, max_size=4)


def cost(rows: list[tuple[Cells, tuple[bool, ...]]], weights: tuple[float, ...]) -> float:
    return float(sum(np.array(weights)[list(flags)].sum() for _, flags in rows))


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=60, deadline=None)
@given(records=ROWS, k=st.integers(1, 4), numbers=WEIGHTS)
def test_within_its_bound(search: Any, records: list[Cells], k: int, numbers: list[float]) -> None:
    weights = tuple(numbers[: len(records[0])])
    asked = of_records(records, KAnonymity(k), priorities=weights)
    outcome = search().run(asked, Watch())
    if len(records) < k:
        assert isinstance(outcome, NothingFound)
        return
    rows = published(asked, outcome)
    assert len(rows) == len(records)
    assert is_k_anonymous(rows, k)
    best = cost(published(asked, FewestCells().run(asked, Watch())), weights)
    assert best - 1e-9 <= cost(rows, weights) <= outcome.details["bound"] * best + 1e-9


@pytest.mark.parametrize(("search", "bound"), [(Forest, 6), (GreedyCover, 4 * (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5))])
def test_the_bound_is_told(search: Any, bound: float) -> None:
    outcome = search().run(of_records([("u",)] * 3, KAnonymity(3)), Watch())
    assert outcome.details == {"wiped": 0, "wiped_by_column": {"c0": 0}, "bound": pytest.approx(bound)}


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=15, deadline=None)
@given(records=ROWS, random=st.randoms())
def test_the_order_of_counting_does_not_matter(search: Any, records: list[Cells], random: Any) -> None:
    asked = of_records(records, KAnonymity(2))
    order = list(range(asked.frequencies.combinations))
    random.shuffle(order)
    one, two = (search().run(each, Watch()) for each in (asked, shuffled(asked, order)))
    assert one.details == two.details


@pytest.mark.parametrize("search", SEARCHES)
def test_stopped_all_records_are_one_group(search: Any) -> None:
    records: list[Cells] = [("u", "u"), ("u", "v"), ("v", "v")]
    asked = of_records(records, KAnonymity(2))
    outcome = search().run(asked, Ticks(0))
    assert outcome.stopped == "interrupted"
    assert "bound" not in outcome.details
    assert is_k_anonymous(published(asked, outcome), 2)


@pytest.mark.parametrize(("search", "module"), [(Forest, forest), (GreedyCover, greedy_cover)])
def test_where_the_bound_does_not_hold_it_is_refused(search: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [{"a": "u", "disease": "x"}, {"a": "v", "disease": "x"}]
    with pytest.raises(UsageError, match="it supports only the model k_anonymity"):
        search().run(problem(rows, {"a": wipeable("uv")}, DistinctL(2, column="disease")), Watch())
    with pytest.raises(UsageError, match="column 'a' must not reach its top"):
        search().run(problem(rows, {"a": wipeable("uv")}, KAnonymity(2), limit=(0,)), Watch())
    monkeypatch.setattr(module, "_MOST", 1)
    with pytest.raises(UsageError, match="2 different combinations; the limit is 1; choose local_suppression"):
        search().run(problem(rows, {"a": wipeable("uv")}, KAnonymity(2)), Watch())


@pytest.mark.parametrize("search", SEARCHES)
def test_empty(search: Any) -> None:
    outcome = search().run(problem([], {"a": wipeable("uv")}, KAnonymity(2)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.details["wiped"] == 0


@pytest.mark.parametrize("search", SEARCHES)
def test_adult(adult: FrequencySet, search: Any) -> None:
    """No release wipes fewer than 1,048 cells (fewest_cells)."""
    outcome = search().run(
        on_adult(adult, ("sex", "age", "race", "marital-status"), KAnonymity(3), Loss(), 0.0), Watch()
    )
    assert not isinstance(outcome, NothingFound)
    assert (outcome.node.smallest, outcome.node.suppressed) == (3, 0)
    assert 1048 <= outcome.details["wiped"] <= 1500
