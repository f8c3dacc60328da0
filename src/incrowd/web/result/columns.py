"""The published columns of a release: their levels or forms, and what is not published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.text import count, percent
from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.parts.words import FORMS

if TYPE_CHECKING:
    from incrowd.service import Run


def show(made: Run) -> None:
    """Show the panel."""
    with layout.panel("Published columns", mark="levels"):
        _columns(made.result or {}, not releases.is_reapplied(made))


def _columns(facts: dict[str, Any], has_job: bool) -> None:
    """Show the published level or form of every quasi-identifier."""
    if facts["forms"]:
        rows = [
            [
                name,
                FORMS.get(form, form),
                "unchanged" if not facts["losses"].get(name) else percent(facts["losses"][name]),
            ]
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
        f"{lost} To keep more, drop columns that you don't need, or try variants under Overview: a higher suppression "
        "limit, or the search mondrian, which generalizes each class by itself."
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
