"""What must fit together in a job whose records hide among others that are not alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.written import Place
from incrowd.models.consistent_k import ConsistentK


def faults(given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """What does not fit; wrong types are told elsewhere."""
    models = given.get("models")
    for at, each in enumerate(models if isinstance(models, list | tuple) else ()):
        try:
            model = families.model(each)
        except ValueError:
            continue
        if not isinstance(model, ConsistentK):
            yield ("models", at), "the search makes no classes that it could judge; give consistent_k, and no other"
        elif at:
            yield ("models", at), "the search keeps one model; leave the others out"
    if families.METRICS.is_other(given.get("metric"), "loss"):
        yield ("metric",), "the search keeps loss low, and no other metric; leave it out"
