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
    "recursive_cl": "The most frequent value of a group is not much more frequent than the rest together.",
    "frequency_l": "No value has more than one in l of a group.",
    "t_closeness": "A group looks like the whole table: who knows somebody's group learns little more than from it.",
    "basic_beta": "No value becomes much more likely by knowing the group.",
    "enhanced_beta": "No value becomes much more likely by knowing the group, and frequent ones even less so.",
    "delta_disclosure": "Every value is about as frequent in a group as in the whole table.",
    "p_sensitive": "Every group has at least k records and p different values.",
    "alpha_k": "Every group has at least k records, and no value more than a share alpha of it.",
    "range_diversity": "Nobody can be placed in the sensitive range that their value lies in.",
}
"""Models about a sensitive column; others explain themselves by what they say in the library."""

USUAL = {"l": 2, "t": 0.3, "c": 3, "beta": 2, "delta": 1, "p": 2, "k": 5, "alpha": 0.5, "lower": 0, "upper": 0.5}
"""A first value for what a model must be given."""

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
    "best_first": "takes the first release that suffices, in order of what it costs",
    "samarati": "the fewest steps of generalisation in all",
    "incognito": "finds all releases that suffice, then takes the best",
    "exhaustive": "tries everything; for small tables",
    "anatomy": "publishes sensitive values in a table apart; needs the model frequency_l",
    "scored": "detail first where it matters, step by step",
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
    "weighted_loss": "the losses that the levels of the hierarchies declare",
}


def searches() -> dict[str, str]:
    """Every search that needs no setting, the usual ones first."""
    from incrowd.jobs.families import SEARCHES as FAMILY

    return _told(SEARCHES, {name: kind for name, kind in FAMILY.known().items() if _alone(kind)})


def metrics() -> dict[str, str]:
    """Every metric that a search can keep low."""
    from incrowd.jobs.families import METRICS as FAMILY

    return _told(METRICS, {name: kind for name, kind in FAMILY.known().items() if _alone(kind) and _guides(kind)})


def models() -> dict[str, str]:
    """Every model about a sensitive column."""
    from incrowd.models._columns import OnColumns

    known = {name: module.MODEL for name, module in members("models", "MODEL").items()}
    return _told(MODELS, {name: kind for name, kind in known.items() if issubclass(kind, OnColumns)})


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


def _told(words: dict[str, str], known: dict[str, Any]) -> dict[str, str]:
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
