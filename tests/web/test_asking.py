"""The twelve questions and the hierarchies, by hand."""

from pathlib import Path
from typing import Any

from incrowd import api
from web.driving import Browser

SETS = "asked: which sets?"
QUESTIONS = [
    (1, "given", "given", "none"),
    (2, "asked", "given", "none"),
    (3, "given", SETS, "none"),
    (4, "asked", SETS, "none"),
    (5, "given", "given", "given"),
    (6, "asked", "given", "given"),
    (7, "given", SETS, "given"),
    (8, "asked", SETS, "given"),
    (9, "given", "given", "asked"),
    (10, "given", SETS, "asked"),
    (11, "asked", "given", "asked"),
    (12, "asked", SETS, "asked"),
]


def answer(table: Path, columns: str, suppress: str = "none", **asked: Any) -> str:
    """Return the answer of the library to the question that the page asks with its defaults."""
    names = ["age", "region"]
    quasi, among = (names, None) if columns == "given" else (None, names)
    share = {"none": None, "given": 0.02, "asked": "find"}[suppress]
    return api.diagnose(str(table), among).ask(quasi=quasi, suppress=share, **asked).sentence


def test_all_twelve_questions(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-diagnose")
    browser.text("sentence")
    for number, k, columns, suppress in QUESTIONS:
        browser.toggle("k-kind", k)
        browser.toggle("columns-kind", columns)
        browser.toggle("suppress-kind", suppress)
        start = f"Question {number} of 12: "
        browser.until(lambda start=start: browser.text("question-words").startswith(start), start)
        assert _answered(browser) == answer(table, columns, suppress, k=5 if k == "given" else None), number
    assert "records to suppress" in browser.text("answer-table")


MEASURES = [
    ("l-diversity (distinct)", "l of disease at least 3", "distinct_l"),
    ("l-diversity (frequency)", "l of disease at least 3", "frequency_l"),
    ("l-diversity (entropy)", "l of disease at least 3", "entropy_l"),
    ("t-closeness", "t of disease at most 0.2", "t_closeness"),
]


def test_questions_about_a_sensitive_column(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-diagnose")
    browser.text("sentence")
    for label, question, measure in MEASURES:
        browser.choose("measure", label)
        browser.choose("question-sensitive", "disease")
        browser.until(lambda asked=question: asked in browser.text("question-words"), question)
        given = {"t": 0.2} if measure == "t_closeness" else {"l": 3}
        assert _answered(browser) == answer(table, "given", sensitive="disease", measure=measure, **given)
    closeness: dict[str, Any] = {"sensitive": "disease", "measure": "t_closeness"}
    browser.toggle("columns-kind", SETS)
    assert _answered(browser) == answer(table, SETS, t=0.2, **closeness)
    browser.click("threat")
    assert _answered(browser) == answer(table, SETS, t=0.2, at_least=True, **closeness)
    browser.toggle("k-kind", "asked")
    browser.toggle("suppress-kind", "asked")
    expected = answer(table, SETS, "asked", **closeness)
    assert _answered(browser) == expected
    assert "records to suppress" in browser.text("answer-table")
    browser.driver.refresh()
    assert "every set of columns and every t" in browser.text("question-words")
    assert browser.text("sentence") == expected


def _answered(browser: Browser) -> str:
    before = browser.find("sentence")
    browser.click("ask")
    browser.until(lambda: _is_gone(before), "the old answer to go")
    return browser.text("sentence")


def _is_gone(element: object) -> bool:
    from selenium.common.exceptions import StaleElementReferenceException

    try:
        element.is_displayed()  # type: ignore[attr-defined]
    except StaleElementReferenceException:
        return True
    return False


def test_a_hierarchy_is_brought_and_mended(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("step-hierarchies")
    browser.click("hierarchy-of-1")
    browser.text("levels-table")
    brought = table.with_name("regions.csv")
    brought.write_text("N;cold;*\nS;warm;*\nE;warm;*\n")
    browser.choose("builder", "file")
    browser.drop("hierarchy-drop", brought)
    assert browser.text("lacking") == "Missing from the hierarchy: W"
    browser.click("add-lacking")
    browser.until(lambda: "cold, warm, W" in browser.text("levels-table"), "the value that was lacking")


def test_an_option_that_cannot_be(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-hierarchies")
    browser.choose("builder", "intervals")
    browser.type("option-widths", "5, 7")
    browser.click("build")
    assert "7" in browser.text("message-error")
    browser.type("option-widths", "5, ten")
    browser.click("build")
    browser.find("message-error")
