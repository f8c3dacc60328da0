"""The result of a run over several tables: summary, tables, levels, downloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.text import count, number, percent
from incrowd.verification import verdict_word
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.tabs import Tab, Tabs
from incrowd.web.result import downloads, linked_panels, verdict_bar, warnings

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run, tab: str) -> None:
    """Show the verdict and the tabs, of which one is open."""
    given = linked_panels.GivenSet.of_run(made)
    tabs = Tabs(
        {
            "overview": Tab("Overview", lambda: _overview(made)),
            "columns": Tab("Columns", lambda: _columns(made.result or {})),
            "utility": Tab("Utility", lambda: linked_panels.show_utility(space, owner, given)),
            "attacks": Tab("Attacks", lambda: linked_panels.show_attack(space, owner, given)),
            "files": Tab("Files", lambda: _files(space, owner, made, given)),
        },
        tab,
    )
    verdict_bar.show(made, tabs)
    tabs.show()


def _overview(made: Run) -> None:
    facts = made.result or {}
    _summary(facts)
    with layout.panel("Tables", mark="published-tables"):
        # A recoding that was applied to new tables has no job.
        belongs = made.request.get("job", {}).get("tables", {})
        rows = [
            [name, each["records"], each["people"], belongs.get(name, {}).get("of") or ""]
            for name, each in facts["tables"].items()
        ]
        tables.show(["table", "records", "people", "belongs to"], rows)


def _columns(facts: dict[str, Any]) -> None:
    with layout.panel("Published columns", mark="levels"):
        rows = [[name, level, facts["heights"][name]] for name, level in facts["levels"].items()]
        tables.show(["column", "level", "top level"], rows)
        if facts["not_published"]:
            layout.hint(f"Not published: {', '.join(facts['not_published'])}.")


def _files(space: Workspace, owner: str, made: Run, given: linked_panels.GivenSet) -> None:
    downloads.show(made)
    linked_panels.show_apply(space, owner, given)


def _summary(facts: dict[str, Any]) -> None:
    with layout.panel(mark="summary"):
        if facts["people"]:
            sentence = (
                f"{number(facts['people'])} people in {count(len(facts['tables']), 'table')}. An attacker who knows "
                f"a person's record in the first table and {choices.describe_knows(facts['knows'])} of the person in "
                f"each other table finds at least {number(facts['smallest'])} people of whom that is true."
            )
        else:
            sentence = "The release is empty: every person is suppressed. Relax the models or the limits."
        layout.mark(layout.paragraph(sentence, "found"), "sentence")
        share = percent(facts["suppressed"] / max(1, facts["input_people"]))
        layout.figures(
            {
                "people of whom the same is true, at least": number(facts["smallest"]),
                "people published": f"{number(facts['people'])} of {number(facts['input_people'])}",
                "people suppressed in all tables": f"{number(facts['suppressed'])} ({share})",
                **{f"{name} (lower is better)": f"{score:.4g}" for name, score in facts["scores"].items()},
            }
        )
        kind = {"holds": "good", "empty": "warning"}.get(facts["verdict"], "error")
        layout.mark(layout.message(f"Written and re-read: {verdict_word(facts['verdict'])}.", kind), "verdict")
    warnings.show(facts)
