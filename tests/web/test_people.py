"""The pages count people if a column has the role person."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from incrowd import api
from incrowd.web.result import attacks
from web.driving import Browser


def test_people_are_counted_on_every_page(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / "visits.csv"
    # Somebody of the north comes six times, everybody else once.
    rows = [("p00", 30, "N")] * 6 + [(f"p{at:02}", 30 + at % 3, "NSW"[at % 3]) for at in range(1, 25)]
    table.write_text("patient,age,region\n" + "".join(f"{who},{age},{region}\n" for who, age, region in rows))
    browser.open(table)
    for at, role in enumerate(("person", "quasi", "quasi")):
        browser.choose(f"role-{at}", role)
    browser.click("step-diagnose")
    expected = api.diagnose(str(table), person=["patient"]).ask(quasi=["age", "region"], k=5).sentence
    assert "30 records of 25 people" in expected
    browser.until(lambda: browser.text("sentence") == expected, expected)
    browser.until(lambda: "Every record is in a class of at least" in browser.text("explored"), "the neighbors")
    assert "people" in browser.text("explored")
    browser.click("tool-risk")
    browser.text("risk-person")
    browser.click("assess")
    risk = api.risk(str(table), ["age", "region"], person=["patient"])
    assert browser.text("risk-sentence") == f"{risk.uniques.sample} of 25 people (0.0%) are unique in these columns."
    assert "people above 20.0%" in browser.text("attackers")
    browser.choose("knows", "all records")
    browser.click("assess")
    singled = api.risk(str(table), ["age", "region"], person=["patient"], knows="history").uniques.sample
    expected = f"{singled} of 25 people (4.0%) is singled out by all records of a person."
    browser.until(lambda: browser.text("risk-sentence") == expected, expected)
    assert "Marketer" not in browser.text("attackers")
    browser.click("tool-table")
    assert "Contributors are people, identified by patient" in browser.text("table-person")


@pytest.mark.parametrize(
    ("columns", "person"),
    [
        ({"name": "person", "age": "quasi"}, ["name"]),
        (
            {"name": {"role": "person"}, "born": {"role": "quasi", "person": True}, "age": "quasi"},
            ["name", "born"],
        ),
        ({"age": "quasi"}, []),
        (["age"], []),
    ],
)
def test_the_person_of_a_release_is_that_of_its_job(columns: Any, person: list[str]) -> None:
    made: Any = SimpleNamespace(request={"job": {"data": {"source": "f1"}, "columns": columns}})
    assert attacks._person(made) == person
    assert attacks._original(made) == "f1"
    without: Any = SimpleNamespace(request={})
    assert (attacks._person(without), attacks._original(without)) == ([], None)


@pytest.mark.parametrize(
    ("chosen", "outside", "run"),
    [("2", "f1", []), ("history", "f1", [{"linkage": {"knows": "history"}}]), ("history", "f2", [])],
)
def test_linkage_alone_is_run_if_something_else_is_known(chosen: str, outside: str, run: list[Any]) -> None:
    made: Any = SimpleNamespace(request={"job": {"data": "f1", "columns": {"name": "person"}, "knows": 2}})
    form: Any = attacks.AttackForm(None, "", made)  # type: ignore[arg-type]
    form.knows_of_person, form.outside = SimpleNamespace(value=chosen), SimpleNamespace(value=outside)
    assert form._attacks() == run
    form.knows_of_person = None
    assert form._attacks() == []
