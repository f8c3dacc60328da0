"""Any frame in, the same kind out: every engine gives the release that the others give."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.hospital import MODELS, PATIENTS, PUBLISHED, ROLES, hospital_job, in_arrow, tight_job
from anonymization.reading import Rows, picked, read_file
from anonymization.runs import Job, files, refused, verified
from engines.publishing import cells_of
from engines.same_rows import ENGINES
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import JobError, NotVerified, UsageError

Build = Callable[[str, pa.Table], Any]

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    # PySpark 4.3 warns of pandas 3 wherever Arrow goes to a worker.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

HOLES = [{**person, "zip": None if at % 9 == 0 else person["zip"]} for at, person in enumerate(PATIENTS)]
"""The patients, some without a zip code."""

JOBS: dict[str, Job] = {
    "by column": tight_job(),
    "set aside": tight_job(nulls="basic"),
    "wildcards": tight_job({"k_anonymity": {"k": 3}}, nulls="maybe"),
    "from cell to cell": tight_job({"k_anonymity": {"k": 3}}, search={"scored": {"partial": True}}),
    "in boxes": hospital_job(*MODELS, search="mondrian"),
    "compared": tight_job({"t_closeness": {"t": 0.4, "column": "disease"}}, suppress=30),
}


SHAPES = ("by column", "from cell to cell", "in boxes")


def table() -> pa.Table:
    """The patients in Arrow."""
    return in_arrow(HOLES).set_column(2, "zip", pa.array([person["zip"] for person in HOLES], pa.string()))


def rows_of(frame: Any) -> Rows:
    """A frame of any engine as rows of text."""
    cells = cells_of(frame)
    return picked([dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)], list(cells))


def counted(rows: Rows) -> "Counter[str]":
    return Counter(map(str, rows))


@pytest.fixture(scope="module")
def by_arrow() -> dict[str, AnonymizationResult]:
    """What all engines must find."""
    return {name: incrowd.anonymize(table(), described) for name, described in JOBS.items()}


# Spark takes seconds for each of them, and none is another to it but the two kinds of recoding.
@pytest.mark.parametrize(
    ("engine", "name"),
    [(engine, name) for engine in ENGINES for name in JOBS if engine != "spark" or name in SHAPES],
)
def test_the_same_release_of_the_same_kind(
    build: Build, by_arrow: dict[str, AnonymizationResult], engine: str, name: str, tmp_path: Path
) -> None:
    given = build(engine, table())
    made = verified(incrowd.anonymize(given, {**JOBS[name], "output": str(tmp_path / "release.csv")}))
    expected = by_arrow[name]
    assert type(made.frame) is type(given)
    rows = rows_of(made.frame)
    assert list(rows[0]) == PUBLISHED
    assert counted(rows) == counted(rows_of(expected.frame)) == counted(read_file(tmp_path / "release.csv"))
    # The server of the tests sorts texts as texts, not as a language has them.
    assert rows == rows_of(expected.frame)
    claims = replace(made.manifest, data=expected.manifest.data)
    assert claims == expected.manifest


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_a_frame_alone(build: Build, by_arrow: dict[str, AnonymizationResult], engine: str, tmp_path: Path) -> None:
    made = incrowd.anonymize(build(engine, table()), JOBS["by column"])
    assert made.verdict.holds
    assert (made.output, made.manifest_file, made.record_file) == (None, None, None)
    assert counted(rows_of(made.frame)) == counted(rows_of(by_arrow["by column"].frame))
    assert made.manifest.data.kind == "frame"
    assert made.manifest.data.columns == tuple(PUBLISHED)
    # The frame that was given is as it was.
    assert files(tmp_path) == set()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_does_not_verify_is_not_given(build: Build, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import searching

    monkeypatch.setattr(searching, "kept_combinations", lambda lattice, _: lattice.combinations.counts > 0)
    described = tight_job({"k_anonymity": {"k": 3}}, nulls="extended")
    refused(NotVerified, lambda: incrowd.anonymize(build(engine, table()), described))


@pytest.mark.parametrize("engine", ENGINES)
def test_texts_that_stand_for_missing(build: Build, engine: str) -> None:
    """They are counted as missing, and published so, whatever the level."""
    odd = table().set_column(2, "zip", pa.array([person["zip"] or "?" for person in HOLES], pa.string()))
    for limit in (0,) if engine == "spark" else (0, 1, 4):
        described = tight_job({"k_anonymity": {"k": 1}}, data={"source": "a frame", "missing": ["?"]})
        described["columns"] = {**described["columns"], "zip": {**ROLES["zip"], "limit": limit, "minimum": limit}}
        made = incrowd.anonymize(build(engine, odd), described)
        cells = [row["zip"] for row in rows_of(made.frame)]
        assert "?" not in cells
        assert cells.count(None) == (sum(1 for person in HOLES if person["zip"] is None) if limit < 4 else 0)


@pytest.mark.parametrize("engine", ["ibis_sqlite", "duckdb"])
def test_frames_that_the_job_cannot_use_are_refused_by_name(build: Build, engine: str) -> None:
    words = refused(JobError, lambda: incrowd.anonymize(build(engine, table().drop(["sex"])), tight_job()))
    assert "columns.sex: the data have no such column" in words


def test_several_frames_need_an_output(tmp_path: Path) -> None:
    half = table().slice(0, 30), table().slice(30)
    words = refused(UsageError, lambda: incrowd.anonymize(list(half), JOBS["by column"]))
    assert "it names no output" in words
    output = str(tmp_path / "release.csv")
    made = verified(incrowd.anonymize(list(half), {**JOBS["by column"], "output": output}))
    assert read_file(Path(output)) == rows_of(incrowd.anonymize(table(), JOBS["by column"]).frame)
    assert made.frame is None


# What a frame carries beside its cells.


@pytest.mark.parametrize("engine", ["pandas", "pyarrow"])
def test_categories_of_suppressed_records_are_not_in_the_release(engine: str) -> None:
    ages, sexes = [31, 31, 31, 42, 42, 42, 99], ["m", "m", "m", "f", "f", "f", "secret sex"]
    diseases = ["flu", "gout", "flu", "flu", "gout", "flu", "secret disease"]
    coded = pa.table(
        {
            "age": ages,
            "sex": pa.array(sexes).dictionary_encode(),
            "disease": pa.array(diseases).dictionary_encode(),
        }
    )
    described: Job = {
        "columns": {
            "age": {"role": "quasi", "limit": 0},
            "sex": {"role": "quasi", "limit": 0},
            "disease": {"role": "sensitive"},
        },
        "models": [{"k_anonymity": {"k": 3}}],
        "suppress": 1,
    }
    made = incrowd.anonymize(coded.to_pandas() if engine == "pandas" else coded, described)
    assert made.manifest.suppressed == 1
    assert "secret" not in str(categories(engine, made.frame))


def categories(engine: str, frame: Any) -> list[str]:
    """Everything that the columns know of their values."""
    if engine == "pandas":
        return [str(list(frame[name].cat.categories)) for name in ("sex", "disease")]
    return [str(chunk.dictionary.to_pylist()) for name in ("sex", "disease") for chunk in frame[name].chunks]


def test_labels_of_pandas_rows_do_not_tell_who_is_who() -> None:
    given = table().to_pandas().set_index("name", drop=False)
    made = incrowd.anonymize(given, JOBS["by column"])
    assert not set(map(str, made.frame.index)) & set(given["name"])
