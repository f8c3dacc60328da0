"""A release of several tables in a notebook, as frames and in a pickle; and what it warns of."""

import pickle
from copy import copy, deepcopy

import pandas as pd
import polars as pl
import pytest

import incrowd
from incrowd.errors import UsageError
from incrowd.linked import LinkedResult
from linked_sets import Frames, job_of, small_set

NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def frames() -> Frames:
    return small_set(2, people=40)


@pytest.fixture(scope="module")
def made(frames: Frames) -> LinkedResult:
    return incrowd.anonymize(frames, job_of(frames))


def test_the_first_look(made: LinkedResult) -> None:
    """The answer first, a row for each table, and what can be done next; no cell of a record."""
    page = made._repr_html_()
    assert f"<strong>Verified: {made.manifest.people} people in 4 tables" in page
    assert all(f">{name}</td>" in page for name in ("people", "visits", "tests", "drugs"))
    assert "made.frames has the tables" in page or "Next: " in page
    assert not any(cell in page for cell in ("gout", "cold", "flu"))
    assert len(repr(made)) < 100
    assert repr(made).startswith("<Anonymized: 4 tables about ")


def test_names_of_columns_are_escaped(frames: Frames) -> None:
    named = {**frames, "people": frames["people"].rename(columns={"sex": NASTY})}
    job = job_of(frames)
    job["tables"]["people"]["columns"][NASTY] = job["tables"]["people"]["columns"].pop("sex")
    page = incrowd.anonymize(named, job)._repr_html_()
    assert "<img" not in page
    assert "&lt;img" in page


def test_frames(made: LinkedResult) -> None:
    """The result is a row for each table."""
    rows = made.to_rows()
    assert [row["table"] for row in rows] == ["people", "visits", "tests", "drugs"]
    assert [row["records"] for row in rows] == [len(made.frames[row["table"]]) for row in rows]
    assert made.to_pandas().astype(object).where(lambda of: of.notna(), None).to_dict("records") == rows
    assert made.to_polars().to_dicts() == rows
    assert isinstance(made.to_pandas(), pd.DataFrame)
    assert isinstance(made.to_polars(), pl.DataFrame)


def test_a_pickle_leaves_out_the_private_record(made: LinkedResult) -> None:
    assert made.record.quasi
    assert copy(made).record is deepcopy(made).record is made.record
    stored = pickle.dumps(made)
    assert type(made.record).__name__.encode() not in stored
    again = pickle.loads(stored)
    assert not again.has_record
    assert again.manifest == made.manifest
    assert again.to_rows() == made.to_rows()
    assert all(again.frames[name].equals(frame) for name, frame in made.frames.items())
    assert "Verified: " in again._repr_html_()
    assert str(again)
    with pytest.raises(UsageError, match="a pickle of a release leaves it out"):
        _ = again.record
    # The release can still be shown to hold.
    assert incrowd.verify(again.frames, again.manifest).holds


def test_other_results_of_sets(made: LinkedResult, frames: Frames) -> None:
    """Each has a page, frames and a pickle that says the same."""
    diagnosis = incrowd.diagnose(incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames))
    of_records = incrowd.measure(frames, made, metrics=["loss"])
    for each in (diagnosis.ask(k=2), incrowd.attack(made), incrowd.risk(made), of_records, incrowd.report(made)):
        assert each._repr_html_().startswith("<div")
        rows = each.to_rows()
        assert len(rows) == len(each.to_pandas()) == len(each.to_polars()) > 0
        again = pickle.loads(pickle.dumps(each))
        assert (again.to_rows(), str(again)) == (rows, str(each))
    assert "average risk" in incrowd.risk(made).plot()


@pytest.mark.parametrize(("column", "role"), [("note", "keep"), ("bill", "sensitive")])
def test_a_nearly_unique_column_is_warned_of(column: str, role: str, frames: Frames) -> None:
    """By its table and name, in the result, its page, the verdict, and where frames are verified again."""
    noted = {**frames, "visits": frames["visits"].assign(**{column: range(len(frames["visits"]))})}
    job = job_of(noted)
    job["tables"]["visits"]["columns"][column] = role
    made = incrowd.anonymize(noted, job)
    warned = f"the {'kept' if role == 'keep' else role} column 'visits.{column}' is unique"
    for warnings in (made.verdict.warnings, made.to_dict()["warnings"]):
        assert [warned in warning for warning in warnings].count(True) == 1
    assert f"Warning: {warned}" in str(made)
    assert "visits." + column in made._repr_html_()
    again = incrowd.verify(made.frames, made.manifest)
    assert again.holds
    assert any(warned in warning for warning in again.warnings)


def test_a_column_of_few_values_is_not_warned_of(made: LinkedResult, frames: Frames) -> None:
    """Nor is one in which two records share each value, as a mean."""
    assert made.verdict.warnings == ()
    n = len(frames["visits"])
    noted = {**frames, "visits": frames["visits"].assign(note=[at // 4 for at in range(n)])}
    job = job_of(noted, suppress=0.9)
    job["tables"]["visits"]["columns"]["note"] = "keep"
    assert incrowd.anonymize(noted, job).verdict.warnings == ()
