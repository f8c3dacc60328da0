"""Explanations of roles, models, searches, metrics and questions, one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.families import METRICS, MODELS, SEARCHES, Family
from incrowd.recodings import Form

ROLES = {
    "identifier": "direct identifier, such as a name; never published",
    "person": "tells which person a record is about; never published, and people are counted",
    "quasi": "quasi-identifier, which an attacker may know; generalized",
    "sensitive": "must not be disclosed; published as it is unless a privacy model protects it",
    "keep": "harmless; published unchanged",
    "drop": "not needed; not published",
}

FORMS: dict[str, str] = {
    Form.RANGE: "range",
    Form.ENDS: "lowest and highest value, in two columns",
    Form.ANCESTOR: "label that covers the values",
    Form.SET: "set of values",
    Form.SET_OR_ANCESTOR: "set of values, or a label that covers them",
    Form.MEAN: "mean",
    Form.MEDIAN: "median",
    Form.MODE: "most frequent value",
}
"""The published forms of a class."""

QUASI_PERSON = "quasi, person"
"""The choice of a quasi-identifier that tells the person too."""
ROLE_CHOICES = {
    name: meaning
    for role, words in ROLES.items()
    for name, meaning in (
        ((role, words), (QUASI_PERSON, "quasi-identifier that also tells the person, such as a date of birth"))
        if role == "quasi"
        else ((role, words),)
    )
}


ROLE_ICONS = {
    "identifier": "badge",
    "person": "person",
    "quasi": "travel_explore",
    QUASI_PERSON: "person_search",
    "sensitive": "lock",
    "keep": "check_circle",
    "drop": "block",
}
"""The icon of each choice of a role."""


def choice_of(role: str, person: bool) -> str:
    """Return the choice of a role that shows whether a quasi-identifier tells the person too."""
    return QUASI_PERSON if role == Role.QUASI and person else role


def default_value(model: str, parameter: str) -> float:
    """Return the initial value of a model's required parameter."""
    first: float = getattr(MODELS.module(model), "SUGGESTED", {}).get(parameter, 1)
    return first


QUESTIONS = {
    "Q1": "does every class have at least {k} records?",
    "Q2": "how large is the smallest class (k)?",
    "Q3": "for which sets of columns does every class have at least {k} records?",
    "Q4": "how large is the smallest class (k) for every set of columns?",
    "Q5": "if up to {share} of the records are suppressed, does every class have at least {k} records?",
    "Q6": "if up to {share} of the records are suppressed, how large is the smallest class (k)?",
    "Q7": "if up to {share} of the records are suppressed, for which sets does every class have at least {k} records?",
    "Q8": "if up to {share} of records are suppressed, how large is the smallest class (k) for every set of columns?",
    "Q9": "how many records must be suppressed until every class has at least {k} records?",
    "Q10": "for every set of columns, how many records must be suppressed until every class has at least {k} records?",
    "Q11": "how many records must be suppressed for every k?",
    "Q12": "how many records must be suppressed, for every set of columns and every k?",
}
"""The twelve questions in plain words."""

SENSITIVE_QUESTIONS = {
    "Q1": "is {name} {bound}?",
    "Q2": "what is {name}?",
    "Q3": "for which sets of columns is {name} {bound}?",
    "Q4": "what is {name} for every set of columns?",
    "Q5": "if up to {share} of the records are suppressed, is {name} {bound}?",
    "Q6": "if up to {share} of the records are suppressed, what is {name}?",
    "Q7": "if up to {share} of the records are suppressed, for which sets of columns is {name} {bound}?",
    "Q8": "if up to {share} of the records are suppressed, what is {name} for every set of columns?",
    "Q9": "how many records must be suppressed until {name} is {bound}?",
    "Q10": "for every set of columns, how many records must be suppressed until {name} is {bound}?",
    "Q11": "how many records must be suppressed for every {parameter}?",
    "Q12": "how many records must be suppressed, for every set of columns and every {parameter}?",
}
"""The twelve questions about a sensitive column."""


def searches() -> dict[str, str]:
    """Return every search without required settings, common ones first."""
    known = SEARCHES.known()
    return {name: SEARCHES.meaning(name) for name in SEARCHES.ranked() if _needs_no_settings(known[name])}


def metrics() -> dict[str, str]:
    """Return every metric that a search can minimize."""
    known = METRICS.known()
    return {name: METRICS.meaning(name) for name in METRICS.ranked() if _needs_no_settings(known[name])}


def models() -> dict[str, str]:
    """Return every model of a sensitive column."""
    known = MODELS.known()
    judging = [name for name in MODELS.ranked() if any(each.name == "column" for each in fields(known[name]))]
    return {name: MODELS.meaning(name) for name in judging}


def meanings(family: Family) -> dict[str, str]:
    """Return every member of a family with its meaning, the usual ones first."""
    return {name: family.meaning(name) for name in family.ranked()}


def select_several(explained: dict[str, str], value: list[str], label: str) -> ui.select:
    """Show a choice of several entries like `select`."""
    options = {name: f"{name}: {about}" for name, about in explained.items()}
    chosen = ui.select(options, value=value, label=label, multiple=True).props("options-dense")

    def display_names() -> None:
        chosen.props["display-value"] = ", ".join(chosen.value)

    display_names()
    chosen.on_value_change(display_names)
    return chosen


def select(explained: dict[str, str], value: str, label: str, choose: Callable[[Any], None] | None = None) -> ui.select:
    """Show a choice whose list explains every name; the field shows the chosen name alone."""
    chosen = ui.select({name: f"{name}: {about}" for name, about in explained.items()}, value=value, label=label)

    def changed(event: Any) -> None:
        chosen.props["display-value"] = event.value
        if choose is not None:
            choose(event)

    chosen.props["display-value"] = value
    chosen.on_value_change(changed)
    return chosen


def _needs_no_settings(kind: Any) -> bool:
    """Return whether a member has no required parameters."""
    try:
        kind()
    except TypeError:
        return False
    return True
