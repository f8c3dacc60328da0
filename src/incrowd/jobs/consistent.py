"""Checks of a job whose records hide among others that are not alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.document import Place
from incrowd.jobs.unchecked import models
from incrowd.models.consistent_k import ConsistentK


def faults(given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Return the faults; wrong types are reported elsewhere."""
    for place, model in models(given):
        if not isinstance(model, ConsistentK):
            yield place, "the search makes no classes for it to judge; give only consistent_k"
        elif place != ("models", 0):
            yield place, "the search supports one model; omit the others"
    if families.METRICS.is_other(given.get("metric"), "loss"):
        yield ("metric",), "the search minimizes loss and no other metric; omit it"
