"""Expert settings are in the job, and are kept."""

from pathlib import Path

from web.driving import VERIFIED, Browser


def test_every_field_reaches_the_job(browser: Browser, table: Path) -> None:
    everybody = table.with_name("everybody.csv")
    rows = table.read_text().splitlines()
    everybody.write_text("\n".join([*rows, *rows[1:], *rows[1:]]) + "\n")
    browser.open(everybody)
    file = browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("step-privacy")
    browser.click("expert")
    browser.choose("expert-order", "as in the original")
    browser.choose("expert-nulls", "match nothing")
    browser.choose("expert-population", "everybody.csv")
    browser.type("expert-seed", "7")
    browser.type("expert-search", "samarati")
    browser.type("expert-metric", "precision")
    browser.type("expert-models", "k_map:k=6")
    browser.driver.refresh()
    browser.click("expert")
    assert browser.find("expert-search").get_attribute("value") == "samarati"
    assert browser.find("expert-models").get_attribute("value") == "k_map:k=6"
    assert "everybody.csv" in browser.find("expert-population").text
    browser.type("k", "2")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.tab("files")
    command = browser.text("command")
    for part in ("--search samarati", "--metric precision", "-m k_map:k=6", "--order source", "--nulls basic"):
        assert part in command
    assert "--seed 7" in command
    assert "--population" in command
    # With a population, the journalist risk is shown too.
    browser.tab("risk")
    assert "highest journalist risk" in browser.text("risk-table")

    browser.go(f"/files/{file}/privacy")
    browser.click("expert")
    browser.type("expert-models", "no_such_model:x=1")
    browser.click("go")
    assert "no_such_model" in browser.text("message-error")
