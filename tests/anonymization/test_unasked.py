"""The hierarchy of a sensitive column that no model looks at: kept in the private record, for attacks and reports."""

from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.errors import JobError

ROWS = "age,illness\n" + "".join(f"{20 + at},{illness}\n" for at, illness in enumerate(["flu", "cold", "ulcer"] * 4))
TREE = {"any": {"airways": ["flu", "cold"], "stomach": ["ulcer"]}}


def job(folder: Path, illness: Any, **further: Any) -> dict[str, Any]:
    (folder / "people.csv").write_text(ROWS)
    return {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [3]}}},
            "illness": {"role": "sensitive", "hierarchy": illness},
        },
        "models": ["k_anonymity:k=2"],
        "output": str(folder / "release.csv"),
        **further,
    }


@pytest.mark.parametrize("search", ["optimal", "mondrian", "layered", "anatomy"])
def test_the_record_tells_which_values_are_alike(tmp_path: Path, search: str) -> None:
    models = ["frequency_l:l=2,column=illness"] if search == "anatomy" else ["k_anonymity:k=2"]
    made = incrowd.anonymize(
        tmp_path / "people.csv", job(tmp_path, {"tree": {"groups": TREE}}, search=search, models=models)
    )
    assert {row[0] for row in made.record.ladders["illness"]} == {"flu", "cold", "ulcer"}
    [found] = incrowd.attack(tmp_path / "release.csv", attacks=["similarity"]).exposures
    assert found.records is not None
    if search == "anatomy":
        return
    assert "illness" not in made.manifest.ladders


def test_it_must_fit(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="lacks 1 of its 3 different values"):
        incrowd.anonymize(tmp_path / "people.csv", job(tmp_path, {"tree": {"groups": {"any": ["flu", "cold"]}}}))
    assert not (tmp_path / "release.csv").exists()
