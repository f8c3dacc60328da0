"""The whole way through the app, as a steward goes it."""

from pathlib import Path

import pytest

from incrowd import api
from web.axe import violations
from web.downloads import downloaded, released
from web.driving import EXAMPLE, VERIFIED, Browser, Server

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult"


@pytest.mark.core
def test_from_a_file_to_a_verified_release(server: Server, browser: Browser, tmp_path: Path) -> None:
    browser.requests()
    browser.go("/")
    browser.find("drop")
    assert violations(browser) == {}
    browser.open_by_hand(EXAMPLE)
    assert browser.text("summary").startswith("5,000 records, 10 columns: 1 for the person, 7 quasi-identifiers")
    for column in (4, 6, 9):
        browser.choose(f"role-{column}", "drop")
    browser.until(lambda: "3 dropped" in browser.text("summary"), "the new roles")
    assert violations(browser) == {}

    browser.click("next")
    dropped = ("marital_status", "occupation", "income")
    inspected = api.inspect(str(EXAMPLE)).columns
    quasi = [each.name for each in inspected if each.role == "quasi" and each.name not in dropped]
    person = ["name", "birth_date"]
    assert browser.text("sentence") == api.diagnose(str(EXAMPLE), person=person).ask(k=5, quasi=quasi).sentence
    browser.toggle("columns-kind", "asked: which sets?")
    browser.click("ask")
    sets = api.diagnose(str(EXAMPLE), quasi, person=person).ask(k=5).sentence
    browser.until(lambda: browser.text("sentence") == sets, "the sets")
    assert "k = 1" in browser.text("explored")
    browser.click("without-0")
    browser.until(lambda: browser.text("explored").startswith("sex: k = 14"), "a step in the lattice")
    browser.click("with-0")
    browser.until(lambda: not browser.text("explored").startswith("sex: k = 14"), "a step back")
    browser.pick("all-sets", "k = 2: postcode")
    browser.until(lambda: browser.text("explored").startswith("postcode: k = 2"), "a set picked in the picture")
    assert violations(browser) == {}

    browser.click("next")
    browser.click("hierarchy-of-2")
    browser.choose("builder", "mask")
    browser.type("option-steps", "1, 2")
    browser.click("build")
    browser.until(lambda: "mask:steps=1/2" in browser.text("levels"), "the hierarchy")
    assert violations(browser) == {}

    browser.click("next")
    browser.type("model-0-l", "3")
    browser.choose("search", "optimal")
    assert violations(browser) == {}
    browser.click("go")
    assert browser.text("sentence").partition(".")[0].endswith("smallest class: 5 people")
    assert browser.text("verdict") == VERIFIED
    assert violations(browser) == {}
    browser.tab("lattice")
    assert "this release" in browser.text("node-0")
    assert "loss " in browser.text("lattice-picture")
    browser.tab("data")
    # People are counted, and the smallest classes come first.
    browser.until(lambda: "20.0%" in browser.text("records-release"), "the release")
    name = browser.driver.execute_script("return document.querySelector('.ag-cell[col-id=o0]').innerText")
    assert f"\n{name}," in EXAMPLE.read_text()
    assert name not in browser.text("records-release")
    browser.tab("risk")
    assert "5,000" in browser.text("risk-table")
    browser.tab("utility")
    assert "ambiguity" in browser.text("utility-table")
    browser.tab("columns")
    browser.until(lambda: browser.find("spread-bars").find_elements("css selector", "svg"), "the chart")
    browser.tab("files")
    assert "--person birth_date" in browser.text("command")
    assert "--suppress 0.02" in browser.text("command")
    assert "incrowd.anonymize" in browser.text("script")
    assert "distinct_l:l=3,column=diagnosis" in browser.text("command")
    assert violations(browser) == {}
    report = downloaded(browser, "download-report-external-html", tmp_path / "report.html").read_text()
    assert "Agnieszka Mazur" not in report

    browser.tab("overview")
    browser.type("whatif-k", "10")
    browser.click("whatif-try")
    assert browser.text("whatif-row-0").startswith("10")
    release = released(browser, tmp_path)
    # People are counted, which the release alone does not show.
    assert api.verify(release).word == "incomplete"
    browser.tab("overview")
    browser.click("whatif-make-0")
    browser.shows("Request: k = 10")
    assert "smallest class: 1" in browser.text("sentence")

    browser.click("step-releases")
    browser.click("choose-0")
    assert violations(browser) == {}
    browser.click("choose-1")
    browser.click("compare")
    browser.find("risk-map")
    assert "ambiguity" in browser.text("metrics-table")
    assert violations(browser) == {}
    assert browser.complaints() == []
    hosts = {address.split("/")[2] for address in browser.requests() if address.startswith(("http", "ws"))}
    assert hosts == {f"127.0.0.1:{server.port}"}


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult data are not beside the project")
def test_adult(server: Server, browser: Browser, tmp_path: Path) -> None:
    browser.open_by_hand(ADULT / "adult-train.csv")
    browser.click("missing-texts")
    browser.type("missing", "?")
    before = browser.find("column-grid").get_attribute("id")
    browser.click("look-again")
    # What is chosen before the table was read again is chosen on a page that goes away.
    browser.until(lambda: browser.find("column-grid").get_attribute("id") != before, "the columns, read again")
    assert browser.text("summary").startswith("32,561 records")
    names = (ADULT / "adult-train.csv").read_text().partition("\n")[0].split(",")
    wanted = {"age": "quasi", "marital-status": "quasi", "race": "quasi", "sex": "quasi", "occupation": "sensitive"}
    for at, name in enumerate(names):
        if not browser.text(f"role-{at}").startswith(wanted.get(name, "drop")):
            browser.choose(f"role-{at}", wanted.get(name, "drop"))
    browser.until(lambda: "4 quasi-identifiers" in browser.text("summary"), "the roles")

    browser.click("step-hierarchies")
    browser.click("hierarchy-of-1")
    browser.text("levels-table")
    browser.choose("builder", "file")
    browser.drop("hierarchy-drop", ADULT / "hierarchies" / "marital-status.csv")
    browser.until(lambda: "Built from a file" in browser.text("levels"), "the hierarchy")

    browser.click("step-privacy")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    assert api.verify(released(browser, tmp_path)).holds
