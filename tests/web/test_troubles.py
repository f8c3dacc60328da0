"""Errors are one line; data are shown as text."""

from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web.driving import Browser

HOSTILE = (
    "<img src=x onerror=window.owned=1>",
    "a+b",
    "`${window.owned=1}` {{window.owned=1}}",
    "</script><script>window.owned=1</script>",
)
"""Names of columns, and values, that are more than text to somebody careless."""


def test_a_wrong_file(browser: Browser, tmp_path: Path) -> None:
    wrong = tmp_path / "picture.csv"
    wrong.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200))
    browser.go("/")
    browser.drop("drop", wrong)
    assert "picture.csv" in browser.text("message-error")
    assert "\n" not in browser.text("message-error")
    good = tmp_path / "good.csv"
    good.write_text("age,sex\n1,f\n2,m\n")
    browser.drop("drop", good)
    browser.find("summary")


def test_a_database_that_is_not_there(browser: Browser) -> None:
    browser.go("/")
    browser.type("url", "nosuch://user:secret@127.0.0.1/none")
    browser.click("connect")
    assert "secret" not in browser.text("message-error")


def test_something_that_is_not_there(browser: Browser) -> None:
    browser.go("/runs/r0123456789abcdef")
    browser.shows("Not found")
    browser.go("/files/../../etc/columns")
    browser.until(lambda: "Incrowd" in browser.body() or "404" in browser.body(), "an answer")


def test_no_release_within_the_limits(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-privacy")
    browser.type("k", "41")
    browser.type("suppress", "0")
    browser.click("go")
    browser.find("message-error")
    browser.click("next")
    assert browser.find("k").get_attribute("value") == "41"


def test_a_cancelled_run_gives_the_best_so_far(browser: Browser, tmp_path: Path) -> None:
    # Every record is there twice, so that the first node suffices; and there are far too many nodes to count them all.
    names = [f"age_{at}" for at in range(13)]
    rows = [",".join(str((at * (3 + place)) % 97) for place in range(13)) for at in range(60)]
    table = tmp_path / "wide.csv"
    table.write_text("\n".join([",".join(names), *rows, *rows]) + "\n")
    browser.open(table)
    assert "13 quasi-identifiers" in browser.text("summary")
    browser.click("step-privacy")
    browser.type("k", "2")
    browser.choose("search", "exhaustive")
    browser.click("go")
    browser.until(lambda: "nodes counted" in browser.text("words"), "the search to be on")
    browser.click("cancel")
    browser.find("stopped")
    assert browser.text("sentence").startswith("120 records in")


def test_what_the_data_hold_is_text(browser: Browser, tmp_path: Path) -> None:
    header = ",".join(f'"{name}"' for name in (*HOSTILE, "=1+1"))
    rows = [f'"{HOSTILE[at % 4]}","{HOSTILE[0]}",{at % 5},"{HOSTILE[3]}","=cmd"' for at in range(40)]
    table = tmp_path / "<b>hostile.csv"
    table.write_text(f"{header}\n" + "\n".join(rows) + "\n")
    browser.complaints()
    browser.open_by_hand(table)
    for at, name in enumerate(HOSTILE):
        assert browser.text(f"column-{at}") == name
        browser.choose(f"role-{at}", "sensitive" if name == "a+b" else "quasi")
    browser.until(lambda: "3 quasi-identifiers" in browser.text("summary"), "the roles")
    browser.click("step-diagnose")
    assert HOSTILE[0] in browser.text("explored")
    browser.click("step-hierarchies")
    assert HOSTILE[0] in browser.text("tree-nodes")
    browser.click("step-privacy")
    assert "no model can protect it" in browser.text("example-0")
    browser.type("k", "2")
    browser.click("go")
    assert "smallest class: " in browser.text("sentence")
    browser.tab("data")
    browser.until(lambda: HOSTILE[3] in browser.text("records-original"), "the original")
    browser.tab("utility")
    browser.text("utility-table")
    browser.tab("risk")
    browser.text("risk-table")
    assert browser.driver.execute_script("return window.owned === undefined")
    assert browser.driver.find_elements(By.CSS_SELECTOR, "img[src=x]") == []
    assert browser.complaints() == []


def test_keys_are_enough(browser: Browser, table: Path) -> None:
    """Every control is reached by the tab key, in order, with a visible focus."""
    browser.open(table)
    active = browser.driver.switch_to
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert active.active_element.text == "Skip to content"
    reached, labels = [], []
    for _ in range(40):
        active.active_element.send_keys(Keys.TAB)
        reached.append(
            browser.driver.execute_script("return document.activeElement.closest('[data-mark]')?.dataset.mark")
        )
        labels.append(browser.driver.execute_script("return document.activeElement.ariaLabel ?? ''"))
        if reached[-1] == "next":
            break
    assert reached[-1] == "next"
    assert reached[:3] == ["home", "step-columns", "step-diagnose"]
    assert [mark for mark in reached if mark and mark.startswith("role-")] == ["role-0", "role-1", "role-2"]
    assert [name for name in ("age", "region", "disease") if any(f"Role of {name}" in each for each in labels)] == [
        "age",
        "region",
        "disease",
    ]
    outline = browser.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    active.active_element.send_keys(Keys.ENTER)
    browser.text("sentence")
