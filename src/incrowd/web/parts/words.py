"""What the choices mean, in one plain sentence each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from incrowd.registry import members

ROLES = {
    "identifier": "names a person; never published",
    "quasi": "outsiders may know it; made coarser",
    "sensitive": "nobody may learn it; protected",
    "keep": "harmless; published as it is",
    "drop": "not wanted; left out",
}

MODELS = {
    "distinct_l": "Every group shows at least l different values, so that a group alone does not give the value away.",
    "entropy_l": "The values of a group are spread as evenly as l equal ones: one frequent value does not stick out.",
    "recursive_cl": "The most frequent value of a group is less than c times as frequent as all from the l-th on.",
    "frequency_l": "No value has more than one in l of a group.",
    "t_closeness": "A group looks like the whole table, up to a distance of t: a group alone tells little.",
    "basic_beta": "Knowing the group makes no value likelier by more than beta times what it was.",
    "enhanced_beta": "As basic_beta; what is frequent anyway may become likelier by even less than beta.",
    "delta_disclosure": "Every value is about as frequent in a group as in the whole table; a lower delta is stricter.",
    "p_sensitive": "Every group has at least k records and p different values.",
    "alpha_k": "Every group has at least k records, and no value more than a share alpha of it.",
    "range_diversity": "In no group is it likelier than p that somebody's value lies in a certain sensitive range.",
}
"""Models about a sensitive column; others explain themselves by what they say in the library."""

_USUAL = {"l": 2, "t": 0.3, "c": 3, "beta": 2, "delta": 1, "p": 2, "k": 5, "alpha": 0.5}
_PROBABILITIES = {("range_diversity", "p"), ("personal_breach", "p")}


def usual(model: str, parameter: str) -> float:
    """A first value for what a model must be given."""
    return 0.5 if (model, parameter) in _PROBABILITIES else _USUAL.get(parameter, 1)


SEARCHES = {
    "optimal": "finds the best release there is; each column gets one level of detail",
    "mondrian": "cuts the table into groups, each with its own detail; often keeps more, and is fast",
    "layered": "one level per column for most records, coarser for the rest",
    "k_members": "groups records that are alike; keeps much detail, takes longer",
    "microaggregation": "replaces numbers by the mean of a group of k",
    "k_optimize": "keeps groups small by cutting every column into intervals, provably the best; needs no hierarchies",
    "set_partitioning": "puts the values of every column into sets, in any order; needs no hierarchies",
    "local_suppression": "blanks as few single cells as it can and changes nothing else",
    "fewest_cells": "blanks the fewest single cells there can be; for small tables",
    "greedy_cover": "blanks single cells, with a bound on how many more than needed",
    "forest": "blanks single cells, with a bound on how many more than needed",
    "best_first": "the lowest weighted loss: the losses of the levels, times the priorities (ANON)",
    "samarati": "the fewest steps of generalisation in all",
    "incognito": "finds all releases that suffice, then takes the best",
    "exhaustive": "tries everything; for small tables",
    "anatomy": "publishes sensitive values in a table apart, by groups of at least k records",
    "scored": "detail first where it matters, step by step, by a score that is set under For experts",
    "tradeoff": "weighs detail against protection of the sensitive values",
}

METRICS = {
    "loss": "how much of each column's detail is gone, on average",
    "certainty_penalty": "how wide the published values are, compared with the whole column",
    "discernibility": "how large the groups are; prefers many small ones",
    "average_class_size": "how far groups exceed k, on average",
    "entropy": "how much information is gone, in bits",
    "precision": "how many steps up the hierarchies, on average",
    "suppressed": "how many records are left out",
    "height": "how many steps up the hierarchies in all",
    "ambiguity": "how many different records a published one could be",
    "distinct_rows": "how many records cannot be told from another one",
    "relative_distance": "steps up the hierarchies, each as a share of its height",
    "queries": "how far off the answers of queries that count records are, on average",
    "weighted_loss": "the declared losses of the levels, times the priorities",
}


QUESTIONS = {
    "Q1": "does every record look like at least {others} others?",
    "Q2": "how many look alike at least?",
    "Q3": "in which sets of columns does every record look like at least {others} others?",
    "Q4": "how many look alike at least, in every set of columns?",
    "Q5": "once {share} of the records are left out, does every record look like at least {others} others?",
    "Q6": "once {share} of the records are left out, how many look alike at least?",
    "Q7": "once {share} of records are left out, in which sets does every record look like at least {others} others?",
    "Q8": "once {share} of the records are left out, how many look alike at least, in every set of columns?",
    "Q9": "how many records have to go until every record looks like at least {others} others?",
    "Q10": "in every set of columns, how many records have to go until each looks like at least {others} others?",
    "Q11": "how many records have to go for every k?",
    "Q12": "how many records have to go, for every set of columns and every k?",
}
"""The twelve questions as a reader would put them."""

SENSITIVE_QUESTIONS = {
    "Q1": "is {name} {bound}?",
    "Q2": "what is {name}?",
    "Q3": "in which sets of columns is {name} {bound}?",
    "Q4": "what is {name} in every set of columns?",
    "Q5": "once {share} of the records are suppressed, is {name} {bound}?",
    "Q6": "once {share} of the records are suppressed, what is {name}?",
    "Q7": "once {share} of the records are suppressed, in which sets of columns is {name} {bound}?",
    "Q8": "once {share} of the records are suppressed, what is {name} in every set of columns?",
    "Q9": "how many records must be suppressed until {name} is {bound}?",
    "Q10": "in every set of columns, how many records must be suppressed until {name} is {bound}?",
    "Q11": "how many records must be suppressed for every {parameter}?",
    "Q12": "how many records must be suppressed, for every set of columns and every {parameter}?",
}
"""The same about a sensitive column."""


def searches() -> dict[str, str]:
    """Every search that needs no setting, the usual ones first."""
    from incrowd.jobs.families import SEARCHES as FAMILY

    return explained(SEARCHES, {name: kind for name, kind in FAMILY.known().items() if _alone(kind)})


def metrics() -> dict[str, str]:
    """Every metric that a search can keep low."""
    from incrowd.jobs.families import METRICS as FAMILY

    return explained(METRICS, {name: kind for name, kind in FAMILY.known().items() if _alone(kind) and _guides(kind)})


def models() -> dict[str, str]:
    """Every model about a sensitive column."""
    from incrowd.models.columns import OnColumns

    known = {name: module.MODEL for name, module in members("models", "MODEL").items()}
    return explained(MODELS, {name: kind for name, kind in known.items() if issubclass(kind, OnColumns)})


def several(told: dict[str, str], value: list[str], label: str) -> ui.select:
    """A choice of several, shown as `select` shows one."""
    options = {name: f"{name}: {about}" for name, about in told.items()}
    chosen = ui.select(options, value=value, label=label, multiple=True).props("options-dense")

    def shown() -> None:
        chosen.props["display-value"] = ", ".join(chosen.value)

    shown()
    chosen.on_value_change(shown)
    return chosen


def select(told: dict[str, str], value: str, label: str, choose: Callable[[Any], None] | None = None) -> ui.select:
    """A choice whose list explains every name, and which shows the chosen name alone."""
    chosen = ui.select({name: f"{name}: {about}" for name, about in told.items()}, value=value, label=label)

    def changed(event: Any) -> None:
        chosen.props["display-value"] = event.value
        if choose is not None:
            choose(event)

    chosen.props["display-value"] = value
    chosen.on_value_change(changed)
    return chosen


def explained(words: dict[str, str], known: dict[str, Any]) -> dict[str, str]:
    """Every member in words, in their order; those without any follow, as they are documented."""
    first = {name: words[name] for name in words if name in known}
    return first | {name: _documented(kind) for name, kind in known.items() if name not in words}


def _documented(kind: Any) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _alone(kind: Any) -> bool:
    """Whether it can be used without being given anything."""
    try:
        kind()
    except TypeError:
        return False
    return True


def _guides(kind: Any) -> bool:
    """Whether a search can be guided by it, not just a finished release measured."""
    return hasattr(kind, "prepare")
