"""Counting a node on rolled-up keys gives what generalizing the records one by one gives."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet, aligned
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Nulls
from incrowd.metrics import Cells, Levels
from incrowd.metrics import Columns as MetricColumns
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.models.conjunction import All
from incrowd.models.delta_presence import DeltaPresence
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.k_map import KMap
from incrowd.searches import Problem
from incrowd.searches.lattice import Lattice, store
from incrowd.searches.lattice.layout import LatticeLayout
from searches.problems import every_node, problem, problems

Record = tuple[int, ...]


def records_of(frequencies: FrequencySet) -> list[Record]:
    """Every record as its codes."""
    return [
        tuple(codes.tolist())
        for codes, count in zip(frequencies.codes.T, frequencies.counts, strict=True)
        for _ in range(count)
    ]


def generalized(given: Problem, record: Record, levels: Levels) -> Record:
    """A record's quasi-identifiers on the levels."""
    return tuple(
        int(ladder.up[level][code]) for ladder, level, code in zip(given.ladders, levels, record, strict=False)
    )


def judged_by_definition(given: Problem, levels: Levels) -> dict[Record, bool]:
    """Each class that has records, and whether the textbook lets it pass."""
    columns = given.model.needs
    names = given.frequencies.names

    def values(record: Record, of: tuple[str, ...]) -> tuple[str | None, ...]:
        cells = [(given.frequencies.values[names.index(name)], record[names.index(name)]) for name in of]
        return tuple(None if code == 0 else str(texts[code - 1]) for texts, code in cells)

    records = records_of(given.frequencies)
    whole = Reference({of: Counter(values(record, of) for record in records) for of in columns}, {})
    classes: dict[Record, list[Record]] = {}
    for record in records:
        classes.setdefault(generalized(given, record, levels), []).append(record)
    return {
        key: given.model.textbook(
            Block(len(members), {of: Counter(values(record, of) for record in members) for of in columns}), whole
        )
        for key, members in classes.items()
    }


@given(problems(), st.data())
def test_a_node_is_what_the_definitions_say(given_problem: Problem, data: st.DataObject) -> None:
    lattice = Lattice(given_problem)
    levels = tuple(data.draw(st.integers(low, high)) for low, high in zip(lattice.bottom, lattice.top, strict=True))
    verdict = judged_by_definition(given_problem, levels)
    records = records_of(given_problem.frequencies)
    sizes = Counter(generalized(given_problem, record, levels) for record in records)
    suppressed = sum(size for key, size in sizes.items() if not verdict[key])
    kept = [size for key, size in sizes.items() if verdict[key]]
    node = lattice.count(levels)
    assert node.suppressed == suppressed
    assert node.feasible == (suppressed <= given_problem.budget)
    assert (node.classes, node.smallest) == (len(kept), min(kept, default=0))
    if node.feasible:
        cells = [
            Cells(record[: len(levels)], not verdict[generalized(given_problem, record, levels)]) for record in records
        ]
        columns = MetricColumns(
            lattice.combinations, given_problem.ladders, given_problem.priorities or (1.0,) * len(levels)
        )
        assert node.score == pytest.approx(given_problem.metric.textbook(cells, levels, columns), rel=1e-9, abs=1e-12)
    of, holds = lattice.classes_of(levels)
    for codes, at in zip(lattice.combinations.codes.T, of, strict=True):
        assert holds[at] == verdict[generalized(given_problem, tuple(codes.tolist()), levels)]


@given(problems(), st.data())
def test_what_a_counted_node_claims_about_the_nodes_below(given_problem: Problem, data: st.DataObject) -> None:
    nodes = every_node(given_problem)
    upper = nodes[data.draw(st.sampled_from(sorted(nodes)))]
    lattice = Lattice(given_problem)
    for levels, node in nodes.items():
        if all(low <= high for low, high in zip(levels, upper.levels, strict=True)) and node.feasible:
            assert not upper.dead
            assert lattice.bound(levels) + upper.penalty <= node.score + 1e-9


@given(problems(), st.data())
def test_nodes_counted_in_any_order_are_the_same(given_problem: Problem, data: st.DataObject) -> None:
    nodes = every_node(given_problem)
    lattice = Lattice(given_problem)
    for levels in data.draw(st.permutations(sorted(nodes))):
        assert lattice.count(levels) == nodes[levels]


def test_a_path_may_be_wider_than_a_word() -> None:
    # Values that part at every step: 1000..., 0100..., 0010..., so each level takes a bit of its own.
    values = [format(1 << place, "030b") for place in range(30)]
    rows = [[value[: 30 - level] + "*" * level for level in range(31)] for value in values]
    hierarchy = Hierarchy.from_rows([*rows])
    ladders = [hierarchy.along(name, pa.array(values)) for name in "abc"]
    layout = LatticeLayout.of(ladders)
    assert layout.words > 1
    rng = np.random.default_rng(1)
    codes = rng.integers(0, len(values) + 1, (3, 200)).astype(np.int32)
    keys = layout.keys(codes)
    for _ in range(30):
        levels = rng.integers(0, 31, 3)
        masked = keys & layout.mask(levels)
        labels = [ladder.up[level][row] for ladder, level, row in zip(ladders, levels, codes, strict=True)]
        assert len(np.unique(masked, axis=0)) == len(np.unique(labels, axis=1).T)


PEOPLE = [
    {"age": "1", "zip": "a"},
    {"age": "1", "zip": "a"},
    {"age": "1", "zip": "b"},
    {"age": "2", "zip": "b"},
    {"age": "2", "zip": "b"},
    {"age": "3", "zip": "b"},
]
FLAT = {
    "age": Hierarchy.from_rows([("1", "*"), ("2", "*"), ("3", "*")]),
    "zip": Hierarchy.from_rows([("a", "*"), ("b", "*")]),
}


def with_population(model: PrivacyModel, budget: int = 0) -> Problem:
    """Two of the six people are in the table: the first and the fourth."""
    given = problem([PEOPLE[0], PEOPLE[3]], FLAT, model, budget=budget)
    population = problem(PEOPLE, FLAT, KAnonymity(1)).frequencies
    table, everybody = aligned(given.frequencies, population, ("age", "zip"))
    ladders = tuple(FLAT[name].along(name, values) for name, values in zip(table.names, table.values, strict=True))
    return replace(given, frequencies=table, population=everybody, ladders=ladders)


def test_k_map_counts_the_population() -> None:
    node = Lattice(with_population(KMap(2))).count((0, 0))
    assert (node.suppressed, node.classes, node.smallest) == (0, 2, 1)
    node = Lattice(with_population(KMap(3))).count((0, 0))
    assert (node.suppressed, node.classes) == (2, 0)
    assert Lattice(with_population(KMap(3))).count((1, 0)).suppressed == 1
    assert Lattice(with_population(KMap(6))).count((1, 1)).feasible


def test_nobody_of_the_population_is_counted_twice() -> None:
    for model in (KMap(2), All((KMap(2), KAnonymity(1)))):
        ground = Lattice(with_population(model)).ground
        assert ground.population is not None
        assert (ground.population.sum(), ground.counts.sum(), len(ground)) == (6, 2, 4)


def test_presence_is_judged_where_nobody_of_the_table_is() -> None:
    # Of the 1-b and 3-b people none is in the table: a chance of 0 is below the lower bound.
    assert not Lattice(with_population(DeltaPresence(0.1, 0.9), budget=2)).count((0, 0)).feasible
    assert Lattice(with_population(DeltaPresence(0.0, 0.9), budget=2)).count((0, 0)).feasible
    assert Lattice(with_population(DeltaPresence(0.1, 0.9))).count((1, 1)).feasible
    together = All((DeltaPresence(0.0, 0.5), KAnonymity(1)))
    assert Lattice(with_population(together)).count((0, 0)).suppressed == 0


WILD = [{"a": "x", "b": "1"}, {"a": "x", "b": None}, {"a": "y", "b": "1"}, {"a": None, "b": None}, {"a": "x", "b": "1"}]
WILD_LADDERS = {
    "a": Hierarchy.from_rows([("x", "*"), ("y", "*")]),
    "b": Hierarchy.from_rows([("1", "*")]),
}


@pytest.mark.parametrize(
    ("nulls", "k", "suppressed"),
    [
        # FX-ANON-3: the fewest matches are 2 with maybe and 1 with right maybe.
        (Nulls.MAYBE, 2, 0),
        (Nulls.RIGHT_MAYBE, 1, 0),
        # With k = 3 row 3 goes (it matches itself and row 4); the other four match each other.
        (Nulls.MAYBE, 3, 1),
        # Row 4 goes first, then rows 2 and 3, which row 4 had helped; rows 1 and 5 then have only each other.
        (Nulls.RIGHT_MAYBE, 3, 5),
        (Nulls.EXTENDED, 2, 3),
    ],
)
def test_missing_cells_that_match_everything(nulls: Nulls, k: int, suppressed: int) -> None:
    given = replace(problem(WILD, WILD_LADDERS, KAnonymity(k)), nulls=nulls)
    assert Lattice(given).count((0, 0)).suppressed == suppressed
    assert Lattice(given).count((1, 1)).suppressed == 0


@given(problems(models=st.builds(KAnonymity, k=st.integers(1, 4))), st.sampled_from([Nulls.MAYBE, Nulls.RIGHT_MAYBE]))
def test_wildcards_never_suppress_more_on_the_way_up(given_problem: Problem, nulls: Nulls) -> None:
    nodes = every_node(replace(given_problem, nulls=nulls))
    lattice = Lattice(given_problem)
    if any(ladder.hierarchy.lists_missing for ladder in given_problem.ladders):
        # A missing cell that takes a label matches less than before: nothing is claimed, and nothing ruled out.
        assert not any(node.dead or node.penalty for node in nodes.values())
        return
    for levels, node in nodes.items():
        assert all(nodes[above].suppressed <= node.suppressed for above in lattice.above(levels))


@pytest.mark.parametrize("rows", [0, 3, 10])
def test_half_way_sets_make_room_for_others(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_ROWS", rows)
    ladder = Hierarchy.from_rows([(str(value), str(value // 2), "*") for value in range(6)])
    people = [{"a": str(value % 6), "b": str(value % 5), "c": str(value % 4)} for value in range(60)]
    given = problem(people, dict.fromkeys("abc", ladder), KAnonymity(2))
    lattice = Lattice(given)
    assert {levels: lattice.count(levels) for levels in every_node(given)} == every_node(given)
    kept = lattice._store._kept
    assert len(kept) <= 1 or sum(map(len, kept.values())) <= rows
