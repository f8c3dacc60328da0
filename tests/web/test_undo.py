"""Undo and redo of the settings of a table."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from incrowd.service import Workspace
from incrowd.web.parts import history
from incrowd.web.parts.draft import Draft, settings
from incrowd.web.parts.undo import describe
from web.driving import Browser

SETTINGS = st.fixed_dictionaries(
    {
        "k": st.integers(2, 4),
        "time": st.none() | st.just(1.0),
        "roles": st.dictionaries(st.sampled_from("ab"), st.sampled_from(["quasi", "drop"])),
    }
)


@given(SETTINGS, SETTINGS)
def test_undone_and_done_again(before: dict[str, Any], after: dict[str, Any]) -> None:
    step = history.Step("", 0, history.changes(before, after, before))
    assert history.changed(after, step, is_undo=True) == before
    assert history.changed(before, step, is_undo=False) == after
    assert history.clashes(after, step, is_undo=True) == []
    for each in step.changes:
        other = history.changed(after, history.Step("", 0, [each]), is_undo=True)
        assert history.clashes(other, step, is_undo=True) == [each.path], "it was changed again since"


def test_typing_is_one_step() -> None:
    steps = history.Steps()
    for at, (before, after) in enumerate([(5, 1), (1, 12)]):
        steps.add(history.Step("a", float(at), [history.Change(("k",), [before], [after])]))
    assert [each.changes for each in steps.done] == [[(("k",), [5], [12])]]
    steps.add(history.Step("b", 2.0, [history.Change(("k",), [12], [3])]))
    steps.add(history.Step("b", 9.0, [history.Change(("k",), [3], [4])]))
    assert len(steps.done) == 3
    steps.add(history.Step("b", 9.5, [history.Change(("k",), [4], [3])]))
    assert len(steps.done) == 2, "what was typed and taken back is no step"


def test_what_another_window_chose_is_not_undone(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    draft = Draft("f1", roles={"age": "quasi"})
    draft.keep(space, "")
    draft.k = 7
    draft.keep(space, "")
    other = Draft.load(space, "", "f1")
    other.k, other.suppress = 9, 0.1
    other.keep(space, "", is_choice=False)
    steps = history.Steps.load(space, "", "f1")
    assert [each.paths for each in steps.done] == [[("roles", "age")], [("k",)]]
    found = Draft.load(space, "", "f1")
    assert found.turn(steps.done[-1], is_undo=True) == [("k",)]
    assert (found.k, found.roles) == (9, {"age": "quasi"})
    mine, theirs = history.Step("me", 0, []), history.Step("they", 0, [])
    steps.done = [mine, theirs]
    assert steps.latest("done", "me", {"they"}) is mine
    assert steps.latest("done", "me", ()) is theirs, "that window is closed: nobody else can undo it"
    space.close()


def test_a_table_is_inspected_anew_if_it_is_read_otherwise() -> None:
    draft = Draft("f1", missing=["?"], inspection={})
    step = history.Step("", 0, history.changes({"missing": []}, {"missing": ["?"]}, ["missing"]))
    assert draft.turn(step, is_undo=True) == []
    assert (draft.missing, draft.inspection) == ([], None)


def test_every_setting_can_be_undone() -> None:
    assert {"roles", "hierarchies", "models", "k", "expert", "missing"} <= {*settings()}
    assert not {"inspection", "file"} & {*settings()}


def test_steps_in_words() -> None:
    assert describe([("k",), ("limits", "age")]) == "k, highest level of age"
    assert describe([("roles", "age"), ("models",), ("chosen", "age")]) == "role of age"
    assert describe([(name,) for name in ("k", "time", "output", "search")]) == "4 settings"


def test_undo_and_redo(browser: Browser, table: Path) -> None:
    """By buttons and keys, over reloads, and not what the other window chose."""
    file = browser.open(table)
    browser.choose("role-1", "drop")
    browser.until(lambda: "role of region" in browser.find("undo-settings").get_attribute("title"), "the step")
    browser.click("step-privacy")
    browser.type("k", "7")
    browser.until(lambda: browser.find("undo-settings").get_attribute("title") == "Undo: k", "the step")
    browser.driver.refresh()
    browser.find("go")
    keys = ActionChains(browser.driver)
    keys.key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    browser.until(lambda: browser.text("turned") == "Undone: k.", "what was undone")
    assert browser.find("k").get_attribute("value") == "5"
    browser.click("undo-settings")
    browser.until(lambda: browser.text("turned") == "Undone: role of region.", "the role")
    assert browser.find("limit-1")
    browser.until(lambda: not browser.find("undo-settings").is_enabled(), "nothing left to undo")
    keys.key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("z").key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
    browser.until(lambda: browser.text("turned") == "Redone: role of region.", "the role again")
    browser.click("redo-settings")
    browser.until(lambda: browser.text("turned") == "Redone: k.", "k again")

    mine = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.go(f"/files/{file}/privacy")
    assert not browser.find("undo-settings").is_enabled(), "the other window is open: what it chose is its own"
    browser.type("k", "9")
    browser.driver.switch_to.window(mine)
    browser.click("undo-settings")
    browser.until(lambda: browser.text("turned") == "Not undone: k was changed again elsewhere.", "the refusal")
    assert browser.find("k").get_attribute("value") == "9"
    browser.driver.switch_to.window(next(each for each in browser.driver.window_handles if each != mine))
    browser.driver.close()
    browser.driver.switch_to.window(mine)
    assert browser.complaints() == []
