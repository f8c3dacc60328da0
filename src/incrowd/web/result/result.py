"""The result of a run: summary, downloads and panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.searches import minimized_by
from incrowd.text import count, number, percent
from incrowd.verification import verdict_word
from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.result import (
    associations,
    attacks,
    classifier,
    columns,
    cross_tables,
    downloads,
    explorer,
    neighbors,
    records,
    risk,
    tried,
    whatif,
)

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the summary, then the panels."""
    facts = made.result or {}
    has_job = not releases.is_reapplied(made)
    _summary(facts)
    _contents(has_job, neighbors.is_available(made))
    with ui.element("div").classes("two"):
        with layout.stack():
            downloads.show(made)
            downloads.show_reports(made)
        with layout.panel("Published columns", mark="levels"):
            _columns(facts, has_job)
    if has_job:
        tried.show(space, owner, made)
        whatif.show(space, owner, made)
    records.show(space, owner, made)
    if has_job:
        explorer.show(space, owner, made)
    risk.show(space, owner, made)
    attacks.show(space, owner, made)
    columns.show(space, owner, made)
    associations.show(space, owner, made)
    cross_tables.show(space, owner, made)
    classifier.show(space, owner, made)
    if has_job:
        downloads.show_command_and_script(space, made)


def _contents(has_job: bool, has_lattice: bool) -> None:
    """Show links to the panels of the page."""
    absent = {*(() if has_job else ("whatif", "code")), *(() if has_job and has_lattice else ("lattice",))}
    with ui.element("nav").classes("contents").props('aria-label="On this page"'):
        for mark, label in _PARTS.items():
            if mark not in absent:
                layout.mark(ui.link(label, f"#{mark}"), f"to-{mark}")


_PARTS = {
    "downloads": "Download",
    "whatif": "Variants",
    "records": "Original and release",
    "explorer": "Lattice",
    "lattice": "Neighbors",
    "risk": "Risk",
    "utility": "Utility",
    "attack": "Attack simulation",
    "spread": "Columns",
    "associations": "Associations",
    "cross": "Two columns",
    "classifier": "Classifier",
    "code": "Command and script",
}


def _scores(facts: dict[str, Any]) -> dict[str, str]:
    """Return the information loss, the score of the metric and the score that the search minimizes."""
    scores = facts["scores"]
    shown = {"information loss": tables.format_score("loss", scores["loss"])} if "loss" in scores else {}
    # Results of an older version do not have the metric.
    for name in (facts.get("metric"), minimized_by(facts["search"])):
        if name not in (None, "loss") and name in scores:
            shown[f"{name.replace('_', ' ')} (minimized)"] = tables.format_score(name, scores[name])
    if facts["search"] == "scored":
        reached = facts["details"]["partial_domain"] or facts["details"]["full_domain"]
        shown[f"score s ({facts['details']['score']}), higher is better"] = tables.format_cell(float(reached))
    return shown


def _summary(facts: dict[str, Any]) -> None:
    suppressed = facts["suppressed"] / max(1, facts["input_records"])
    # Results of an older version do not have it.
    smallest = "fewest matches of a record" if facts.get("wildcards") else "records in the smallest class"
    people = facts.get("people")
    with layout.panel(mark="summary"):
        layout.mark(layout.paragraph(_sentence(facts), "found"), "sentence")
        layout.figures(
            {
                **({} if people is None else {"people in the smallest class": number(people["smallest"])}),
                smallest: number(facts["smallest"]),
                **(
                    {}
                    if people is None
                    else {"people published": f"{number(people['published'])} of {number(people['input'])}"}
                ),
                "records published": number(facts["records"]),
                "records suppressed": f"{number(facts['suppressed'])} ({percent(suppressed)})",
                "classes": number(facts["classes"]),
                **_scores(facts),
            }
        )
        kind = {"holds": "good", "empty": "warning"}.get(facts["verdict"], "error")
        layout.mark(layout.message(f"Written and re-read: {verdict_word(facts['verdict'])}.", kind), "verdict")
        if facts["stopped"] is not None:
            layout.mark(layout.message("Stopped early: this is the best release found so far.", "warning"), "stopped")
        for warning in facts["warnings"]:
            layout.message(warning, "warning")
        for note in facts.get("notes", ()):
            layout.mark(layout.message(note, "warning"), "note")


def _sentence(facts: dict[str, Any]) -> str:
    if not facts["input_records"]:
        return "The table is empty; only its header is published."
    if not facts["records"]:
        return "The release is empty: every record is suppressed. Allow higher levels or relax the models."
    best = _describe_optimality(facts)
    # Results of an older version do not have it.
    known = facts.get("summary") or f"{count(facts['records'], 'record')} in {count(facts['classes'], 'class')}."
    return f"{known}{best}"


def _describe_optimality(facts: dict[str, Any]) -> str:
    """Return what the search proved, by the score that it minimizes."""
    own = minimized_by(facts["search"])
    if facts["stopped"] or (own is None and not facts["optimal"]):
        return ""
    # Results of an older version do not have the metric.
    metric = own or facts.get("metric", "loss")
    lower = f"a lower {metric.replace('_', ' ')}"
    return f" No release of this recoding type within the limits has {lower}."


def _columns(facts: dict[str, Any], has_job: bool) -> None:
    """Show the published level or form of every quasi-identifier."""
    if facts["forms"]:
        rows = [
            [name, form, "unchanged" if not facts["losses"].get(name) else percent(facts["losses"][name])]
            for name, form in facts["forms"].items()
        ]
        tables.show(["column", "published form", "average width of a cell"], rows)
    elif facts["records"] and "wiped_by_column" in facts["details"]:
        tables.show(*suppressed_cells(facts))
    else:
        headers = ["column", "level", "top level", "state"]
        tables.show(headers, [_level_row(facts, name) for name in facts["levels"]])
    emptied = [name for name, level in facts["levels"].items() if level and level == facts["heights"].get(name)]
    if emptied:
        layout.mark(layout.message(_advice(len(emptied), has_job), "warning"), "advice")
    if facts["not_published"]:
        layout.hint(f"Not published: {', '.join(facts['not_published'])}.")


def _advice(columns: int, has_job: bool) -> str:
    """Return advice for columns that are generalized completely."""
    lost = f"{count(columns, 'column')} lost all detail."
    if not has_job:
        return lost
    return (
        f"{lost} To keep more, drop columns that you don't need, or try variants below: a higher suppression limit, or "
        "the search mondrian, which generalizes each class by itself."
    )


def suppressed_cells(facts: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return how many cells of each column are suppressed, and the levels of the others if chosen."""
    suppressed, levels = facts["details"]["wiped_by_column"], facts["details"].get("levels")
    headers = [
        "column",
        "suppressed cells",
        "share",
        *([] if levels is None else ["level of other cells", "top level"]),
    ]
    rows = [
        [
            name,
            cells,
            percent(cells / facts["records"]),
            *([] if levels is None else [levels[name], facts["heights"][name]]),
        ]
        for name, cells in suppressed.items()
    ]
    return headers, rows


def _level_row(facts: dict[str, Any], name: str) -> list[Any]:
    level, height = facts["levels"][name], facts["heights"][name]
    if level is None:
        return [name, "varies", height, "generalized cell by cell"]
    return [name, level, height, "unchanged" if level == 0 else "no detail left" if level == height else "generalized"]
