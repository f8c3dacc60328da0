"""Several tables in the web app: joined by their keys, diagnosed, published, verified and downloaded."""

import zipfile
from pathlib import Path

import incrowd
from incrowd.client import Client
from web.axe import violations
from web.downloads import downloaded
from web.driving import PATIENCE, VERIFIED, Browser
from web.test_accessibility import fits_a_phone

REGIONS, WARDS = "NSEW", "ab"


def stored(browser: Browser, folder: Path) -> dict[str, str]:
    """Forty patients with a visit each, and a lab test of every second visit, as files of the workspace."""
    tables = {
        "patients": ["patient_id,region"] + [f"p{at},{REGIONS[at % 4]}" for at in range(40)],
        "visits": ["visit,patient,ward"] + [f"{900 - at},p{at},{WARDS[at // 4 % 2]}" for at in range(40)],
        "tests": ["visit,kind"] + [f"{900 - at},{'xy'[at // 8 % 2]}" for at in range(0, 40, 2)],
    }
    found = {}
    with Client(browser.server.address, timeout=PATIENCE) as client:
        for name, lines in tables.items():
            # Other tests share the workspace.
            path = folder / f"clinic_{name}.csv"
            path.write_text("\n".join(lines) + "\n")
            found[name] = client.upload(path).id
    return found


def test_tables_are_joined_published_and_verified(browser: Browser, tmp_path: Path) -> None:
    files = stored(browser, tmp_path)
    browser.go(f"/files/{files['patients']}/linked")
    assert "one row per person" in browser.text("linked-tables")
    browser.choose("linked-file", "clinic_visits.csv")
    assert "Suggested: patient = patient_id." in browser.text("linked-suggested")
    browser.click("linked-add")
    assert browser.text("linked-1") == "clinic_visits"
    browser.choose("linked-file", "clinic_tests.csv")
    browser.text("linked-suggested")
    browser.choose("linked-of", "clinic_visits")
    browser.until(lambda: "Suggested: visit = visit. They have the same name" in browser.text("linked-suggested"), "it")
    browser.click("linked-add")
    assert browser.text("linked-2") == "clinic_tests"
    browser.go(f"/files/{files['tests']}/columns")
    browser.choose("role-1", "quasi")
    browser.arrived()
    browser.go(f"/files/{files['patients']}/linked")
    browser.type("k", "4")
    browser.choose("knows", "all records")
    browser.type("suppress", "20")
    browser.click("linked-diagnose")
    assert "all of the person's records in every other table" in browser.text("linked-singled")
    assert violations(browser) == {}
    assert fits_a_phone(browser)
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    assert "in 3 tables" in browser.text("sentence")
    bar = browser.text("verdict-bar")
    assert bar.startswith("Verified")
    assert "people alike" in bar
    assert "k = 4 satisfied" in bar
    browser.find("published-tables")
    browser.tab("attacks")
    browser.click("attack-go")
    assert browser.text("attack-found") == "None of the attackers tried exposes anybody."
    browser.tab("utility")
    browser.click("measure-go")
    assert "clinic_visits" in browser.text("measured-people")
    browser.tab("files")
    browser.find("read-internal")
    browser.click("apply-more")
    browser.click("apply-go")
    browser.until(lambda: "recoding of an earlier release" in browser.driver.page_source, "the page of the new run")
    assert browser.text("verdict") == VERIFIED
    assert violations(browser) == {}
    assert fits_a_phone(browser)
    browser.driver.back()
    downloaded(browser, "download-release-record-json", tmp_path / "record.json")
    with zipfile.ZipFile(downloaded(browser, "download-release-zip", tmp_path / "release.zip")) as archive:
        archive.extractall(tmp_path)
    table = downloaded(browser, "download-release-clinic_tests-csv", tmp_path / "tests-again.csv")
    assert table.read_bytes() == (tmp_path / "release" / "clinic_tests.csv").read_bytes()
    verdict = incrowd.verify(tmp_path / "release", record=tmp_path / "record.json")
    assert verdict.holds
    assert verdict.smallest >= 4
    browser.go("/check")
    browser.choose("check-release", "Release of clinic_patients.csv")
    browser.click("check")
    assert browser.text("check-verdict").startswith("Verified: ")
    spoilt = tmp_path / "spoilt" / "clinic_tests.csv"
    spoilt.parent.mkdir()
    spoilt.write_text(table.read_text().rstrip("\n").rpartition("\n")[0] + "\n")
    whole = [tmp_path / "release" / name for name in ("clinic_visits.csv", "clinic_patients.csv", "manifest.json")]
    for path in (spoilt, *whole):
        browser.drop("check-drop", path)
        # Each draws the page anew, with another place for the next one.
        browser.shows(f"{path.name} (")
    browser.click("check")
    browser.until(lambda: browser.text("check-verdict").startswith("Failed: "), "the verdict")
    assert "hash of clinic_tests" in browser.text("checks")
    browser.click("report-go")
    browser.find("download-report-external-html")
    browser.click("attack-go")
    browser.text("attack-found")
    assert browser.complaints() == []
