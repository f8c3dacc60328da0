"""Variants of a job with another k, suppression limit or search, as a frontier tried them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from incrowd.jobs.families import model
from incrowd.jobs.suppression import with_amount
from incrowd.models import to_dict
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.web.parts.background import submit

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def job_of_variant(job: dict[str, Any], tried: dict[str, Any]) -> dict[str, Any]:
    """Return the job of a variant, without the settings that its search does not support."""
    limit = with_amount(job.get("suppress", 0), tried["suppress"])
    changed = {**job, "models": _with_k(job["models"], tried["k"]), "suppress": limit}
    changed["search"] = tried["search"]
    for place in tried["left_out"]:
        # Only settings of columns and the metric are dropped; a column's name may contain dots.
        if place == "metric":
            changed.pop("metric", None)
            continue
        name, _, key = place.removeprefix("columns.").rpartition(".")
        columns = changed["columns"]
        changed["columns"] = {**columns, name: {each: of for each, of in columns[name].items() if each != key}}
    return changed


def _with_k(models: list[Any], k: int) -> list[Any]:
    """Return the models with another k, of consistent_k if the job has it, else of k-anonymity."""
    given = next((model(each) for each in models if _name(each) == "consistent_k"), None)
    asked = replace(given, k=k) if isinstance(given, ConsistentK) else KAnonymity(k)
    return [to_dict(asked), *(each for each in models if _name(each) not in ("k_anonymity", "consistent_k"))]


def _name(model: Any) -> str:
    return str(model.partition(":")[0] if isinstance(model, str) else next(iter(model)))


async def make_release(space: Workspace, owner: str, job: dict[str, Any], tried: dict[str, Any]) -> Run:
    """Start the run that creates the release of a variant."""
    return await submit(space, "anonymize", {"job": job_of_variant(job, tried)}, owner)
