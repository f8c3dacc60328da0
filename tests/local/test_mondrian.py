"""Mondrian: the paper's example, a slow reference, kernels and twins, every model."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.axes import Axis, Kind
from incrowd.core.frequencies import Counting
from incrowd.core.groups import Groups
from incrowd.core.kernels import Cutter
from incrowd.errors import UsageError
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import LocalSearch, NothingFound, Problem
from incrowd.searches._splits import RankedRows, judged_splits, split_columns
from incrowd.searches.mondrian import Mondrian, _plain_splits, _stand
from incrowd.watch import Stopped, Watch
from local.tables import QUASI, assert_whole, local_problem, records_of, some_models, tables

OPTIONS = st.builds(
    Mondrian,
    cuts=st.sampled_from(["strict", "relaxed"]),
    column=st.sampled_from(["widest", "loss"]),
    trees=st.sampled_from(["nodes", "leaves"]),
)


def run(problem: Problem, search: Mondrian) -> Groups:
    """The groups found."""
    with Watch() as watch:
        outcome = search.run(problem, watch)
    assert not isinstance(outcome, NothingFound)
    assert outcome.stopped == "done"
    return outcome.groups


def test_samarati_example() -> None:
    """FX-SAM-7: k = 3 on marital status and ZIP; P prints these three boxes."""
    rows = [
        ("divorced", 94142),
        ("divorced", 94141),
        ("married", 94139),
        ("married", 94139),
        ("married", 94139),
        ("single", 94138),
        ("single", 94139),
        ("single", 94139),
        ("widow", 94141),
    ]
    for quasi in (("marital", "zip"), ("zip", "marital")):
        counting = Counting(quasi)
        columns = {"marital": [row[0] for row in rows], "zip": [row[1] for row in rows]}
        counting.add([pa.array(columns[name]) for name in quasi])
        frequencies = counting.result()
        axes = tuple(
            Axis.of_order(name, values, ["single", "married", "divorced", "widow"])
            if name == "marital"
            else Axis.of_numbers(name, values)
            for name, values in zip(quasi, frequencies.values, strict=True)
        )
        problem = Problem(frequencies, (), KAnonymity(3), Loss(), axes=axes)  # type: ignore[arg-type]
        found = {tuple(sorted(map(sorted_texts, group))) for group in records_of(run(problem, Mondrian())).values()}
        assert found == {
            tuple(sorted(map(sorted_texts, group))) for group in ([rows[0], rows[1], rows[8]], rows[2:5], rows[5:8])
        }


def sorted_texts(row: tuple[Any, ...]) -> tuple[str, ...]:
    """A record whatever the order of its columns."""
    return tuple(sorted(map(str, row)))


Record = tuple[str | None, ...]


class Reference:
    """Mondrian as it is told: plain Python over records, strict, for k alone."""

    def __init__(self, problem: Problem, search: Mondrian) -> None:
        self.axes, self.search = problem.axes, search
        self.weights = problem.priorities or (1.0,) * len(self.axes)
        assert isinstance(problem.model, KAnonymity)
        self.k = problem.model.k

    def span(self, records: list[list[int]], a: int) -> float:
        axis = self.axes[a]
        codes = np.array([record[a] for record in records], dtype=np.int32)
        return self.weights[a] * float(axis.cells(codes, np.zeros(len(codes), dtype=np.int32), 1).spread[0])

    def cut(self, records: list[list[int]], a: int) -> tuple[list[list[int]], list[list[int]]] | None:
        axis = self.axes[a]
        ranks = sorted({int(axis.rank[record[a]]) for record in records})
        best = None
        for low, high in pairwise(ranks):
            lower = [record for record in records if axis.rank[record[a]] <= low]
            upper = [record for record in records if axis.rank[record[a]] > low]
            if min(len(lower), len(upper)) < self.k or not self.allowed(a, ranks, low, high):
                continue
            off = abs(len(lower) - len(upper))
            if best is None or off < best[0]:
                best = off, lower, upper
        return None if best is None else (best[1], best[2])

    def allowed(self, a: int, ranks: list[int], low: int, high: int) -> bool:
        axis = self.axes[a]
        if axis.kind != Kind.TREE:
            return ranks[0] != 0 or low == 0
        if self.search.trees == "leaves":
            return True
        assert axis.ladder is not None
        codes = [int(axis.code[rank]) for rank in (ranks[0], ranks[-1], low, high)]
        level = next(at for at in range(1, 9) if axis.ladder.up[at][codes[0]] == axis.ladder.up[at][codes[1]])
        return bool(axis.ladder.up[level - 1][codes[2]] != axis.ladder.up[level - 1][codes[3]])

    def groups(self, records: list[list[int]]) -> list[list[list[int]]]:
        spans = [self.span(records, a) for a in range(len(self.axes))]
        # 7 and 07 are one number; among some others, their distance is not quite nothing.
        cuts = {a: self.cut(records, a) for a in range(len(self.axes)) if spans[a] > 1e-12}
        made = {a: both for a, both in cuts.items() if both is not None}
        if not made:
            return [records]
        if self.search.column == "loss":
            costs = {a: sum(self.loss(part) for part in both) for a, both in made.items()}
        else:
            costs = {a: -spans[a] for a in made}
        best = min(costs.values())
        # Costs that are equal but for rounding are equal: the first column.
        lower, upper = made[next(a for a in made if costs[a] <= best + 1e-12)]
        return [*self.groups(lower), *self.groups(upper)]

    def loss(self, records: list[list[int]]) -> float:
        return sum(self.span(records, a) for a in range(len(self.axes))) * len(records)


@given(tables(14), st.integers(1, 4), st.sampled_from(["widest", "loss"]), st.sampled_from(["nodes", "leaves"]))
def test_reference(rows: list[dict[str, Any]], k: int, column: str, trees: str) -> None:
    """Strict cuts find the boxes that the plain transcription finds."""
    if len(rows) < k:
        return
    problem, search = local_problem(rows, KAnonymity(k)), Mondrian(column=column, trees=trees)
    frequencies = problem.frequencies
    records = [
        codes
        for codes, n in zip(frequencies.codes.T.tolist(), frequencies.counts.tolist(), strict=True)
        for _ in range(n)
    ]
    found = run(problem, search)
    expected = Reference(problem, search).groups(records)
    numbers = {tuple(record): number for number, group in enumerate(expected) for record in group}
    mine = {
        tuple(frequencies.codes[:, at].tolist()): group
        for at, group in zip(found.combination.tolist(), found.group.tolist(), strict=True)
    }
    assert {record: mine[record] for record in numbers} == numbers


@given(tables(), some_models(), OPTIONS, st.sampled_from([(), (3.0, 1.0, 0.5, 2.0)]))
def test_every_group_holds(rows: list[dict[str, Any]], model: Any, search: Mondrian, priorities: Any) -> None:
    """Or there is none where the whole table does not hold."""
    problem = local_problem(rows, model, priorities=priorities)
    with Watch() as watch:
        outcome = search.run(problem, watch)
    one = Groups.of_combinations(problem.frequencies, np.zeros(problem.frequencies.combinations, dtype=np.int32))
    if isinstance(outcome, NothingFound):
        assert not problem.model.holds(one.classes(model.needs)).all()
        return
    assert_whole(problem, outcome.groups)
    assert search.cuts == "relaxed" or not outcome.groups.splits


@given(tables(), st.integers(1, 4), OPTIONS)
def test_judged_cuts_are_the_plain_ones(rows: list[dict[str, Any]], k: int, search: Mondrian) -> None:
    """With sizes alone to judge, both ways through the kernel agree."""
    problem = local_problem(rows, KAnonymity(k))
    if len(rows) < k:
        return
    cut = RankedRows.of(problem, search.cuts == "relaxed")
    axes = split_columns(problem.axes, (1.0,) * 4, search.trees == "leaves")

    def groups(way: Callable[[Any], Iterator[str]]) -> list[int]:
        cutter = Cutter(cut.ranks, cut.counts, axes, k, search.column == "loss", search.cuts == "strict")
        for _ in way(cutter):
            pass
        numbers: list[int] = cutter.groups()[0].tolist()
        return numbers

    assert groups(_plain_splits) == groups(lambda cutter: judged_splits(cutter, _stand(cutter, problem, cut)))


@given(tables(40), st.integers(1, 5), OPTIONS, st.data())
def test_twins(rows: list[dict[str, Any]], k: int, search: Mondrian, data: st.DataObject) -> None:
    """The compiled kernel, its checked build and the NumPy twin make the same cuts, any of them at any try."""
    problem = local_problem(rows, KAnonymity(k))
    cut = RankedRows.of(problem, search.cuts == "relaxed")
    axes = split_columns(problem.axes, (1.0, 2.0, 1.0, 0.5), search.trees == "leaves")
    tries = data.draw(st.integers(0, 4))
    found = []
    for name in ("compiled", "checked", "numpy_kernels"):
        module = importlib.import_module(f"incrowd.core.kernels.{name}")
        arguments = (cut.ranks, cut.counts, axes, k, search.column == "loss", search.cuts == "strict")
        one = module.Cutter(*arguments)
        ends = np.array([len(cut.counts)], dtype=np.int64)
        middle = one.cuts(np.zeros(1, dtype=np.int64), ends, np.array([tries], dtype=np.int32)).tolist()
        other = module.Cutter(*arguments)
        while other.work(7):
            pass
        found.append((middle, one.arranged().tolist(), other.groups()[0].tolist(), other.leaves))
    assert found[0] == found[1] == found[2]


@given(tables(), OPTIONS, st.randoms())
def test_order_of_rows_does_not_matter(rows: list[dict[str, Any]], search: Mondrian, chance: Any) -> None:
    """Equal tables give equal groups, however they are counted."""
    shuffled = list(rows)
    chance.shuffle(shuffled)
    k = KAnonymity(min(2, len(rows)))
    assert records_of(run(local_problem(rows, k), search)) == records_of(run(local_problem(shuffled, k), search))


def test_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was cut by then is a valid grouping."""
    monkeypatch.setattr("incrowd.searches.mondrian._SLICE", 1)
    rows = [{"age": str(at), "place": "Bonn", "size": None, "mark": "x"} for at in range(64)]
    for after in range(4):
        problem = local_problem(rows, KAnonymity(2))
        watch = Countdown(after)
        outcome = Mondrian().run(problem, watch)
        assert outcome.stopped == "interrupted"
        assert not isinstance(outcome, NothingFound)
        assert_whole(problem, outcome.groups)


class Countdown(Watch):
    """Stops at a tick."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def tick(self, words: str, share: float | None = None) -> None:
        """One less."""
        self.after -= 1
        if self.after < 0:
            raise Stopped("interrupted")


def test_edges() -> None:
    """Nothing to cut: no record, fewer than k, one combination."""
    row = {"age": "1", "place": None, "size": None, "mark": None}
    assert run(local_problem([], KAnonymity(2)), Mondrian()).n == 0
    with Watch() as watch:
        assert isinstance(Mondrian().run(local_problem([row], KAnonymity(2)), watch), NothingFound)
    assert run(local_problem([row] * 3, KAnonymity(2)), Mondrian()).n == 1
    many = [f"c{at}" for at in range(200)]
    wide = [{name: str((at * len(name)) % 5) for name in many} for at in range(20)]
    problem = local_problem(wide, KAnonymity(3), many)
    assert_whole(problem, run(problem, Mondrian()))


def test_huge_integers() -> None:
    """Beyond what a float tells apart."""
    rows = [{"age": str(10**30 + at), "place": None, "size": None, "mark": None} for at in range(8)]
    problem = local_problem(rows, KAnonymity(2))
    assert_whole(problem, run(problem, Mondrian()))


def test_refused() -> None:
    """Options out of range."""
    for options in ({"cuts": "x"}, {"column": "x"}, {"trees": "x"}):
        with pytest.raises(UsageError):
            Mondrian(**options)
    assert isinstance(Mondrian(), LocalSearch)
    assert replace(Mondrian(), cuts="relaxed").cuts == "relaxed"
    assert len(QUASI) == 4
