"""Full-subtree recodings of the example, from the command line: published, verified, measured, told and compared."""

import json
from pathlib import Path

import pytest

from cli.command import Command

EXAMPLES = Path(__file__).parents[2] / "examples"
QUASI = ("-q", "sex", "-q", "postcode=mask:steps=1/2", "-q", f"nationality={EXAMPLES / 'hierarchies/nationality.csv'}")
SEARCHES = {
    "genetic": "genetic:population=10,generations=10",
    "annealing": "annealing:steps=300",
    "top_down_specialization": "top_down_specialization:label=diagnosis",
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture(params=SEARCHES)
def search(request: pytest.FixtureRequest, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A search that has published the example as release.csv."""
    monkeypatch.chdir(tmp_path)
    words = (*QUASI, "-s", "diagnosis", "--model", "k_anonymity:k=20", "--model", "distinct_l:l=3,column=diagnosis")
    named = SEARCHES[request.param]
    done = run(
        "anonymize", EXAMPLES / "hospital.csv", *words, "--suppress", "0.02", "--search", named, "-o", "release.csv"
    )
    assert (done.code, done.error) == (0, "")
    assert "read again and checked: verified." in done.out
    assert f"Search {request.param}: " in done.out
    assert "recodings counted. A better release may exist." in done.out
    return str(request.param)


def test_every_verb_knows_such_releases(search: str, run: Command) -> None:
    manifest = json.loads(Path("release.csv.manifest.json").read_text(encoding="utf-8"))
    record = json.loads(Path("release.csv.record.json").read_text(encoding="utf-8"))
    figures = record["figures"]
    assert figures["search"]["lattice"] is None
    assert None in [column["level"] for column in record["quasi"]]
    verified = run("verify", "release.csv")
    assert (verified.code, verified.error) == (0, "")
    done = run("measure", EXAMPLES / "hospital.csv", "release.csv", *QUASI, "-s", "diagnosis", "--json",
               "--label", "diagnosis", "--only", "loss,classification,smallest_class")  # fmt: skip
    [measured] = json.loads(done.out)["releases"]
    assert measured["readings"]["loss"]["value"] == pytest.approx(figures["scores"]["loss"])
    assert measured["readings"]["smallest_class"]["value"] == manifest["smallest"] >= 20
    assert 0 < measured["readings"]["classification"]["value"] < 1
    told = run("report", "release.csv", "-o", "report.md")
    assert (told.code, told.error) == (0, "")
    assert search in Path("report.md").read_text(encoding="utf-8")
    refused = run("apply", "release.csv.record.json", EXAMPLES / "hospital.csv", "-o", "again.csv")
    assert refused.code == 2
    assert "cell-level recoding cannot be reused on new data" in refused.error


def test_searches_beside_each_other(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One label after the other, and full-domain releases: none is searched on what was counted for another."""
    monkeypatch.chdir(tmp_path)
    job = {
        "data": str(EXAMPLES / "hospital.csv"),
        "columns": {
            "sex": {"role": "quasi"},
            "postcode": {"role": "quasi", "hierarchy": {"mask": {"steps": [1, 2]}}},
            "nationality": {"role": "quasi", "hierarchy": str(EXAMPLES / "hierarchies/nationality.csv")},
            "diagnosis": {"role": "sensitive"},
            "occupation": {"role": "keep"},
        },
        "models": ["k_anonymity:k=5"],
    }
    Path("job.json").write_text(json.dumps(job), encoding="utf-8")
    searches = [*SEARCHES.values(), "top_down_specialization:label=occupation", "optimal"]
    done = run("frontier", "job.json", "--k", "20", "--search", ",".join(searches), "--json")
    assert done.code == 0, done.error
    runs = json.loads(done.out)["runs"]
    assert [each["search"] for each in runs] == searches
    assert all(each["feasible"] and each["k_reached"] >= 20 for each in runs)
    assert max(runs[0]["loss"], runs[1]["loss"]) <= runs[-1]["loss"] + 1e-9
