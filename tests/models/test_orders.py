"""In which order the values stand for ordered distance."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from gc import collect
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.histograms import Domain
from incrowd.errors import UsageError
from incrowd.models import Block, Reference, parse
from incrowd.models._orders import _RANKS, ranks_of
from models.judging import judged


def domain(values: Sequence[Any], whole: Sequence[int] = (), missing: int = 0, kind: Any = None) -> Domain:
    """A column's values, each once unless said otherwise."""
    counts = np.array([missing, *(whole or [1] * len(values))], dtype=np.int64)
    return Domain(("s",), counts, pa.array(values, kind))


def in_order(values: Sequence[Any], order: tuple[str, ...] = (), kind: Any = None) -> list[Any]:
    """The values sorted by their ranks."""
    ranks = ranks_of(domain(values, kind=kind), order)[1:].tolist()
    assert sorted(ranks) == list(range(len(values)))
    return [value for _, value in sorted(zip(ranks, values, strict=True))]


@pytest.mark.parametrize(
    "values",
    [
        [-5, 0, 3, 20],
        [-5.5, 0.0, 3.25, 1e30],
        [Decimal("-0.5"), Decimal("3.10"), Decimal("20.00")],
        ["-5", "0", " 3.5", "20", "1e3"],
        # More digits than a binary number has.
        ["10000000000000000001", "10000000000000000002"],
        [date(1999, 12, 31), date(2000, 1, 1)],
        [datetime(1999, 12, 31, 23, 59), datetime(2000, 1, 1)],
        [datetime(1999, 12, 31, tzinfo=UTC), datetime(2000, 1, 1, tzinfo=UTC)],
        ["1999-12-31", "2000-01-01", "2000-01-01T08:00"],
        # The same number: then by text.
        ["1", "1.0", "2"],
    ],
    ids=str,
)
@pytest.mark.parametrize("reverse", [False, True])
def test_numbers_and_dates_order_themselves(values: list[Any], reverse: bool) -> None:
    assert in_order(values[::-1] if reverse else values) == values


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["low", "high"], None),
        (["1", "high"], None),
        (["nan", "1"], None),
        (["01.02.2003", "02.01.2003"], None),
        # One has a time zone.
        (["2000-01-01T00:00", "2000-01-01T00:00+01:00"], None),
        ([True, False], None),
        ([1, 2], pa.duration("s")),
    ],
    ids=str,
)
def test_others_need_an_order(values: list[Any], kind: Any) -> None:
    with pytest.raises(UsageError, match=r"neither all numbers nor all dates .*; give their order, lowest first"):
        ranks_of(domain(values, kind=kind), ())


def test_the_order_that_is_given() -> None:
    assert in_order(["high", "low", "some"], ("low", "some", "much", "high")) == ["low", "some", "high"]
    assert in_order([1, 2, 3], ("3", "2", "1")) == [3, 2, 1]
    assert in_order([1.0, 2.5], ("2.5", "1")) == [2.5, 1.0]
    assert in_order([True, False], ("False", "True")) == [False, True]


def test_an_order_that_lacks_values_is_refused_without_naming_them() -> None:
    with pytest.raises(UsageError, match="lacks 2 of 3 different values; list all of them, lowest first") as refused:
        ranks_of(domain(["low", "secret", "hidden"]), ("low", "high"))
    assert "secret" not in str(refused.value)


def test_only_what_occurs_in_the_table_has_a_rank() -> None:
    assert ranks_of(domain([30, 10, 20], whole=[1, 0, 1]), ()).tolist() == [-1, 1, -1, 0]
    # What does not occur need not be listed, or be a number.
    assert ranks_of(domain(["30", "x", "20"], whole=[1, 0, 1]), ()).tolist() == [-1, 1, -1, 0]


def test_missing_comes_last() -> None:
    assert ranks_of(domain([30, 10], missing=4), ()).tolist() == [2, 1, 0]


def test_ranks_are_forgotten_with_the_domain() -> None:
    collect()
    values = domain([1, 2])
    before = len(_RANKS)
    assert ranks_of(values, ()) is ranks_of(values, ())
    assert len(_RANKS) == before + 1
    del values
    collect()
    assert len(_RANKS) == before


def test_distance_to_missing() -> None:
    # Of 1, 2, missing the class has 1: a third goes one step of two, a third both.
    table = judged(["1"], elsewhere=["2", None])
    model = parse("t_closeness:t=0.5,column=s,distance=ordered")
    assert model.strength(table.classes) == pytest.approx(0.5)
    assert table.holds(model) == table.textbook(model) == [True]


def test_one_value_is_no_distance_from_itself() -> None:
    table = judged(["7", "7"])
    model = parse("t_closeness:t=0,column=s,distance=ordered")
    assert table.holds(model) == table.textbook(model) == [True]


def test_hierarchical_distance_needs_a_hierarchy() -> None:
    classes = judged(["7", "7"]).classes
    histogram = classes.histograms["s",]
    bare = type(histogram)(domain(["7"]), histogram.starts, histogram.values, histogram.counts)
    model = parse("t_closeness:t=0,column=s,distance=hierarchical")
    with pytest.raises(UsageError, match="column 's': the column has no hierarchy; give it one, or choose another"):
        model.holds(type(classes)(classes.sizes, {("s",): bare}))


@given(st.permutations(["low", "some", "much", "most"]), st.lists(st.sampled_from(["low", "some", "much"]), min_size=1))
def test_the_given_order_by_definition(order: list[str], records: list[str]) -> None:
    table = judged(records, elsewhere=["low", "some", "much", "most"])
    for t in (0.1, 0.2, 0.3, 0.4, 0.5):
        model = parse(f"t_closeness:t={t},column=s,distance=ordered,order={'/'.join(order)}")
        assert table.holds(model) == table.textbook(model)
        relaxed = model.relaxed()
        assert relaxed is not None
        assert table.holds(relaxed) == table.textbook(relaxed)


def test_verification_reads_orders_as_the_search_does() -> None:
    model = parse("t_closeness:t=0.5,column=s,distance=ordered,order=1/2/3")
    whole: Counter[tuple[str | None, ...]] = Counter({("1.0",): 1, ("2.0",): 1, ("3.0",): 1})
    block = Block(1, {("s",): Counter({("1.0",): 1})})
    assert model.textbook(block, Reference({("s",): whole}, {}))
    natural = parse("t_closeness:t=0.5,column=s,distance=ordered")
    words: Counter[tuple[str | None, ...]] = Counter({("low",): 1, ("high",): 1})
    with pytest.raises(UsageError, match="neither all numbers nor all dates; give their order"):
        natural.textbook(Block(1, {("s",): Counter({("low",): 1})}), Reference({("s",): words}, {}))
    dates: Counter[tuple[str | None, ...]] = Counter({("2000-01-01",): 1, ("1999-01-01",): 1, ("2001-01-01",): 1})
    assert natural.textbook(Block(1, {("s",): Counter({("2000-01-01",): 1})}), Reference({("s",): dates}, {}))
