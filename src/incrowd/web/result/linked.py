"""The result of a run over several tables: summary, tables, levels, downloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count, number, percent
from incrowd.verification import verdict_word
from incrowd.web.parts import choices, layout, tables
from incrowd.web.result import downloads, linked_panels

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show what was published, links to it, and what can be done with it."""
    facts = made.result or {}
    _summary(facts)
    with ui.element("div").classes("two"):
        with layout.stack():
            downloads.show(made)
            downloads.show_reports(made)
        with layout.panel("Tables", mark="published-tables"):
            # A recoding that was applied to new tables has no job.
            belongs = made.request.get("job", {}).get("tables", {})
            rows = [
                [name, each["records"], each["people"], belongs.get(name, {}).get("of") or ""]
                for name, each in facts["tables"].items()
            ]
            tables.show(["table", "records", "people", "belongs to"], rows)
    with layout.panel("Published columns", mark="levels"):
        rows = [[name, level, facts["heights"][name]] for name, level in facts["levels"].items()]
        tables.show(["column", "level", "top level"], rows)
        if facts["not_published"]:
            layout.hint(f"Not published: {', '.join(facts['not_published'])}.")
    linked_panels.show(space, owner, linked_panels.GivenSet.of_run(made))


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
        if facts["stopped"] is not None:
            layout.mark(layout.message("Stopped early: this is the best release found so far.", "warning"), "stopped")
        for warning in facts["warnings"]:
            layout.message(warning, "warning")
