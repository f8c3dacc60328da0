"""A bound on the combinations that are fetched: the release is that of a job with minima, and of the same job where all
fit."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.publishing import cells_of
from incrowd.anonymization import AnonymizationResult
from incrowd.core.frequencies import FrequencySet
from incrowd.engines.frames import FrameSource
from incrowd.errors import IncrowdError, UsageError
from incrowd.jobs.families import SEARCHES
from incrowd.watch import Watch

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

Build = Callable[[str, pa.Table], Any]

TOWNS = {"north": {"Graz": ["8010", "8020", "8041"], "Linz": ["4020"]}, "south": {"Wels": ["4600", "4602"]}}
SHORT = {"genetic": "genetic:population=10,generations=3", "annealing": "annealing:steps=100"}
"""Searches that take long, with fewer steps."""
MODELS_OF = {"consistent": ["k_one:k=3"]}
HIERARCHIES: dict[str, Any] = {
    "age": {"intervals": {"widths": [2, 4, 8, 16]}},
    "post": {"tree": {"groups": TOWNS}},
    "weight": {"intervals": {"widths": [10]}},
}
QUASI = ("age", "post", "weight")


def job(models: Any = ("k_anonymity:k=3",), search: str = "optimal", **further: Any) -> dict[str, Any]:
    """A job over the table below; `minimum` has levels by column."""
    minimum = further.pop("minimum", {})
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": of, **({"minimum": minimum[name]} if minimum.get(name) else {})}
        for name, of in HIERARCHIES.items()
    }
    columns |= {"ill": "sensitive", **further.pop("columns", {})}
    return {"columns": columns, "models": list(models), "search": search, "suppress": 0.1, **further}


def table(ages: list[int | None], posts: list[str | None], weights: list[float | None]) -> pa.Table:
    return pa.table(
        {
            "age": pa.array(ages, pa.int64()),
            "post": pa.array(posts, pa.string()),
            "weight": pa.array(weights, pa.float64()),
            "ill": [("flu", "cold", "gout")[at % 3] for at in range(len(ages))],
            "note": [f"n{at % 5}" for at in range(len(ages))],
            "name": [f"person {at // 2}" for at in range(len(ages))],
        }
    )


LARGE = table(
    [None if at % 29 == 0 else 20 + at * at % 40 for at in range(300)],
    [[None, "8010", "8020", "8041", "4020", "4600", "4602"][at * 3 % 7] for at in range(300)],
    [[50.0, 61.5, float("nan"), 70.0, -0.0][at % 5] for at in range(300)],
)


def rows_of(made: AnonymizationResult) -> list[str]:
    """The records as text; NaN is missing."""
    rows = zip(*cells_of(made.frame).values(), strict=True)
    return sorted(str(tuple(None if cell != cell else cell for cell in row)) for row in rows)


def same(one: AnonymizationResult, other: AnonymizationResult) -> None:
    assert rows_of(one) == rows_of(other)
    assert one.levels == other.levels
    assert one.figures.scores == pytest.approx(other.figures.scores, abs=1e-12)


def floors(made: AnonymizationResult) -> dict[str, int]:
    """The levels that the note names."""
    [note] = [note for note in made.notes if "most_combinations" in note]
    pairs = [pair.split(": ") for pair in note.rpartition("these levels: ")[2].split(", ")]
    return {name: int(level) for name, level in pairs}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    # More combinations than values of a column, else nothing can be counted within a bound.
    rows = draw(st.integers(20, 40))
    ages = st.sampled_from([None, 20, 21, 22, 23, 25, 28, 33, 40])
    posts = st.sampled_from([None, "8010", "8020", "8041", "4020", "4600"])
    weights = st.sampled_from([None, 1.0, -0.0, 25.5, float("nan")])
    return table(*(draw(st.lists(of, min_size=rows, max_size=rows)) for of in (ages, posts, weights)))


@settings(max_examples=100)
@given(tables(), st.integers(9, 45), st.sampled_from(["optimal", "layered", "samarati"]), st.booleans())
def test_it_is_the_job_with_the_floor_as_minimum(given: pa.Table, most: int, search: str, diverse: bool) -> None:
    """Property: equal cells, levels and scores; verified; equal to the unbounded job where all combinations fit."""
    models = ["k_anonymity:k=2", *(["distinct_l:l=2,column=ill"] if diverse else [])]
    described = job(models, search, suppress=0.2)
    lazy = pl.from_arrow(given).lazy()
    columns = [*QUASI, *(["ill"] if diverse else [])]
    # As many as an engine hands over: NaN and NULL are two.
    combinations = FrameSource(lazy).distinct(columns, Watch())
    try:
        made = incrowd.anonymize(incrowd.read(lazy, most_combinations=most), described)
    except IncrowdError as error:
        if "most_combinations" in str(error):
            assert combinations > most
            return
        # No release above the floor: nor is there one with these minima.
        with pytest.raises(type(error)):
            incrowd.anonymize(lazy, described)
        return
    assert made.verdict.word in ("verified", "empty")
    if combinations <= most:
        assert not any("most_combinations" in note for note in made.notes)
        same(made, incrowd.anonymize(lazy, described))
        return
    raised = floors(made)
    assert raised
    same(made, incrowd.anonymize(lazy, job(models, search, suppress=0.2, minimum=raised)))


@pytest.mark.parametrize("name", sorted(SEARCHES.modules()))
def test_every_search_along_hierarchies(name: str) -> None:
    """What may not go below minima does not go below the floor; what does not know minima is refused."""
    lazy = pl.from_arrow(LARGE).lazy()
    models = MODELS_OF.get(name, ["k_anonymity:k=3"])
    search = SHORT.get(name, name)
    try:
        made = incrowd.anonymize(incrowd.read(lazy, most_combinations=60), job(models, search))
    except IncrowdError as error:
        # It does without a bound, too.
        if "most_combinations" not in str(error):
            with pytest.raises(type(error)):
                incrowd.anonymize(lazy, job(models, search))
        return
    same(made, incrowd.anonymize(lazy, job(models, search, minimum=floors(made))))


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many combinations each count of this process had."""
    found: list[int] = []
    count = FrameSource._group_by

    def counted(self: FrameSource, columns: Any, watch: Watch) -> FrequencySet:
        made = count(self, columns, watch)
        found.append(made.combinations)
        return made

    monkeypatch.setattr(FrameSource, "_group_by", counted)
    return found


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark"])
def test_every_engine(build: Build, fetched: list[int], engine: str) -> None:
    """No count of a run has more; the release is that of a frame in memory with the floor as minimum."""
    given = build(engine, LARGE)
    made = incrowd.anonymize(incrowd.read(given, most_combinations=60), job())
    assert made.verdict.word == "verified"
    assert type(made.frame) is type(given)
    assert max(fetched) <= 60
    raised = floors(made)
    same(made, incrowd.anonymize(pl.from_arrow(LARGE), job(minimum=raised)))
    assert FrameSource(LARGE).count(QUASI, Watch()).combinations > 60


def test_what_is_not_checked_is_said() -> None:
    """Kept columns and identifiers beside quasi-identifiers are counted only if they fit."""
    lazy = pl.from_arrow(LARGE).lazy()
    for role, words in (("keep", "kept columns determine quasi-identifiers"), ("identifier", "records repeat people")):
        # There is room for the quasi-identifiers alone: the floor is that of the job's minima.
        for most in (60, 120):
            described = job(columns={"name": role}, minimum={"age": 2} if most > 60 else {})
            made = incrowd.anonymize(incrowd.read(lazy, most_combinations=most), described)
            [note] = [note for note in made.notes if "was not checked" in note]
            assert note.startswith(f"whether {words} was not checked: ")
        # With room for them nothing is left out, and the warnings are those of any run.
        described = job(columns={"name": role})
        whole = incrowd.anonymize(incrowd.read(lazy, most_combinations=10_000), described)
        assert not any("not checked" in note for note in whole.notes)
        assert whole.verdict.warnings == incrowd.anonymize(lazy, described).verdict.warnings


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"search": "mondrian"}, "this search does not work along hierarchies"),
        ({"search": "local_suppression"}, "nothing may be generalized"),
        ({"columns": {"name": "person"}}, "people are counted"),
        (
            {"columns": {"post": {"role": "quasi", "limit": 0}, "age": {"role": "quasi", "limit": 0}}},
            "there are more than",
        ),
    ],
)
def test_refused(change: dict[str, Any], words: str) -> None:
    """What needs all combinations is refused in one line, with the limit's name."""
    lazy = pl.from_arrow(LARGE).lazy()
    with pytest.raises(IncrowdError, match=words) as refused:
        incrowd.anonymize(incrowd.read(lazy, most_combinations=20), job(**change))
    assert "most_combinations" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_levels_of_an_earlier_release_are_refused() -> None:
    """They may be below the floor, where a representative is not the value."""
    lazy = pl.from_arrow(LARGE).lazy()
    record = incrowd.anonymize(lazy, job(("k_anonymity:k=2",), minimum={"weight": 1})).record
    with pytest.raises(UsageError, match="an earlier release may have lower levels"):
        incrowd.apply(record, incrowd.read(lazy, most_combinations=20))
    assert incrowd.apply(record, incrowd.read(lazy, most_combinations=10_000)).verdict.word == "verified"


def test_auto_takes_a_search_along_hierarchies() -> None:
    made = incrowd.anonymize(incrowd.read(pl.from_arrow(LARGE).lazy(), most_combinations=60), job(search="auto"))
    assert made.verdict.word == "verified"
    tried = {each["search"]: each for each in made.details["tried"]}
    assert tried["optimal"]["score"] is not None
    assert tried["mondrian"]["score"] is None
    assert "does not work along hierarchies" in tried["mondrian"]["why"]


def test_other_questions_are_refused() -> None:
    """A diagnosis needs all combinations."""
    source = incrowd.read(pl.from_arrow(LARGE).lazy(), most_combinations=20)
    with pytest.raises(IncrowdError, match=r"more than 20 combinations of 'age', 'post'.*most_combinations"):
        incrowd.diagnose(source).k(["age", "post"])
    assert incrowd.diagnose(source).k(["post"]) > 1


@pytest.mark.parametrize("most", [0, -1, 1.5, "many"])
def test_no_number(most: Any) -> None:
    with pytest.raises(UsageError, match="most_combinations"):
        incrowd.read(pl.from_arrow(LARGE).lazy(), most_combinations=most)


def test_files_have_no_bound(tmp_path: Any) -> None:
    (tmp_path / "a.csv").write_text("age\n1\n")
    with pytest.raises(UsageError, match="most_combinations"):
        incrowd.read(tmp_path / "a.csv", most_combinations=5)
