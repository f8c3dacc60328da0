"""Tables whose contributors are people: rules by all their records, and people who know these as attackers."""

from collections import defaultdict
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
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.people import with_person
from incrowd.errors import Infeasible, UsageError
from incrowd.formats import read
from incrowd.tables import insiders
from incrowd.tables.cells import Cells, tabulate
from incrowd.tables.equations import summed
from incrowd.tables.measure import Measure
from incrowd.tables.needs import of_suppression
from incrowd.tables.rules import Rule
from incrowd.tables.rules.dominance import Dominance
from incrowd.tables.rules.p_percent import PPercent
from incrowd.tables.rules.pq import PriorPosterior
from incrowd.tables.rules.threshold import Threshold
from incrowd.tables.run import rooms
from incrowd.watch import Watch
from tabulation.test_contributors import Tables, all_tables, is_safe

Rows = list[tuple[str, str, int, str | None]]
BY = ("one", "other")
TOWNS = {"a": ("x", "*"), "b": ("x", "*"), "c": ("y", "*")}
RULES: list[Rule] = [Threshold(n=2), Threshold(n=3), Dominance(), Dominance(n=1, k=60), PPercent(), PriorPosterior()]


def frame_of(rows: Rows) -> pa.Table:
    columns = {name: [row[at] for row in rows] for at, name in enumerate((*BY, "pay"))}
    return pa.table({**columns, "who": pa.array([row[3] for row in rows], pa.string())})


def made(frame: pa.Table, measure: str, hierarchy: bool = False) -> Cells:
    kind = Measure.parse(measure)
    names = (*BY, *([kind.column] if kind.column else []))
    counted = with_person(read(frame).count([*names, "who"], Watch()), names, ["who"])
    values = counted.values[0]
    ladders = {"one": Hierarchy.from_rows([(v, *up) for v, up in TOWNS.items()]).along("one", values)}
    return tabulate(counted, BY, kind, ladders if hierarchy else {}, of_people=True)


@st.composite
def people(draw: st.DrawFn, most: int = 6, size: tuple[int, int] = (3, 2)) -> Rows:
    """Some people with one to six records each; of some nothing is told."""
    rows: Rows = []
    for at in range(draw(st.integers(1, 5))):
        name = draw(st.sampled_from([f"n{at}", f"n{at}", None]))
        for _ in range(draw(st.integers(1, most))):
            place = draw(st.sampled_from("abc"[: size[0]])), draw(st.sampled_from("abc"[: size[1]]))
            rows.append((*place, draw(st.integers(0, 9)), name))
    return rows


def contributions(rows: Rows, cells: Cells, counts: bool) -> dict[tuple[str, ...], dict[object, int]]:
    """By cell the contribution of each person, from the definition: all records below the labels of the cell."""
    labels = [{axis.labels[node]: below(axis, node) for node in range(len(axis))} for axis in cells.axes]
    found: dict[tuple[str, ...], dict[object, int]] = {}
    for cell in product(*labels):
        mine: dict[object, int] = defaultdict(int)
        for at, (one, other, pay, who) in enumerate(rows):
            if one in labels[0][cell[0]] and other in labels[1][cell[1]]:
                mine[("own", at) if who is None else who] += 1 if counts else pay
        found[cell] = dict(mine)
    return found


def below(axis: object, node: int) -> set[str]:
    leaves = axis.leaves  # type: ignore[attr-defined]
    if node < leaves:
        return {axis.labels[node]}  # type: ignore[attr-defined]
    return set().union(*(below(axis, int(part)) for part in axis.children(node)))  # type: ignore[attr-defined]


@pytest.mark.parametrize("measure", ["count", "sum:pay"])
@pytest.mark.parametrize("hierarchy", [False, True])
@settings(max_examples=40)
@given(rows=people())
def test_contributors_and_sensitive_cells(measure: str, hierarchy: bool, rows: Rows) -> None:
    cells = made(frame_of(rows), measure, hierarchy)
    by_cell = contributions(rows, cells, measure == "count")
    expected = [by_cell[cells.labels(at)] for at in range(len(cells))]
    assert cells.contributing.tolist() == [len(each) for each in expected]
    assert cells.values.tolist() == [sum(each.values()) for each in expected]
    largest = cells.largest(3)
    for at, each in enumerate(expected):
        assert largest[:, at].tolist() == [*sorted(each.values(), reverse=True), 0, 0, 0][:3]
    for rule in RULES:
        room = rooms(cells, [rule])
        assert (room > 0).tolist() == [rule.textbook(list(each.values())) for each in expected], rule


def seen_by(cells: Cells, rows: Rows, size: int, tables: Tables) -> Iterator[tuple[Tables, Tables, NDArray[np.bool_]]]:
    """Per coalition of people the tables it cannot rule out, what it knows at least, and which cells are theirs."""
    shape = tuple(axis.leaves for axis in cells.axes)
    leaves = tables.reshape(-1, *cells.shape)[(slice(None), *(slice(side) for side in shape))].reshape(len(tables), -1)
    real = cells.values.reshape(cells.shape)[tuple(slice(side) for side in shape)].ravel()
    anybody = (real > 0).astype(np.int64)
    counts = cells.measure.column is None
    place = [tuple(axis.labels.index(row[at]) for at, axis in enumerate(cells.axes)) for row in rows]
    names = [("own", at) if row[3] is None else row[3] for at, row in enumerate(rows)]
    everybody = contributions(rows, cells, counts)
    for number in range(size + 1):
        for group in combinations(sorted(set(names), key=str), number):
            own = np.zeros(shape, dtype=np.int64)
            for at, row in enumerate(rows):
                if names[at] in group:
                    own[place[at]] += 1 if counts else row[2]
            least = np.maximum(own.ravel(), anybody)
            theirs = [everybody[cells.labels(cell)].keys() for cell in range(len(cells))]
            whole = np.array([bool(who) and set(who) <= set(group) and not counts for who in theirs])
            fits = (leaves >= least).all(axis=1) & (tables[:, whole] == cells.values[whole]).all(axis=1)
            yield tables[fits], summed(least.reshape(shape), cells.axes).ravel(), whole


@st.composite
def small_people(draw: st.DrawFn) -> Rows:
    """Few people with few records in four cells, so that every table can be tried."""
    rows: Rows = []
    held: dict[tuple[str, str], int] = defaultdict(int)
    for at in range(draw(st.integers(1, 5))):
        for _ in range(draw(st.integers(1, 3))):
            place = draw(st.sampled_from("ab")), draw(st.sampled_from("ab"))
            pay = draw(st.integers(1, 2))
            if held[place] + pay <= 4:
                held[place] += pay
                rows.append((*place, pay, f"n{at}"))
    return rows or [("a", "a", 1, "n0")]


@pytest.mark.parametrize("measure", ["count", "sum:pay"])
@pytest.mark.parametrize("search", ["exact", "heuristic"])
@pytest.mark.parametrize("contributors", [1, 2])
@settings(max_examples=effort(8, 20), deadline=None)
@given(rows=small_people())
def test_no_coalition_of_people_learns_too_much(measure: str, search: str, contributors: int, rows: Rows) -> None:
    rules = [Threshold()] if measure == "count" else [Threshold(), PPercent()]
    try:
        found = incrowd.table(
            frame_of(rows),
            BY,
            measure,
            protect=f"suppression:search={search}",
            contributors=contributors,
            person=["who"],
        )
    except Infeasible:
        return
    cells = made(frame_of(rows), measure)
    needs = of_suppression(cells, rooms(cells, rules), "keep", "cells")
    hidden = np.array([value is None for value in found.values])
    assert hidden[needs.sensitive].all()
    assert is_safe(cells, needs, list(seen_by(cells, rows, contributors, all_tables(cells))), hidden)


def test_somebody_with_many_records_is_no_crowd() -> None:
    """Ten records of ann are one person: published by records, hidden by people."""
    rows: Rows = [("a", "a", 1, "ann")] * 10
    rows += [(one, other, 1, f"{one}{other}{at}") for one, other in ("ab", "ba", "bb") for at in range(5)]
    by_records = {row[:2]: row[2] for row in incrowd.table(frame_of(rows), BY).rows()}
    found = incrowd.table(frame_of(rows), BY, person=["who"])
    by_people = {row[:2]: row[2] for row in found.rows()}
    assert (by_records["a", "a"], by_people["a", "a"]) == (10, "x")
    assert "This includes attacks by people, who know their own records." in str(found)
    assert (found.private["person"], found.private["people"]) == (["who"], 16)


@pytest.mark.parametrize("measure", ["count", "sum:pay", "mean:pay", "percent"])
@settings(max_examples=15, deadline=None)
@given(rows=people())
def test_with_one_record_each_the_table_is_that_of_records(measure: str, rows: Rows) -> None:
    own: Rows = [(*row[:3], f"n{at}" if at % 3 else None) for at, row in enumerate(rows)]
    tables = []
    for person in ((), ("who",)):
        try:
            tables.append(incrowd.table(frame_of(own), BY, measure, seed=1, person=person).to_dict(private=True))
        except Infeasible as error:
            tables.append({"private": {}, "why": str(error)})
    assert tables[1]["private"].pop("person", ["who"]) == ["who"]
    assert tables[1]["private"].pop("people", len(rows)) == len(rows)
    for each in tables:
        each.pop("audit", None)
    assert tables[0] == tables[1]


def test_rules_of_amounts_fit_counts_of_people() -> None:
    rows: Rows = [("a", "a", 1, "ann")] * 10 + [("a", "a", 1, f"n{at}") for at in range(5)]
    cells = made(frame_of(rows), "count")
    assert (rooms(cells, [Dominance(n=1, k=60)]) > 0).all()
    assert not (rooms(cells, [Threshold()]) > 0).any()
    with pytest.raises(UsageError, match="needs amounts"):
        incrowd.table(frame_of(rows), BY, rules=["dominance"])
    found = incrowd.table(frame_of(rows), BY, rules=["dominance:n=1,k=60"], person=["who"])
    assert set(found.values) == {None}


def test_too_many_pairs_of_people_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insiders, "MOST_COALITIONS", 3)
    rows: Rows = [(place, "a", at, f"n{at}") for at in range(5) for place in "ab"]
    cells = replace(made(frame_of(rows), "sum:pay"), contributors=2)
    with pytest.raises(UsageError, match="5 people with records in several cells make too many pairs"):
        insiders.insiders(cells, rooms(cells, [Threshold(n=9)]), np.zeros(len(cells), dtype=np.int64))
