"""A job with another k, another share to leave out or another search, as a sweep tried it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from incrowd.jobs.families import model
from incrowd.models import to_dict
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.web.parts.background import submitted

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def variant(job: dict[str, Any], tried: dict[str, Any]) -> dict[str, Any]:
    """The job that publishes what was tried, without the settings that its search does not understand."""
    changed = {**job, "models": _with_k(job["models"], tried["k"]), "suppress": tried["suppress"]}
    changed["search"] = tried["search"]
    for place in tried["left_out"]:
        # Only settings of columns, and the metric, are left out; a column's name may hold points.
        if place == "metric":
            changed.pop("metric", None)
            continue
        name, _, key = place.removeprefix("columns.").rpartition(".")
        columns = changed["columns"]
        changed["columns"] = {**columns, name: {each: of for each, of in columns[name].items() if each != key}}
    return changed


def _with_k(models: list[Any], k: int) -> list[Any]:
    """The models with another k: of k-anonymity, or where they ask for it in the revisited sense, of that."""
    given = next((model(each) for each in models if _name(each) == "consistent_k"), None)
    asked = replace(given, k=k) if isinstance(given, ConsistentK) else KAnonymity(k)
    return [to_dict(asked), *(each for each in models if _name(each) not in ("k_anonymity", "consistent_k"))]


def _name(model: Any) -> str:
    return str(model.partition(":")[0] if isinstance(model, str) else next(iter(model)))


async def make(space: Workspace, owner: str, job: dict[str, Any], tried: dict[str, Any]) -> Run:
    """Begin the release that was tried."""
    return await submitted(space, "anonymize", {"job": variant(job, tried)}, owner)
