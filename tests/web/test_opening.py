"""A job file or an ANON definition that is opened for a table fills in the pages."""

from pathlib import Path
from typing import Any

import pytest

from incrowd.errors import IncrowdError, JobError
from incrowd.jobs import Job
from incrowd.service.references import Held
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.job_import import JobImport
from web.driving import VERIFIED, Browser

DEFINITION = """<ANON>
  <Parameters>
    <k>3</k><max_supp>4</max_supp><search type="best_first"/>
    <missing handling="extended"><null_string value="NULL"/></missing>
  </Parameters>
  <Datasource><source location="elsewhere.csv"/></Datasource>
  <Output location="out.xml"/>
  <Attributes>
    <k-attribute name="age" priority="2" limit="1"/><k-attribute name="region"/>
    <l-attribute name="disease"><l-diversity type="distinct" l="2"/></l-attribute>
  </Attributes>
  <GeneralizationHierarchies>
    <hierarchy attribute="age" by="intervals:widths=5"/>
    <hierarchy attribute="region"><level loss="0"/><level loss="0.4"/><level loss="1"/>
      <value name="*"><value name="up"><value name="N"/></value>
      <value name="down"><value name="S"/><value name="E"/><value name="W"/><value name="NULL"/></value></value>
    </hierarchy>
  </GeneralizationHierarchies>
</ANON>"""
FILES = {
    "f1": Held("f1", "people.csv", "delimited", ".csv", Path("/x/people.csv")),
    "age.csv": Held("h1", "age.csv", "hierarchy", ".csv", Path("/x/age.csv")),
    "h1": Held("h1", "age.csv", "hierarchy", ".csv", Path("/x/age.csv")),
}


def opened(text: str, name: str) -> JobImport:
    draft = Draft("f1", roles=dict.fromkeys(["age", "region", "disease", "note"], "keep"), inspection={"records": 40})
    found = JobImport(draft, FILES.get)
    found.fill(text, name)
    return found


def test_a_definition_fills_the_draft() -> None:
    found = opened(DEFINITION, "anon.xml")
    draft = found.draft
    assert found.notes == []
    assert draft.roles == {"age": "quasi", "region": "quasi", "disease": "sensitive", "note": "drop"}
    assert (draft.k, draft.suppress, draft.search, draft.output) == (3, 0.1, "best_first", ".xml")
    assert (draft.priorities, draft.limits, draft.missing) == ({"age": 2}, {"age": 1}, ["NULL"])
    assert list(draft.hierarchies["age"]) == ["intervals"]
    assert draft.details == {"region": {"losses": [0, 0.4, 1]}}
    assert draft.models == [{"distinct_l": {"l": 2, "column": "disease"}}]
    job = Job.from_dict(draft.job())
    assert (job.budget(40), type(job.metric).__name__) == (4, "WeightedLoss")


def test_a_job_and_the_draft_of_it_are_the_same() -> None:
    plain: dict[str, Any] = {
        "data": "f1",
        "output": "release.csv",
        "columns": {
            "age": {"role": "quasi", "hierarchy": "age.csv", "minimum": 1},
            "region": {"role": "quasi"},
            "disease": {"role": "sensitive"},
            "note": {"role": "keep"},
        },
        "models": [
            {"k_anonymity": {"k": 4}},
            {"t_closeness": {"t": 0.3, "column": "disease"}},
            "p_sensitive:p=2,k=4,column=disease",
        ],
        "suppress": 0.05,
        "nulls": "basic",
        "metric": "entropy",
        "search": {"scored": {"score": {"eta": {"d": 3}}, "sample_k": 2}},
        "seed": 7,
    }
    found = opened(Job.from_dict(plain).to_yaml(), "job.yaml")
    again = found.draft.job()
    assert again["columns"]["age"]["hierarchy"] == {"levels": {"path": "h1"}}
    again["columns"]["age"]["hierarchy"] = "age.csv"
    assert Job.from_dict(again) == Job.from_dict(plain)


def test_what_cannot_be_taken_over_is_noted() -> None:
    text = """
columns:
  age: {role: quasi, hierarchy: ../../else/other.csv}
  town: {role: quasi}
  disease: {role: sensitive}
models:
  - {distinct_l: {l: 2, column: disease}}
  - range_diversity:c=0.5,column=disease,policy=/etc/passwd
population: everybody.csv
search: mondrian:cuts=relaxed
data: [a.csv, b.csv]
"""
    found = opened(text, "job.yml")
    assert [note.split(":")[0] for note in found.notes] == [
        "Population not found",
        "Hierarchy of age not found",
        "Model with a policy file skipped",
        "The file names several sources; it was applied to this table only.",
        "Columns not in the table",
        "No k-anonymity in the file",
    ]
    assert found.draft.expert["search"] == "mondrian:cuts=relaxed"
    assert found.draft.job()["models"][0] == {"k_anonymity": {"k": 2}}


@pytest.mark.parametrize(
    ("text", "name", "error"),
    [
        ("columns: {age: {role: quasy}}\nmodels: ['k_anonymity:k=2']", "job.yaml", JobError),
        ("<ANON><Parameter/></ANON>", "job.xml", JobError),
        ("[1]", "job.json", IncrowdError),
        ("age", "job.csv", IncrowdError),
    ],
)
def test_a_file_with_faults_is_refused(text: str, name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        opened(text, name)


def test_the_pages_show_what_was_opened(browser: Browser, table: Path) -> None:
    path = table.with_name("anon.xml")
    path.write_text(DEFINITION)
    browser.open(table)
    browser.click("open-job")
    browser.drop("job-drop", path)
    browser.text("opened")
    browser.until(lambda: "2 quasi-identifiers, 1 sensitive" in browser.text("summary"), "the roles")
    browser.click("step-hierarchies")
    browser.click("hierarchy-of-1")
    browser.until(lambda: "down" in browser.text("levels-table"), "the tree")
    browser.click("step-privacy")
    assert browser.find("k").get_attribute("value") == "3"
    assert browser.find("limit-0").get_attribute("value") == "1"
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    assert "weighted loss (minimized)" in browser.text("summary")
    browser.tab("files")
    assert "--search best_first" in browser.text("command")


def test_what_a_job_says_of_people_is_taken_over() -> None:
    columns = {
        "age": {"role": "quasi", "person": True},
        "region": {"role": "quasi"},
        "note": {"role": "person"},
        "disease": {"role": "keep"},
    }
    plain = {"data": "f1", "columns": columns, "models": [{"k_anonymity": {"k": 4}}], "knows": 4}
    given = Job.from_dict({**plain, "suppress": {"share": 0.1, "of": "people", "whole": True}})
    again = Job.from_dict(opened(given.to_yaml(), "job.yaml").draft.job())
    assert (again.knows, again.suppress, again.person) == (given.knows, given.suppress, given.person)
