"""The result of a run: what was found in words, and all that one may want to see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.searches import minimized_by
from incrowd.text import count, number, percent
from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.result import attacks, downloads, neighbors, records, risk, spreads, whatif

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Words first; then the parts, one after the other."""
    facts = made.result or {}
    has_job = not releases.made_before(made)
    _summary(facts)
    _contents(has_job, neighbors.is_there(made))
    with ui.element("div").classes("two"):
        with layout.stack():
            downloads.show(made)
            downloads.reports(made)
        with layout.panel("What became of each column", mark="levels"):
            _columns(facts, has_job)
    if has_job:
        whatif.show(space, owner, made)
    records.show(space, owner, made)
    if has_job and neighbors.is_there(made):
        neighbors.show(space, owner, made)
    risk.show(space, owner, made)
    attacks.show(space, owner, made)
    spreads.show(space, made)
    if has_job:
        downloads.equal(space, made)


def _contents(has_job: bool, has_lattice: bool) -> None:
    """The way to each part of a long page."""
    left_out = {*(() if has_job else ("whatif", "equal")), *(() if has_job and has_lattice else ("lattice",))}
    with ui.element("nav").classes("contents").props('aria-label="On this page"'):
        for mark, called in _PARTS.items():
            if mark not in left_out:
                layout.marked(ui.link(called, f"#{mark}"), f"to-{mark}")


_PARTS = {
    "downloads": "Download",
    "whatif": "What if?",
    "records": "Original and release",
    "lattice": "Neighbours",
    "risk": "Risk",
    "utility": "What it is worth",
    "attack": "Attack it",
    "spread": "Each column",
    "equal": "Command and script",
}


def _scores(facts: dict[str, Any]) -> dict[str, str]:
    """Return how much detail is gone, and the score of the metric and of what the search minimizes by itself."""
    scores = facts["scores"]
    told = {"of all detail is gone (loss)": tables.scored("loss", scores["loss"])} if "loss" in scores else {}
    # Results of an older version do not have the metric.
    for name in (facts.get("metric"), minimized_by(facts["search"])):
        if name not in (None, "loss") and name in scores:
            told[f"{name.replace('_', ' ')} (minimized)"] = tables.scored(name, scores[name])
    if facts["search"] == "scored":
        reached = facts["details"]["partial_domain"] or facts["details"]["full_domain"]
        told[f"score s ({facts['details']['score']}), higher is better"] = tables.shown(float(reached))
    return told


def _summary(facts: dict[str, Any]) -> None:
    left_out = facts["suppressed"] / max(1, facts["input_records"])
    # Results of an older version do not have it.
    smallest = "match each record at least" if facts.get("wildcards") else "in the smallest group"
    with layout.panel(mark="summary"):
        layout.marked(layout.paragraph(_sentence(facts), "found"), "sentence")
        layout.figures(
            {
                smallest: number(facts["smallest"]),
                "records published": number(facts["records"]),
                "records left out": f"{number(facts['suppressed'])} ({percent(left_out)})",
                "groups": number(facts["classes"]),
                **_scores(facts),
            }
        )
        kind = {"holds": "good", "empty": "warning"}.get(facts["verdict"], "error")
        layout.marked(layout.message(f"Written, read again and checked: {facts['verdict']}.", kind), "verdict")
        if facts["stopped"] is not None:
            layout.marked(layout.message("Stopped early: this is the best release found so far.", "warning"), "stopped")
        for warning in facts["warnings"]:
            layout.message(warning, "warning")
        for note in facts.get("notes", ()):
            layout.marked(layout.message(note, "warning"), "note")


def _sentence(facts: dict[str, Any]) -> str:
    if not facts["input_records"]:
        return "The table has no records, so that there is nothing to publish but its header."
    if not facts["records"]:
        return "Nothing is published: every record would have to go. Allow coarser levels, or ask for less."
    best = _best(facts)
    # Results of an older version do not have it.
    known = facts.get("summary") or f"{count(facts['records'], 'record')} in {count(facts['classes'], 'class')}."
    return f"{known}{best}"


def _best(facts: dict[str, Any]) -> str:
    """Return what the search proved, by the score that it minimizes."""
    own = minimized_by(facts["search"])
    if facts["stopped"] or (own is None and not facts["optimal"]):
        return ""
    # Results of an older version do not have the metric.
    metric = own or facts.get("metric", "loss")
    less = "loses less" if metric == "loss" else f"has a lower {metric.replace('_', ' ')}"
    return f" No other release within the limits {less}."


def _columns(facts: dict[str, Any], has_job: bool) -> None:
    """What is published of every quasi-identifier."""
    if facts["forms"]:
        rows = [
            [name, form, "as it is" if not facts["losses"].get(name) else percent(facts["losses"][name])]
            for name, form in facts["forms"].items()
        ]
        tables.show(["column", "published as", "a cell spans, of all values"], rows)
    elif facts["records"] and "wiped_by_column" in facts["details"]:
        tables.show(*wiped_cells(facts))
    else:
        tables.show(["column", "level", "of", ""], [_level(facts, name) for name in facts["levels"]])
    emptied = [name for name, level in facts["levels"].items() if level and level == facts["heights"].get(name)]
    if emptied:
        layout.marked(layout.message(_advice(len(emptied), has_job), "warning"), "advice")
    if facts["not_published"]:
        layout.hint(f"Not published: {', '.join(facts['not_published'])}.")


def _advice(columns: int, has_job: bool) -> str:
    """What helps where too little is left."""
    nothing = f"Nothing is left of {count(columns, 'column')}."
    if not has_job:
        return nothing
    return (
        f"{nothing} To keep more, drop columns that nobody needs, or try below (What if?) to leave out more records or "
        "to take the search mondrian, which keeps detail group by group."
    )


def wiped_cells(facts: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """How many cells of each column are wiped, and on which level the others are, if that was chosen."""
    wiped, levels = facts["details"]["wiped_by_column"], facts["details"].get("levels")
    headers = ["column", "cells wiped", "share", *([] if levels is None else ["level of the others", "of"])]
    rows = [
        [
            name,
            cells,
            percent(cells / facts["records"]),
            *([] if levels is None else [levels[name], facts["heights"][name]]),
        ]
        for name, cells in wiped.items()
    ]
    return headers, rows


def _level(facts: dict[str, Any], name: str) -> list[Any]:
    level, height = facts["levels"][name], facts["heights"][name]
    if level is None:
        return [name, "differs", height, "from cell to cell"]
    return [name, level, height, "as it is" if level == 0 else "nothing left" if level == height else "generalised"]
