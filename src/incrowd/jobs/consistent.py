"""What must fit together in a job whose records hide among others that are not alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.document import Place
from incrowd.jobs.unchecked import models
from incrowd.models.consistent_k import ConsistentK


def faults(given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """What does not fit; wrong types are told elsewhere."""
    for place, model in models(given):
        if not isinstance(model, ConsistentK):
            yield place, "the search makes no classes that it could judge; give consistent_k, and no other"
        elif place != ("models", 0):
            yield place, "the search keeps one model; leave the others out"
    if families.METRICS.is_other(given.get("metric"), "loss"):
        yield ("metric",), "the search keeps loss low, and no other metric; leave it out"
