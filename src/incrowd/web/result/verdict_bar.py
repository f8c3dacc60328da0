"""The bar that stays in sight on the page of a release: what is true of it, in short, each with a link to more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count, number, percent
from incrowd.verification import verdict_word
from incrowd.web.pages.releases import describe_model
from incrowd.web.parts import layout

if TYPE_CHECKING:
    from incrowd.service import Run
    from incrowd.web.parts.tabs import Tabs

_KINDS = {"holds": "good", "empty": "warning"}
_NAMED = 2
"""The most models that are named; more are counted."""
_AT = {"gone": ("columns", "levels")}
"""The tab and the part that explain a caution; warnings by default."""


def show(made: Run, tabs: Tabs) -> None:
    """Show the bar."""
    facts = made.result or {}
    bar = ui.element("div").classes("verdict-bar").props('role=region aria-label="Verdict"')
    with layout.mark(bar, "verdict-bar"):
        verdict = tabs.link(verdict_word(facts["verdict"]).capitalize(), "overview", "summary")
        layout.mark(verdict.classes(f"verdict {_KINDS.get(facts['verdict'], 'error')}"), "bar-verdict")
        for mark, words, tab, at in _figures(made, facts):
            layout.mark(tabs.link(words, tab, at), f"bar-{mark}")
        for caution in facts.get("cautions", ()):
            tab, at = _AT.get(caution["kind"], ("overview", "warnings"))
            layout.mark(tabs.link(caution["words"], tab, at).classes("caution"), f"bar-{caution['kind']}")
        if facts["warnings"]:
            words = count(len(facts["warnings"]), "warning")
            layout.mark(tabs.link(words, "overview", "warnings").classes("caution"), "bar-warnings")


def _figures(made: Run, facts: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return what is said of every release: mark, words, tab and part."""
    found = _of_tables(facts) if "tables" in facts else _of_table(facts)
    models = facts.get("models") or made.request.get("job", {}).get("models", ())
    if facts["verdict"] == "holds" and models:
        found.append(("models", _satisfied(models), "overview", "summary" if "tables" in facts else "guarantees"))
    return found


def _of_table(facts: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    if not facts["records"]:
        return [("published", "nothing is published", "overview", "summary")]
    # Results of an older version do not have people or wildcards.
    people, gone = facts.get("people"), facts["suppressed"]
    share = percent(gone / max(1, facts["input_records"]))
    published = f"{number(facts['records'])} of {count(facts['input_records'], 'record')}"
    smallest = number(facts["smallest"])
    fewest = f"every record matches at least {smallest}" if facts.get("wildcards") else f"smallest class {smallest}"
    if people is not None:
        published = f"{number(people['published'])} of {count(people['input'], 'person')}"
        fewest = f"smallest class {count(people['smallest'], 'person')}"
    return [
        ("published", published, "overview", "summary"),
        ("smallest", fewest, "risk", "risk"),
        ("suppressed", f"{count(gone, 'record')} suppressed ({share})", "data", "records"),
    ]


def _of_tables(facts: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    if not facts["people"]:
        return [("published", "nothing is published", "overview", "summary")]
    gone, whole = facts["suppressed"], facts["input_people"]
    return [
        ("published", f"{number(facts['people'])} of {count(whole, 'person')}", "overview", "summary"),
        ("smallest", f"at least {count(facts['smallest'], 'person')} alike", "overview", "summary"),
        ("suppressed", f"{count(gone, 'person')} suppressed ({percent(gone / max(1, whole))})", "overview", "summary"),
    ]


def _satisfied(models: list[Any]) -> str:
    named = ", ".join(map(describe_model, models)) if len(models) <= _NAMED else f"all {len(models)} models"
    return f"{named} satisfied"
