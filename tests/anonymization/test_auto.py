"""The search that runs others: it takes what keeps most, and publishes what the one it takes publishes."""

import signal
from itertools import count
from math import inf
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible, UsageError
from incrowd.families import SEARCHES
from incrowd.searches.auto import BLOCK, Auto
from incrowd.searches.k_members import KMembers
from incrowd.watch import Progress

ROLES: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20, 40]}}},
    "town": {"role": "quasi"},
    "illness": "sensitive",
}
NAMES = [SEARCHES.name_of(search) for search in Auto().candidates]


def people(ages: list[int], towns: list[str]) -> pa.Table:
    return pa.table({"age": ages, "town": towns, "illness": ["flu"] * len(ages)})


TWENTY = people([20 + at * 3 % 40 for at in range(20)], ["Graz", "Linz", "Wels"][:3] * 6 + ["Graz", "Linz"])


def run(table: pa.Table = TWENTY, search: Any = "auto", **more: Any) -> AnonymizationResult:
    return incrowd.anonymize(table, {"columns": ROLES, "models": ["k_anonymity:k=3"], "search": search, **more})


def scores(made: AnonymizationResult) -> dict[str, float]:
    return {each["search"]: inf if each["score"] is None else each["score"] for each in made.details["tried"]}


@given(
    st.lists(st.tuples(st.integers(20, 59), st.sampled_from(["Graz", "Linz", "Wels"])), min_size=3, max_size=25),
    st.sampled_from([0, 0.2]),
)
def test_the_best_is_taken_as_if_it_had_been_named(rows: list[tuple[int, str]], suppress: float) -> None:
    table = people([age for age, _ in rows], [town for _, town in rows])
    made = run(table, suppress=suppress)
    found = scores(made)
    alone = {}
    for name in NAMES:
        try:
            alone[name] = run(table, name, suppress=suppress)
        except Infeasible:
            assert found[name] == inf
    assert found.keys() == set(NAMES)
    for name, each in alone.items():
        # Figures are recorded with twelve digits.
        assert found[name] == pytest.approx(each.figures.scores["loss"], abs=1e-12)
    labels = min(found["layered"], found["optimal"])
    least = min(found.values())
    taken = made.figures.search.name
    assert found[taken] == (labels if labels <= 1.2 * least else least)
    assert made.frame.equals(alone[taken].frame)
    assert made.manifest == alone[taken].manifest


def test_labels_are_preferred_if_they_lose_little_more() -> None:
    def taken(**of: float) -> str:
        return NAMES[Auto().takes([of.get(name, inf) for name in NAMES])]

    assert taken(mondrian=0.10, layered=0.12, optimal=0.5, k_members=0.11) == "layered"
    assert taken(mondrian=0.10, layered=0.1201, optimal=0.5, k_members=0.11) == "mondrian"
    assert taken(mondrian=0.10, optimal=0.1) == "optimal"
    assert taken(k_members=0.3) == "k_members"
    assert taken(mondrian=0.0, layered=0.0) == "layered"


def test_one_level_per_column_if_asked() -> None:
    made = run(search="auto:uniform=true")
    assert list(scores(made)) == ["optimal"]
    assert None not in made.levels.values()


@pytest.mark.parametrize(
    "more",
    [
        {"metric": "precision"},
        {"columns": {**ROLES, "age": {**ROLES["age"], "limit": 2}}},
        {"nulls": "maybe"},
    ],
)
def test_what_cannot_keep_a_setting_is_left_out(more: dict[str, Any]) -> None:
    made = run(suppress=0.5, **more)
    left_out = [each for each in made.details["tried"] if each["search"] in ("mondrian", "k_members")]
    assert all(each["score"] is None and each["why"] for each in left_out)
    assert made.figures.search.name in ("layered", "optimal")


def test_the_reason_is_told_if_nothing_is_found() -> None:
    with pytest.raises(Infeasible):
        run(models=["k_anonymity:k=30"])


def test_the_result_has_a_line_for_each_kind_of_cells() -> None:
    made = run()
    lines = str(made).partition("Tried (loss):\n")[2].splitlines()[:3]
    best = [
        min(names, key=scores(made).__getitem__) for names in (("mondrian", "k_members"), ("layered",), ("optimal",))
    ]
    assert sorted(line.split()[1] for line in lines) == sorted(best)
    for line in lines:
        _, name, score, *_ = line.split()
        assert score == f"{scores(made)[name]:.4f}"
        assert ("taken" in line) == (name == made.figures.search.name)
    assert [each["search"] for each in made.details["tried"] if each["taken"]] == [made.figures.search.name]


def test_it_is_the_search_of_a_job_that_names_none() -> None:
    named = run()
    unnamed = incrowd.anonymize(TWENTY, {"columns": ROLES, "models": ["k_anonymity:k=3"]})
    assert unnamed.frame.equals(named.frame)
    assert unnamed.record.job["search"] == named.figures.search.name


def test_what_takes_long_is_run_only_if_nothing_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.searches.auto.MOST_NODES", 1)
    monkeypatch.setattr("incrowd.searches.auto.MOST_COMBINATIONS", 1)
    monkeypatch.setattr("incrowd.searches.auto.MOST_CELLS", 1)
    why = {each["search"]: each["why"] for each in run().details["tried"]}
    assert (why["mondrian"], why["layered"]) == (None, None)
    assert all("take long" in why[name] for name in ("optimal", "k_members"))
    # Only the optimal search runs here, whatever its size.
    assert run(metric="precision", nulls="maybe", suppress=0.5).figures.search.name in ("layered", "optimal")
    limited = {**ROLES, "age": {**ROLES["age"], "limit": 2}}
    monkeypatch.setattr("incrowd.searches.layered.Layered.run", refuse)
    assert run(columns=limited, suppress=0.5).figures.search.name == "optimal"


def test_many_combinations_are_clustered_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.searches.auto.MOST_COMBINATIONS", 1)
    clustered = SEARCHES.spell(KMembers(block=BLOCK, refine=0))
    made = run()
    found = {each["search"]: each["score"] for each in made.details["tried"]}
    assert list(found) == [*NAMES[:3], clustered]
    assert found[clustered] == pytest.approx(run(search=clustered).figures.scores["loss"], abs=1e-12)
    # What is published says how it was found, and the job in its record finds it again.
    monkeypatch.setattr("incrowd.searches.auto.Auto.takes", lambda *_: 3)
    made = run()
    assert made.record.job["search"] == run(search=clustered).record.job["search"]
    assert made.frame.equals(run(search=clustered).frame)


def refuse(*_: Any) -> Any:
    raise UsageError("not today")


def test_a_huge_k_finds_nothing() -> None:
    with pytest.raises(Infeasible):
        run(models=[f"k_anonymity:k={10**30}"])


def test_what_the_engine_of_the_data_cannot_publish_is_left_out() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = people([20] * 7 + [30] * 7, ["Graz"] * 7 + ["Linz"] * 7)
    connection = duckdb.connect()
    made = incrowd.anonymize(
        connection.from_arrow(table), {"columns": ROLES, "models": ["k_anonymity:k=3"], "suppress": 0.1}
    )
    by_arrow = run(table, suppress=0.1)
    assert made.verdict.holds
    for each, whole in zip(made.details["tried"], by_arrow.details["tried"], strict=True):
        assert each["score"] == whole["score"] or "equal records" in each["why"]


def test_the_column_that_costs_most_is_named_with_the_loss_without_it() -> None:
    table = TWENTY.append_column("noise", pa.array([str(at * 7 % 20) for at in range(20)]))
    made = run(table, columns={**ROLES, "noise": "quasi"})
    costs = made.details["costliest"]
    again = {name: of for name, of in {**ROLES, "noise": "quasi"}.items() if name != costs["column"]}
    name = made.figures.search.name
    assert run(table, name, columns=again).figures.scores["loss"] == pytest.approx(costs["without"], abs=1e-9)
    assert costs["loss"] == pytest.approx(made.figures.scores["loss"], abs=1e-9)
    assert f"--drop {costs['column']} omits it" in str(made)
    dropped = incrowd.anonymize(
        table,
        {"columns": {**ROLES, "noise": "quasi"}, "models": ["k_anonymity:k=3"]},
        drop=[costs["column"]],
        search=name,
    )
    assert dropped.figures.scores["loss"] == pytest.approx(costs["without"], abs=1e-9)
    assert costs["column"] not in dropped.frame.column_names


def interrupting(word: str) -> Any:
    pressed = []

    def show(now: Progress) -> None:
        if word in now.words and "all records counted" not in now.words and not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    return show


def test_an_interruption_ends_the_searches_and_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every tick is shown, not ten in a second.
    monkeypatch.setattr("incrowd.watch.time.monotonic", iter(range(10**6)).__next__)
    job = {"columns": ROLES, "models": ["k_anonymity:k=3"], "search": "auto", "time": 10**5}
    made = incrowd.anonymize(TWENTY, job, progress=interrupting("layered"))
    not_run = [each["search"] for each in made.details["tried"] if each["why"] == "not run"]
    assert not_run == ["optimal", "k_members"]
    assert made.figures.search.name == "mondrian"
    made = incrowd.anonymize(TWENTY, job, progress=interrupting("cutting"))
    assert [each["why"] for each in made.details["tried"]] == [None, *["not run"] * 3]
    assert made.verdict.holds


def test_without_time_left_none_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there is a release that was done: to begin takes long on a large table."""
    monkeypatch.setattr("incrowd.anonymization.choosing.perf_counter", count(0, 1000).__next__)
    made = incrowd.anonymize(TWENTY, {"columns": ROLES, "models": ["k_anonymity:k=3"], "search": "auto", "time": 10})
    tried = made.details["tried"]
    assert [each["why"] for each in tried] == [None, "out of time", "out of time", "out of time"]
    assert [each["taken"] for each in tried] == [True, False, False, False]
