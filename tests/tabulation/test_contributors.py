"""Contributors who know their own records, and try every table of whole numbers that agrees with what is published."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import incrowd
from effort import effort
from incrowd.errors import Infeasible, UsageError
from incrowd.tables.cells import Cells
from incrowd.tables.equations import summed
from incrowd.tables.exact import exact
from incrowd.tables.needs import Needs, of_suppression
from incrowd.tables.rules.p_percent import PPercent
from incrowd.tables.rules.threshold import Threshold
from incrowd.tables.run import rooms
from tabulation.tables_by_hand import made

MOST = 8
"""The attackers try tables with so much in a category's cell, twice what there is."""
Tables = NDArray[np.int64]
PAY = [
    *(("F", "A", 100), ("F", "A", 200), ("F", "A", 150), ("F", "B", 900), ("F", "C", 500)),
    *(("M", "A", 100), ("M", "A", 250), ("M", "A", 180), ("M", "B", 120), ("M", "B", 300), ("M", "B", 220)),
    *(("M", "C", 170), ("M", "C", 160), ("M", "C", 130)),
]


def frame_of(rows: list[tuple[str, str, int]]) -> pa.Table:
    return pa.table({name: [row[at] for row in rows] for at, name in enumerate(("one", "other", "pay"))})


@st.composite
def frames(draw: st.DrawFn, sizes: tuple[tuple[int, int], ...] = ((2, 2), (2, 3))) -> pa.Table:
    """One or two people in each cell, or none, with small amounts."""
    size = draw(st.sampled_from(sizes))
    amounts = st.lists(st.integers(1, 3), min_size=1, max_size=2).filter(lambda each: sum(each) <= 4) | st.just([])
    inner = list(product(*("abc"[:number] for number in size)))
    cells = draw(st.lists(amounts, min_size=len(inner), max_size=len(inner)).filter(any))
    return frame_of([(*cell, amount) for cell, each in zip(inner, cells, strict=True) for amount in each])


def seen_by(cells: Cells, size: int, tables: Tables, zeros: str) -> Iterator[tuple[Tables, Tables, NDArray[np.bool_]]]:
    """Per coalition the tables it cannot rule out, what it knows of each cell at least, and which cells are theirs."""
    shape = tuple(axis.leaves for axis in cells.axes)
    leaves = tables.reshape(-1, *cells.shape)[(slice(None), *(slice(side) for side in shape))].reshape(len(tables), -1)
    real = cells.values.reshape(cells.shape)[tuple(slice(side) for side in shape)].ravel()
    anybody = (real > 0).astype(np.int64) if zeros == "keep" else np.zeros_like(real)
    records = cells.records.each()
    place = np.ravel_multi_index(tuple(records.leaves), shape)
    amounts = np.ones_like(place) if records.amounts is None else records.amounts
    for number in range(size + 1):
        for group in map(list, combinations(range(len(place)), number)):
            own, people = np.zeros_like(real), np.zeros_like(real)
            np.add.at(own, place[group], amounts[group])
            np.add.at(people, place[group], 1)
            least = np.maximum(own, anybody)
            counts = summed(people.reshape(shape), cells.axes).ravel()
            whole = (counts > 0) & (counts == cells.counts) & (cells.measure.column is not None)
            fits = (leaves >= least).all(axis=1) & (tables[:, whole] == cells.values[whole]).all(axis=1)
            yield tables[fits], summed(least.reshape(shape), cells.axes).ravel(), whole


def all_tables(cells: Cells, most: int = MOST) -> Tables:
    shape = tuple(axis.leaves for axis in cells.axes)
    size = int(np.prod(shape))
    found = np.indices((most + 1,) * size).reshape(size, -1).T.reshape(-1, *shape)
    return summed(found, cells.axes).reshape(len(found), -1)


def is_safe(cells: Cells, needs: Needs, views: list[tuple[Tables, Tables, NDArray[np.bool_]]], hidden: Tables) -> bool:
    """Whether every coalition is left with tables in which each sensitive cell is as low and as high as it must be."""
    values = cells.values
    for tables, least, whole in views:
        same = tables[(tables[:, ~hidden] == values[~hidden]).all(axis=1)]
        asked = np.flatnonzero((needs.room > 0) & ~whole)
        low, high = np.maximum(values - needs.room, least)[asked], (values + needs.room)[asked]
        if (same[:, asked].min(axis=0) > low).any() or (same[:, asked].max(axis=0) < high).any():
            return False
    return True


@pytest.mark.parametrize("search", ["exact", "heuristic"])
@pytest.mark.parametrize("contributors", [1, 2])
@settings(max_examples=effort(6, 12), deadline=None)
@given(frame=frames())
def test_no_coalition_learns_too_much(search: str, contributors: int, frame: pa.Table) -> None:
    try:
        found = incrowd.table(
            frame,
            ["one", "other"],
            "sum:pay",
            protect=f"suppression:search={search}",
            contributors=contributors,
        )
    except Infeasible:
        return
    cells = made(frame, ["one", "other"], "sum:pay")
    needs = of_suppression(cells, rooms(cells, [Threshold(), PPercent()]), "keep", "cells")
    hidden = np.array([value is None for value in found.values])
    views = list(seen_by(cells, contributors, all_tables(cells), "keep"))
    assert is_safe(cells, needs, views, hidden)


@settings(max_examples=15, deadline=None)
@given(
    frame=frames(((2, 2),)),
    measure=st.sampled_from(["count", "sum:pay"]),
    zeros=st.sampled_from(["keep", "hide"]),
    percent=st.sampled_from([10, 100]),
)
def test_the_exact_search_hides_no_more_than_it_must(frame: pa.Table, measure: str, zeros: str, percent: int) -> None:
    cells = replace(made(frame, ["one", "other"], measure), contributors=1)
    rules = [Threshold(n=2)] if measure == "count" else [Threshold(n=3, percent=percent), PPercent()]
    needs = of_suppression(cells, rooms(cells, rules), zeros, "cells")
    # The sum of two people is 6 at most and may have to reach 12; if one of them asks, by the cell of the other alone.
    views = list(seen_by(cells, 1, all_tables(cells, most=11), zeros))
    if measure == "count" and zeros == "hide":
        # Labels tell that somebody is in every category.
        views = [
            (tables[(tables >= cells.public_minimum).all(axis=1)], np.maximum(least, cells.public_minimum), whole)
            for tables, least, whole in views
        ]
    others = np.flatnonzero(needs.may_hide & ~needs.sensitive)
    costs = []
    for chosen in product((False, True), repeat=len(others)):
        hidden = needs.sensitive.copy()
        hidden[others] = chosen
        if is_safe(cells, needs, views, hidden):
            costs.append(int(hidden.sum()))
    try:
        found = exact(needs)
    except Infeasible:
        assert costs == []
        return
    assert found.proven
    assert int(found.hidden.sum()) == min(costs)


def test_who_is_alone_in_a_cell_does_not_learn_another() -> None:
    """900 is alone in F/B and would take it from the total of F to know F/C, where another one is alone."""
    found = incrowd.table(frame_of(PAY), ["one", "other"], "sum:pay")
    hidden = {row[:2] for row in found.rows() if row[2] == "x"}
    assert {("F", "A"), ("F", "B"), ("F", "C")} <= hidden
    assert "contributor" in str(found)
    assert found.private["contributors"] == 1


def test_two_who_are_alone_need_more_company() -> None:
    one, two = (incrowd.table(frame_of(PAY), ["one", "other"], "sum:pay", contributors=number) for number in (1, 2))
    assert two.suppressed >= one.suppressed
    assert "two contributors" in str(two)
    with pytest.raises(UsageError, match="1, 2"):
        incrowd.table(frame_of(PAY), ["one", "other"], "sum:pay", contributors=3)


def test_a_rounded_sum_is_audited_for_contributors_too() -> None:
    """Rounded to 10, F/B and F/C are known to within 10; F/C is 500, of which 50 must be uncertain."""
    with pytest.raises(Infeasible, match="sensitive cells"):
        incrowd.table(frame_of(PAY), ["one", "other"], "sum:pay", protect="random_rounding:base=10", seed=1)
