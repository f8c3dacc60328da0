"""Releases that were made before or elsewhere: recoded anew, measured, checked, deleted."""

import json
from pathlib import Path

from incrowd import api
from web.downloads import downloaded, released
from web.driving import VERIFIED, Browser


def test_an_earlier_release_is_applied_checked_and_spoilt(browser: Browser, table: Path, tmp_path: Path) -> None:
    browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("step-privacy")
    browser.type("suppress", "50")
    browser.choose("search", "optimal")
    browser.click("go")
    browser.text("verdict")
    browser.tab("files")
    record = downloaded(browser, "download-release-csv-record-json", tmp_path / "before.record.json")

    newer = tmp_path / "newer.csv"
    newer.write_text(table.read_text() + "\n".join(table.read_text().splitlines()[1:]) + "\n")
    browser.open(newer)
    browser.click("tool-apply")
    browser.drop("record-drop", record)
    browser.shows("before.record.json (")
    browser.click("apply")
    browser.shows("Request: recoding of an earlier release")
    assert browser.text("verdict") == VERIFIED
    browser.find("summary")
    assert not browser.all("whatif")
    browser.tab("utility")
    browser.text("utility-table")
    release = released(browser, tmp_path)
    assert api.verify(release).holds
    browser.tab("attacks")
    browser.click("attack-go")
    assert "homogeneity" in browser.text("exposures")
    exposed = api.attack(release).exposed
    assert (browser.text("attack-found") == "Some attacks expose records, or may.") == exposed
    browser.click("attack-besides")
    browser.type("attack-shares", "disease=flu:0.2,cold:0.8")
    browser.click("attack-go")
    browser.until(lambda: "in the population" in browser.text("exposures"), "the population")
    browser.type("attack-shares", "disease=flu:0.9,cold:0.8")
    browser.click("attack-go")
    browser.shows("1.7")

    browser.click("to-check")
    for path in (release, release.with_name("release.csv.manifest.json")):
        browser.drop("check-drop", path)
        # Each draws the page anew, with another place for the next one.
        browser.shows(f"{path.name} (")
    browser.click("check")
    assert browser.text("check-verdict").startswith("Verified: ")
    spoilt = tmp_path / "spoilt.csv"
    spoilt.write_text(release.read_text().rstrip("\n").rpartition("\n")[0] + "\n")
    browser.drop("check-drop", spoilt)
    browser.shows("spoilt.csv (")
    browser.click("check")
    browser.until(lambda: browser.text("check-verdict").startswith("Failed: "), "the verdict")
    browser.driver.refresh()
    browser.click("delete-upload-0")
    browser.click("sure")
    browser.until(lambda: len(browser.all("delete-upload-0")) + len(browser.all("delete-upload-1")) == 1, "one less")


def test_a_release_of_another_tool_is_measured(browser: Browser, table: Path, tmp_path: Path) -> None:
    lines = table.read_text().splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join([lines[0], *(f"20-29,*,{line.split(',')[2]}" for line in lines[1:])]) + "\n")
    browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("tool-measure")
    browser.drop("measure-drop", other)
    browser.shows("other.csv")
    browser.click("measure-go")
    assert "smallest class" in browser.text("measured-table")
    found = json.loads(api.measure(str(table), [str(other)], ["age", "region"]).to_json())
    smallest = found["releases"][0]["readings"]["smallest_class"]["value"]
    assert f"smallest class {smallest:g}" in browser.text("measured-table")
