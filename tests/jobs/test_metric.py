"""Losses that a job declares: they are what the search minimizes, unless the job names another metric."""

import shlex
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.errors import JobError
from incrowd.jobs import Job, job_from_options
from jobs.command_line import options_of

TREE = {"tree": {"groups": {"*": ["1", "2"]}}}
COLUMNS = {
    "a": {"role": "quasi", "hierarchy": TREE, "losses": [0, 0.9]},
    "b": {"role": "quasi", "hierarchy": TREE, "losses": [0, 0.1]},
}
XML = """<ANON>
  <Parameters><k>2</k></Parameters>
  <Datasource><source location="t.csv"/></Datasource>
  <Output location="out.csv"/>
  <Attributes><k-attribute name="a"/><k-attribute name="b"/></Attributes>
  <GeneralizationHierarchies>
    <hierarchy attribute="a"><level loss="0"/><level loss="0.9"/>
      <value name="*"><value name="1"/><value name="2"/></value></hierarchy>
    <hierarchy attribute="b"><level loss="0"/><level loss="0.1"/>
      <value name="*"><value name="1"/><value name="2"/></value></hierarchy>
  </GeneralizationHierarchies>
</ANON>"""


def job(**more: Any) -> Job:
    plain = {"data": "t.csv", "output": "out.csv", "columns": COLUMNS, "models": ["k_anonymity:k=2"]}
    return Job.from_dict({**plain, **more})


def parsed(command: str) -> Job:
    return job_from_options(options_of(shlex.split(command)[2:]))


def name(of: Job) -> str:
    return type(of.metric).__name__


def test_every_form_of_a_job_with_losses_means_weighted_loss(tmp_path: Path) -> None:
    (tmp_path / "job.xml").write_text(XML)
    found = Job.from_file(tmp_path / "job.xml")
    assert found == job()
    assert name(found) == "WeightedLoss"
    assert "metric" not in found.to_dict()
    for suffix, text in ((".yaml", found.to_yaml()), (".json", found.to_json()), (".xml", found.to_xml())):
        (tmp_path / f"again{suffix}").write_text(text)
        assert Job.from_file(tmp_path / f"again{suffix}") == found
    assert parsed(job().to_command()) == job()
    script = job().to_script().replace("release = ", "# ")
    namespace: dict[str, Any] = {}
    exec(script, namespace)
    assert namespace["job"] == job()


def test_a_metric_that_is_named_wins_and_is_written(tmp_path: Path) -> None:
    found = job(metric="loss")
    assert name(found) == "Loss"
    assert found.to_dict()["metric"] == "loss"
    assert Job.from_dict(found.to_dict()) == found
    assert parsed(found.to_command()) == found
    assert name(job(metric="weighted_loss")) == "WeightedLoss"
    assert name(Job.from_dict({"columns": {"a": {"role": "quasi"}}, "models": ["k_anonymity:k=2"]})) == "Loss"


@pytest.mark.parametrize("search", ["fewest_cells", "local_suppression", "consistent"])
def test_searches_that_minimize_loss_keep_to_it(search: str) -> None:
    more = {"models": ["consistent_k:k=2"]} if search == "consistent" else {}
    assert name(job(search=search, **more)) == "Loss"


def test_losses_are_still_refused_where_there_are_no_levels() -> None:
    with pytest.raises(JobError, match="local searches do not use levels"):
        job(search="mondrian")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b\n1,1\n1,2\n2,1\n2,2\n")


def reported(audience: str) -> str:
    return incrowd.report("out.csv", audience).to_markdown().replace("\\", "")


@pytest.mark.usefixtures("table")
def test_the_release_is_the_one_with_the_least_declared_loss() -> None:
    made = incrowd.anonymize(job=job())
    assert made.levels == {"a": 0, "b": 1}
    assert made.figures.scores["weighted_loss"] == 0.1
    assert (made.notes, made.to_dict()["metric"], made.to_dict()["notes"]) == ((), "weighted_loss", [])
    swapped = {"a": {**COLUMNS["a"], "losses": [0, 0.1]}, "b": {**COLUMNS["b"], "losses": [0, 0.9]}}
    other = incrowd.anonymize(job=job(columns=swapped, output={"to": "out.csv", "replace": True}))
    assert other.levels == {"a": 1, "b": 0}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"metric": "precision"}, "the job names the metric precision."),
        ({"search": "local_suppression"}, "the search local_suppression minimizes loss."),
    ],
)
def test_losses_that_nothing_uses_are_pointed_out(more: dict[str, Any], reason: str) -> None:
    made = incrowd.anonymize(job=job(**more))
    [note] = made.notes
    assert note.startswith(f"The losses declared for 'a', 'b' are not used: {reason}")
    assert f"Note: {note}" in str(made)
    assert note in made.to_dict()["notes"]
    assert note in reported("internal")
    assert note not in reported("external")


@pytest.mark.usefixtures("table")
def test_best_first_speaks_of_the_score_that_it_minimizes() -> None:
    made = incrowd.anonymize(job=job(search="best_first", metric="loss"))
    assert made.notes == ()
    assert made.figures.scores["weighted_loss"] == 0.1
    assert "No release of this recoding type within the limits has a lower weighted_loss: 0.1." in str(made)
    assert "no release within the limits has a lower weighted_loss (0.1)" in reported("internal")
    assert "weighted_loss" not in reported("external")


@pytest.mark.usefixtures("table")
def test_a_sweep_of_a_job_with_losses() -> None:
    found = incrowd.frontier("t.csv", job(), k=[2], searches=["optimal", "mondrian"])
    assert {run.search for run in found.runs} == {"optimal", "mondrian"}
    assert "Note: full-domain searches minimize weighted_loss" in str(found)
