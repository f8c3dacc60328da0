"""The privacy page: what is asked in a sentence, profiles, models in words with a field for each option, and help."""

from pathlib import Path

from selenium.webdriver.common.keys import Keys

from incrowd.client import Client
from web.axe import violations
from web.driving import VERIFIED, Browser


def test_the_sentence_follows_every_setting(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-2", "sensitive")
    browser.click("step-privacy")
    asked = "Each class has at least 5 records, and at least 2 different values of disease. Suppression limit: 2.0%."
    browser.until(lambda: browser.text("asked-words") == asked, asked)
    browser.type("k", "4")
    browser.shows("Each class has at least 4 records")
    browser.type("suppress", "0")
    browser.shows("No record may be suppressed.")
    assert "of 2 different values of disease the most frequent is in 65.0% of the records" in browser.text("example-0")
    browser.choose("model-kind", "t_closeness")
    browser.click("model-add")
    browser.shows("up to a distance of 0.3.")
    browser.choose("model-1-distance", "by hierarchy")
    browser.shows("(hierarchical earth mover's distance)")
    browser.choose("model-1-distance", "by order")
    browser.type("model-1-order", "cold/flu")
    browser.shows("(ordered earth mover's distance)")
    browser.type("model-0-l", "3")
    assert browser.text("model-doubt-0").endswith("Choose 2 or fewer.")
    browser.type("model-0-l", "2")
    browser.until(lambda: "Choose 2 or fewer" not in browser.body(), "the doubt to go")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.tab("files")
    command = browser.text("command")
    assert "t_closeness:t=0.3,column=disease,distance=ordered,order=cold/flu" in command
    browser.click("step-privacy")
    assert browser.find("model-1-order").get_attribute("value") == "cold/flu"


def test_a_profile_sets_what_it_says_and_is_undone_at_once(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    browser.choose("role-2", "sensitive")
    browser.click("step-privacy")
    browser.click("profiles")
    browser.find("profile-used-research")
    browser.click("profile-why-public")
    browser.shows("Cell Size Precedents")
    browser.click("profile-public")
    browser.until(lambda: browser.find("k").get_attribute("value") == "11", "the page with the new settings")
    browser.click("profiles")
    browser.find("profile-used-public")
    # The column has two values: three cannot be asked for.
    browser.shows(
        "Each class has at least 11 records, and at least 2 different values of disease. Suppression limit: 5.0%."
    )
    browser.click("undo-settings")
    browser.until(lambda: browser.find("k").get_attribute("value") == "5", "the page with the old settings")
    browser.click("profiles")
    browser.find("profile-used-research")
    browser.shows("Each class has at least 5 records")
    with Client(browser.server.address) as client:
        made = client.wait(client.init(file, profile="public")).result
    assert made is not None
    assert made["job"]["models"][0] == {"k_anonymity": {"k": 11}}


def test_fields_with_many_choices_have_help_of_their_own(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    browser.go(f"/files/{file}/privacy")
    browser.find("search")
    browser.click("expert")
    for mark, term in {
        "help-search": "fewest_cells",
        "help-metric-to-minimize": "weighted_loss",
        "help-missing-values": "Missing value",
    }.items():
        browser.click(mark)
        shown = "return [...document.querySelectorAll('.help:popover-open')].map((each) => each.innerText).join()"
        browser.until(lambda shown=shown, term=term: term in browser.driver.execute_script(shown), term)
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        browser.until(lambda shown=shown: not browser.driver.execute_script(shown), "the help to close")


def test_help_opens_beside_a_heading_with_the_keyboard(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    for page, term in {
        "columns": "Quasi-identifier",
        "diagnose": "Equivalence class",
        "hierarchies": "Hierarchy",
        "privacy": "Privacy model",
        "releases": "Private record",
        "frontier": "Pareto-optimal",
        "risk": "Prosecutor risk",
    }.items():
        browser.go(f"/files/{file}/{page}")
        browser.find("step-columns")
        browser.until(lambda: not browser.driver.execute_script("return document.querySelector('#content[inert]')"), "")
        button = browser.driver.find_element("css selector", "h1 ~ .help-button")
        browser.requests()
        browser.driver.execute_script("arguments[0].focus()", button)
        button.send_keys(Keys.ENTER)
        shown = "return [...document.querySelectorAll('.help:popover-open')].map((each) => each.innerText).join()"
        browser.until(lambda shown=shown: browser.driver.execute_script(shown), page)
        assert term in browser.driver.execute_script(shown)
        if page == "privacy":
            assert violations(browser) == {}
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        browser.until(lambda shown=shown: not browser.driver.execute_script(shown), "the help to close")
        assert browser.driver.switch_to.active_element == button


def test_what_the_models_cost_is_measured_on_the_page(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-2", "sensitive")
    browser.click("step-privacy")
    browser.click("model-costs")
    browser.until(lambda: "without this model" in browser.text("costs-words"), "the measured cost")
    assert browser.text("costs-words").startswith("Information loss about ")
    assert "measured on all" in browser.text("costs-words")
    assert violations(browser) == {}
