"""Every node of a lattice, against counting each of them by itself."""

import json
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.command import Command
from incrowd import api
from incrowd.anonymization import lattice_counting
from incrowd.anonymization.lattice_nodes import LatticeNodes, NodeFilter, State
from incrowd.errors import UsageError

MODELS: list[list[dict[str, Any]]] = [
    [{"k_anonymity": {"k": 3}}],
    [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "illness"}}],
    [{"t_closeness": {"t": 0.4, "column": "illness"}}],
]


def people(seed: int, n: int = 40) -> polars.DataFrame:
    chance = Random(seed)
    return polars.DataFrame(
        {
            "age": [chance.randint(20, 59) for _ in range(n)],
            "town": [chance.choice(["aa", "ab", "ba", "bb", None]) for _ in range(n)],
            "sex": [chance.choice("fm") for _ in range(n)],
            "illness": [chance.choice("uvw") for _ in range(n)],
        }
    )


def job(models: list[dict[str, Any]], suppress: float = 0.1, **of_job: Any) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
            "town": {"role": "quasi", "hierarchy": {"prefix": {"keep": [1]}}},
            "sex": {"role": "quasi"},
            "illness": {"role": "sensitive"},
        },
        "models": models,
        "suppress": suppress,
        "search": "optimal",
        **of_job,
    }


def each_node(found: LatticeNodes) -> list[dict[str, int]]:
    ranges = (range(low, high + 1) for low, high in zip(found.bottom, found.top, strict=True))
    return [dict(zip(found.columns, levels, strict=True)) for levels in product(*ranges)]


@settings(max_examples=8)
@given(seed=st.integers(0, 1000), models=st.sampled_from(MODELS), suppress=st.sampled_from([0.0, 0.1]))
def test_every_node_is_what_counting_it_says(seed: int, models: list[dict[str, Any]], suppress: float) -> None:
    table, wanted = people(seed), job(models, suppress)
    found = api.lattice(table, wanted)
    assert len(found) == len(each_node(found))
    for number, levels in enumerate(each_node(found)):
        node = found.node(number)
        counted = api.neighbors(table, wanted, levels)[0].to_dict()
        assert node["levels"] == levels
        assert found.number(levels) == number
        assert node["state"] == ("satisfied" if counted["feasible"] else "not satisfied")
        assert node["score"] == (pytest.approx(counted["score"]) if counted["feasible"] else None)
        assert counted["score"] is None or node["bound"] <= counted["score"] + 1e-12
        for name in ("suppressed", "smallest", "classes"):
            assert node[name] in (None, counted[name])
            assert not counted["feasible"] or node[name] is not None


def test_the_best_is_what_the_search_finds() -> None:
    made = api.anonymize(people(1), job(MODELS[0]))
    found = api.lattice(people(1), job(MODELS[0]))
    best = found.node(int(found.select(NodeFilter(states=[State.SATISFIED]))[0]))
    assert best["score"] == pytest.approx(made.figures.scores["loss"])
    # Claims of the model spare most of the work.
    assert found.counted < len(found)


def test_people_are_counted() -> None:
    table = people(3).with_columns(polars.Series("who", [at // 2 for at in range(40)]))
    wanted = job(MODELS[0])
    wanted["columns"]["who"] = {"role": "person"}
    found = api.lattice(table, wanted)
    for number in found.select(NodeFilter(states=[State.SATISFIED])).tolist():
        node = found.node(number)
        assert node["smallest"] == api.neighbors(table, wanted, node["levels"])[0].node.smallest


def test_a_stopped_count_says_what_is_unknown() -> None:
    whole, part = api.lattice(people(1), job(MODELS[0])), api.lattice(people(1), job(MODELS[0]), time=0)
    assert part.stopped == "time"
    assert part.counted < whole.counted
    states = part.summary()["states"]
    assert states["unknown"] > 0
    assert sum(states.values()) == len(part)
    known = part.state > 0
    assert (part.state[known] == whole.state[known]).all()
    part.learn(whole)
    assert (part.state == whole.state).all()
    assert np.array_equal(part.score, whole.score, equal_nan=True)


def test_what_a_part_of_the_lattice_knows_is_learned() -> None:
    whole = api.lattice(people(1), job(MODELS[0]))
    limited = job(MODELS[0])
    limited["columns"]["age"] |= {"minimum": 1, "limit": 2}
    part, empty = api.lattice(people(1), limited), api.lattice(people(1), job(MODELS[0]), time=0)
    inside = whole.select(NodeFilter({"age": (1, 2)}))
    assert len(inside) == len(part)
    empty.learn(part)
    assert (empty.state[inside] == whole.state[inside]).all()
    both = np.where(np.isnan(whole.score[inside]), -1, whole.score[inside])
    assert np.allclose(np.where(np.isnan(empty.score[inside]), -1, empty.score[inside]), both)


@given(
    age=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    states=st.lists(st.sampled_from(list(State)), unique=True),
    score=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    sort=st.sampled_from(["score", "suppressed", "smallest", "height"]),
    descending=st.booleans(),
)
@settings(max_examples=50)
def test_a_filter_is_its_definition(
    age: tuple[int, int], states: list[State], score: tuple[float, float], sort: str, descending: bool
) -> None:
    found = whole_lattice()
    chosen = found.select(NodeFilter({"age": age}, states, score, None, sort, descending)).tolist()
    nodes = [found.node(number) for number in range(len(found))]
    expected = [
        number
        for number, node in enumerate(nodes)
        if age[0] <= node["levels"]["age"] <= age[1]
        and node["state"] in states
        and score[0] <= (node["bound"] if node["score"] is None else node["score"]) <= score[1]
    ]
    assert sorted(chosen) == expected
    keys = [sum(nodes[at]["levels"].values()) if sort == "height" else nodes[at][sort] for at in chosen]
    known = [key for key in keys if key is not None]
    assert known == sorted(known, reverse=descending)
    assert all(key is None for key in keys[len(known) :])


@cache
def whole_lattice() -> LatticeNodes:
    return api.lattice(people(1), job(MODELS[0]))


def test_rows_and_edges() -> None:
    found = whole_lattice()
    everything = found.select(NodeFilter())
    rows = found.rows(everything)
    assert sum(map(len, rows.values())) == len(found)
    edges = found.edges(everything)
    by_definition = {
        (one, other)
        for one, first in enumerate(each_node(found))
        for other, second in enumerate(each_node(found))
        if sorted(second[name] - first[name] for name in first) == [0] * (len(first) - 1) + [1]
    }
    assert set(edges) == by_definition
    assert found.edges(everything[:1]) == []
    heights = found.by_height(everything)
    assert [row["height"] for row in heights] == sorted(rows)


def test_written_and_read_again(tmp_path: Path) -> None:
    whole_lattice().write(tmp_path / "nodes.parquet")
    again = LatticeNodes.read(tmp_path / "nodes.parquet")
    assert again.to_dict() == whole_lattice().to_dict()
    assert (again.bottom, again.top, again.columns) == (
        whole_lattice().bottom,
        whole_lattice().top,
        whole_lattice().columns,
    )


def test_levels_that_are_no_node() -> None:
    assert whole_lattice().number({"age": 9, "town": 0, "sex": 0}) is None
    assert whole_lattice().number({}) is None


def test_a_lattice_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice_counting, "MOST", 5)
    with pytest.raises(UsageError, match=r"30 nodes.*narrow the levels|nodes, more than 5"):
        api.lattice(people(1), job(MODELS[0]))


def test_a_local_search_has_no_lattice() -> None:
    with pytest.raises(UsageError, match="level per column"):
        api.lattice(people(1), job(MODELS[0], search="mondrian"))


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    people(1).write_csv(tmp_path / "people.csv")
    plain = {**job(MODELS[0]), "data": str(tmp_path / "people.csv")}
    (tmp_path / "job.json").write_text(json.dumps(plain))
    line = Command(monkeypatch, capsys)
    said = line("lattice", tmp_path / "job.json").out
    assert "satisfied" in said
    told = json.loads(line("lattice", tmp_path / "job.json", "--json").out)
    assert len(told["nodes"]) == len(whole_lattice())


def test_the_first_records_as_a_node_publishes_them() -> None:
    wanted, levels = job(MODELS[0]), {"age": 2, "town": 1, "sex": 0}
    found = api.neighbors(people(1), wanted, levels, rows=10)
    assert found.sample is not None
    assert len(found.sample) == 10
    limited = {**wanted, "columns": {**wanted["columns"]}}
    for name, level in levels.items():
        limited["columns"][name] = {**wanted["columns"][name], "minimum": level, "limit": level}
    release = api.anonymize(people(1), {**limited, "suppress": 40}).frame
    published = {tuple("" if cell is None else str(cell) for cell in row) for row in release.select(*levels).rows()}
    for row in found.sample:
        cells = tuple(row.published[name] or "" for name in levels)
        assert row.suppressed == (row.records < 3)
        assert row.suppressed or cells in published
        assert row.original["age"] in {str(age) for age in people(1)["age"]}
    assert "20-" in str(found) or "published" in str(found)
    assert str(found.sample[0].original["town"]) not in "".join(found.look())
    assert found.to_dict()["sample"][0].keys() == {"original", "published", "records", "suppressed"}


def test_without_rows_there_is_no_sample() -> None:
    assert "sample" not in api.neighbors(people(1), job(MODELS[0]), {"age": 2, "town": 1, "sex": 0}).to_dict()
