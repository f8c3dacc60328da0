"""Checks of a job whose records guard nodes of a sensitive column's hierarchy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.core.schema import Role
from incrowd.jobs.document import Place
from incrowd.jobs.unchecked import models, said
from incrowd.models import unpublished


def faults(generalizes: bool, given: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Return the faults; wrong types are reported elsewhere. `generalizes`: whether the search does so with values."""
    every = list(models(given))
    guarding = [(place, model) for place, model in every if unpublished(model)]
    if not generalizes:
        for place, _ in guarding:
            yield place, "only the search personalized supports it; write search: personalized"
        return
    if len(guarding) != 1:
        what = "none does" if not guarding else f"{len(guarding)} do"
        yield ("models",), f"the search generalizes the column that personal_breach guards, and {what}; give one"
        return
    [(place, model)] = guarding
    [guarded] = model.needs[0]
    if guarded in columns and said(columns[guarded], "hierarchy") is None:
        yield place, f"guards are nodes of a hierarchy, and column {guarded!r} has none; give it one"
    for other, each in every:
        if each is not model and any(guarded in needed for needed in each.needs):
            yield other, f"the search generalizes column {guarded!r}, which this model judges; omit it"


def withheld(place: Place, name: str, roles: Mapping[str, Role | None]) -> Iterator[tuple[Place, str]]:
    """Yield a column that a model looks at, and that no release may show."""
    if name not in roles:
        yield place, f"its guards are in column {name!r}, which the job does not mention; give it the role drop"
    elif roles[name] not in (None, Role.DROP):
        yield place, f"its guards are in column {name!r}, which is {roles[name]}; give it the role drop"
