"""Whole runs of the searches by clusters: files, frames, forms, and every model at once."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.errors import Infeasible, JobError
from local.test_runs import ROWS, SIZES, TREE

SEARCHES: list[Any] = [
    "k_members",
    {"k_members": {"block": None, "refine": 0, "measure": "height"}},
    {"k_members": {"objective": "protection", "starts": 3}},
    "microaggregation",
    "microaggregation:block=20",
]


def job(**changes: Any) -> dict[str, Any]:
    """A local job over the rows."""
    return {
        "columns": {
            "age": {"role": "quasi", "domain": [0, 100], "priority": 2},
            "place": {"role": "quasi", "hierarchy": TREE},
            "size": {"role": "quasi", "scale": list(SIZES)},
            "mark": {"role": "quasi"},
            "disease": {"role": "sensitive"},
            "note": {"role": "keep"},
        },
        "models": ["k_anonymity:k=4", "distinct_l:l=2,column=disease", "t_closeness:t=0.4,column=disease"],
        **changes,
    }


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_a_file_is_verified_with_its_record(tmp_path: Path, search: Any) -> None:
    pd.DataFrame(ROWS * 2).to_csv(tmp_path / "rows.csv", index=False)
    output = tmp_path / "release.csv"
    given = job(data=str(tmp_path / "rows.csv"), output=str(output), search=search)
    release = incrowd.anonymize(None, given)
    assert release.manifest.smallest >= 4
    assert incrowd.verify(output, record=release.record_file).holds
    assert sorted(pd.read_csv(output)["note"]) == sorted(row["note"] for row in ROWS * 2)
    again = incrowd.anonymize(None, {**given, "output": str(tmp_path / "again.csv")})
    assert again.figures.scores == release.figures.scores
    assert (tmp_path / "again.csv").read_bytes() == output.read_bytes()


@pytest.mark.parametrize("search", ["k_members", "microaggregation"])
def test_means_and_modes_of_groups(search: str) -> None:
    columns = job()["columns"]
    columns["age"]["form"], columns["size"]["form"], columns["mark"]["form"] = "mean", "median", "mode"
    release = incrowd.anonymize(pd.DataFrame(ROWS), job(columns=columns, search=search))
    assert release.verdict.holds
    assert release.manifest.smallest >= 4


def test_less_is_lost_than_by_cuts() -> None:
    losses = [
        incrowd.anonymize(pd.DataFrame(ROWS), job(models=["k_anonymity:k=4"], search=search)).figures.scores["loss"]
        for search in ("k_members", "mondrian")
    ]
    assert losses[0] < losses[1]


def test_no_release() -> None:
    with pytest.raises(Infeasible, match="k_members found no release"):
        incrowd.anonymize(pd.DataFrame(ROWS[:3]), job(search="k_members"))


def test_faults_of_options_are_told_with_the_job() -> None:
    with pytest.raises(JobError, match="refine of k_members is -2"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(search={"k_members": {"refine": -2}}))
