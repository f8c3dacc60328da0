"""The overview of a release: a sentence and figures, its warnings, and other releases to choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.searches import minimized_by
from incrowd.text import count, number
from incrowd.verification import verdict_word
from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.result import downloads, guarantees, tried, warnings, whatif

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the summary, then alternatives if there is a job to change."""
    _summary(made.result or {})
    if (made.result or {})["verdict"] == "holds":
        downloads.show_shared(made)
    guarantees.show(space, made)
    layout.mark(layout.hint(f"Request: {releases.describe_request(made)}."), "request")
    if releases.is_reapplied(made):
        return
    tried.show(space, owner, made)
    whatif.show(space, owner, made)


def _summary(facts: dict[str, Any]) -> None:
    with layout.panel(mark="summary"):
        layout.mark(layout.paragraph(_sentence(facts), "found"), "sentence")
        # The other figures are in the bar, which stays in sight.
        layout.figures({"classes": number(facts["classes"]), **_scores(facts)})
        kind = {"holds": "good", "empty": "warning"}.get(facts["verdict"], "error")
        layout.mark(layout.message(f"Written and re-read: {verdict_word(facts['verdict'])}.", kind), "verdict")
    warnings.show(facts)


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
