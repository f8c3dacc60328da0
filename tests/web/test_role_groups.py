"""Columns of a wide table in groups, and lists of names and warnings that are shortened."""

import random
from pathlib import Path
from typing import Any

import pytest

from incrowd.web.parts.column_names import in_runs, shortened
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.role_groups import grouped, is_shown
from incrowd.web.result.warnings import in_short, joined
from web.driving import Browser


def _column(name: str, role: str, reason: str, sureness: str = "sure") -> dict[str, Any]:
    return {"name": name, "role": role, "reason": reason, "sureness": sureness}


def _draft(columns: list[dict[str, Any]]) -> Draft:
    draft = Draft("f1", roles={each["name"]: each["role"] for each in columns})
    draft.inspection = {"columns": columns}
    return draft


def test_every_column_is_in_one_group_the_unsure_ones_first() -> None:
    columns = [
        *(_column(f"q{at}", "sensitive", "one of 30 answers") for at in range(30)),
        _column("age", "quasi", "its name suggests birth or age"),
        _column("sex", "quasi", "its name suggests sex or gender", "likely"),
        _column("x", "sensitive", "nothing shows what it is", "unsure"),
        _column("note", "keep", "all records have the same value"),
    ]
    draft = _draft(columns)
    groups = grouped(columns, draft)
    assert sorted(at for each in groups for at in each.places) == list(range(len(columns)))
    assert [(each.choice, each.is_unsure, len(each.places)) for each in groups] == [
        ("sensitive", True, 1),
        ("keep", False, 1),
        ("sensitive", False, 30),
        ("quasi", False, 2),
    ]
    # What has a reason of its own by its name says so in the order of the names.
    assert groups[-1].reason == "their names suggest, in this order: birth or age; sex or gender"
    assert is_shown(columns, draft)
    assert not is_shown(columns[:20], draft)

    draft.roles["q3"], draft.chosen = "drop", {"q3": True}
    draft.also_person = {"age": True}
    changed = grouped(columns, draft)
    assert ("drop", "chosen by you", (3,)) in [(each.choice, each.reason, each.places) for each in changed]
    assert "quasi, person" in [each.choice for each in changed]


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (["emp1", "emp2", "emp3", "emp4"], ["emp1 to emp4"]),
        (["emp1", "emp2", "emp3"], ["emp1", "emp2", "emp3"]),
        (["q9_a", "q10_a", "q11_a", "q12_a", "age"], ["q9_a to q12_a", "age"]),
        (["a1", "a2", "a4", "a5"], ["a1", "a2", "a4", "a5"]),
        (["a1", "b2", "c3", "d4"], ["a1", "b2", "c3", "d4"]),
        (["v1x2", "v1x3", "v1x4", "v1x5"], ["v1x2 to v1x5"]),
        (["sex", ""], ["sex", ""]),
    ],
)
def test_names_that_count_up_are_a_run(names: list[str], listed: list[str]) -> None:
    assert in_runs(names) == listed


def test_lists_are_shortened_and_say_how_much_is_missing() -> None:
    assert shortened(["a", "b"], 2) == "a, b"
    assert shortened(["a", "b", "c"], 2) == "a, b and 1 more"
    long = (
        "the sensitive columns 'a' (9 of 9), 'b; c' (8 of 9), \"d's\" (7), 'e' and 3 more are nearly unique: bad. Drop."
    )
    assert in_short(long) == "The sensitive columns 'a', 'b; c' and 5 more are nearly unique."
    assert in_short("values are missing in 'a', 'b'; missing counts.") == "Values are missing in 'a', 'b'."
    assert in_short("something else") == "Something else."
    notes = ["a: '.' means missing; to change it, x", "b: '.' means missing; to change it, x", "c: other"]
    assert joined(notes) == ["a, b: '.' means missing.", "c: other."]


def _wide(path: Path) -> Path:
    names = ["age", "sex", "town", *(f"answer{at}" for at in range(1, 31))]
    luck = random.Random(1)
    rows: list[list[Any]] = [
        [20 + at % 60, "fm"[at % 2], ["Graz", "Linz", "Wien"][at % 3], *(luck.randint(1, 5) for _ in range(30))]
        for at in range(300)
    ]
    path.write_text("\n".join(",".join(map(str, row)) for row in ([*names], *rows)), encoding="utf-8")
    return path


@pytest.mark.browser
def test_a_group_gets_another_role_at_once(browser: Browser, tmp_path: Path) -> None:
    browser.open(_wide(tmp_path / "wide.csv"))
    groups = browser.text("role-groups")
    assert "answer1 to answer30" in groups
    at = next(at for at in range(9) if "30 columns" in browser.text(f"group-{at}"))
    browser.choose(f"group-role-{at}", "drop")
    browser.until(lambda: "30 dropped" in browser.text("summary"), "the role of the group")
    browser.until(lambda: "chosen by you" in browser.text("role-groups"), "the groups as they are now")
    # The grid of single columns follows, and the groups follow the grid.
    browser.until(lambda: browser.find("role-3").get_attribute("value") == "drop", "the grid")
    browser.choose("role-3", "keep")
    browser.until(lambda: "29 dropped" in browser.text("summary"), "a role from the grid")
    browser.until(lambda: "29 columns" in browser.text("role-groups"), "the groups as they are now")
    browser.click("undo-settings")
    browser.until(lambda: "30 dropped" in browser.text("summary"), "the role undone")
