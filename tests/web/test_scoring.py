"""The options of the search `scored` are fields of the privacy page and go through to the run."""

from pathlib import Path

from incrowd.jobs import Job
from incrowd.web.parts.draft import Draft
from web.driving import VERIFIED, Browser


def test_a_draft_has_the_options_of_scored() -> None:
    options = {
        "score": {"eta": {"d": 3}},
        "p": 1,
        "sample_k": 2,
        "sample_levels": {"age": 1, "gone": 1},
        "partial": True,
    }
    draft = Draft("f1", roles={"age": "quasi", "gone": "drop"}, search="scored", scored=options)
    found = Job.from_dict(draft.job()).search
    assert (
        found
        == Job.from_dict(
            {
                "columns": {"age": {"role": "quasi"}},
                "models": ["k_anonymity:k=2"],
                "search": {"scored": {**options, "sample_levels": {"age": 1}}},
            }
        ).search
    )
    # They belong to that search alone.
    draft.search = "optimal"
    assert draft.job()["search"] == "optimal"


def test_the_fields_reach_the_run_and_stay(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-0", "quasi")
    browser.choose("role-1", "quasi")
    browser.choose("role-2", "drop")
    browser.click("step-privacy")
    browser.type("k", "3")
    browser.type("suppress", "99")
    browser.type("priority-1", "3")
    browser.type("limit-0", "2")
    browser.click("expert")
    assert not browser.all("scored-options")
    browser.choose("search", "scored")
    browser.choose("scored-score", "eta")
    browser.type("scored-score-d", "2")
    browser.type("scored-p", "1")
    browser.type("scored-sample_k", "2")
    browser.type("scored-level-0", "1")
    browser.click("scored-partial")
    browser.arrived()
    browser.driver.refresh()
    browser.click("expert")
    assert browser.find("scored-score-d").get_attribute("value") == "2"
    assert browser.find("scored-level-0").get_attribute("value") == "1"
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    assert "score s (eta), higher is better" in browser.text("summary")
    browser.tab("files")
    command = browser.text("command")
    for part in ("scored:", '"eta": {"d": 2}', "p=1", "sample_k=2", "partial=true", "--priority region=3"):
        assert part in command.replace("\\", ""), command
    assert "--limit age=2" in command
    browser.click("step-privacy")
    browser.click("expert")
    browser.choose("search", "optimal")
    browser.until(lambda: not browser.all("scored-options"), "the fields to go")
