"""The twelve questions and the hierarchies, by hand."""

from pathlib import Path

from selenium.webdriver.common.by import By

from web.driving import Browser

QUESTIONS = [
    (1, "given", "given", "none", "{age, region}"),
    (2, "asked", "given", "none", "k = "),
    (3, "given", "asked: which sets of them?", "none", "set"),
    (4, "asked", "asked: which sets of them?", "none", "sets of columns"),
    (5, "given", "given", "given", "combination"),
    (6, "asked", "given", "given", "suppressed"),
    (7, "given", "asked: which sets of them?", "given", "set"),
    (8, "asked", "asked: which sets of them?", "given", "set"),
    (9, "given", "given", "asked", "have to go"),
    (10, "given", "asked: which sets of them?", "asked", "set"),
    (11, "asked", "given", "asked", "k"),
    (12, "asked", "asked: which sets of them?", "asked", "set"),
]


def test_all_twelve_questions(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-diagnose")
    browser.text("sentence")
    for number, k, columns, suppress, words in QUESTIONS:
        browser.toggle("k-kind", k)
        browser.toggle("columns-kind", columns)
        browser.toggle("suppress-kind", suppress)
        end = f"This is question {number} of the twelve."
        browser.until(lambda end=end: browser.text("question-words").endswith(end), end)
        assert words in _answered(browser), number
    assert "records to leave out" in browser.text("answer-table")


MEASURES = [
    ("l-diversity (distinct)", "l of disease at least 3", "different values of disease"),
    ("l-diversity (frequency)", "l of disease at least 3", "more often than once in 3 records"),
    ("l-diversity (entropy)", "l of disease at least 3", "equally frequent ones"),
    ("t-closeness", "t of disease at most 0.2", "from the whole table in disease"),
]


def test_questions_about_a_sensitive_column(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("step-diagnose")
    browser.text("sentence")
    for measure, question, words in MEASURES:
        browser.choose("measure", measure)
        browser.choose("question-sensitive", "disease")
        browser.until(lambda asked=question: asked in browser.text("question-words"), question)
        assert words in _answered(browser)
    browser.toggle("columns-kind", "asked: which sets of them?")
    assert "t <= 0.2 of disease" in _answered(browser)
    browser.click("threat")
    assert "t of disease to 0.2 or above" in _answered(browser)
    browser.toggle("k-kind", "asked")
    browser.toggle("suppress-kind", "asked")
    assert "each t in hundredths of disease" in _answered(browser)
    assert "records to leave out" in browser.text("answer-table")
    browser.driver.refresh()
    assert "every set of columns and every t" in browser.text("question-words")
    assert "each t in hundredths of disease" in browser.text("sentence")


def _answered(browser: Browser) -> str:
    before = browser.find("sentence")
    browser.click("ask")
    browser.until(lambda: _is_gone(before), "the old answer to go")
    return browser.text("sentence")


def _press(browser: Browser, label: str) -> bool:
    nodes = browser.find("tree-nodes").find_elements(By.CSS_SELECTOR, ".q-tree__node-header")
    fitting = [each for each in nodes if label in each.text]
    if fitting:
        fitting[0].click()
    return bool(fitting)


def _is_gone(element: object) -> bool:
    from selenium.common.exceptions import StaleElementReferenceException

    try:
        element.is_displayed()  # type: ignore[attr-defined]
    except StaleElementReferenceException:
        return True
    return False


def test_a_hierarchy_is_brought_mended_and_changed(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-1", "quasi")
    browser.click("step-hierarchies")
    browser.click("ladder-1")
    browser.text("levels-table")
    brought = table.with_name("regions.csv")
    brought.write_text("N;cold;*\nS;warm;*\nE;warm;*\n")
    browser.choose("builder", "file")
    browser.drop("hierarchy-drop", brought)
    assert browser.text("lacking") == "The values are: W"
    browser.click("add-lacking")
    browser.until(lambda: "cold, warm, W" in browser.text("levels-table"), "the value that was lacking")

    browser.type("edit-level", "0")
    browser.type("edit-label", "W")
    browser.choose("edit-parent", "cold")
    browser.click("move")
    browser.until(lambda: "cold, warm, W" not in browser.text("levels-table"), "the value to move")

    browser.until(lambda: _press(browser, "cold"), "the label in the tree")
    browser.until(lambda: browser.find("edit-new").get_attribute("value") == "cold", "the label to be taken over")
    browser.type("edit-new", "cool")
    browser.click("rename")
    browser.until(lambda: "cool, warm" in browser.text("levels-table"), "the new label")
    browser.driver.refresh()
    browser.until(lambda: "cool, warm" in browser.text("levels-table"), "the new label after a reload")


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
