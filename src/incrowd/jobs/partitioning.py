"""What a search that parts values does not understand: other metrics than its own."""

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.document import Place


def understood_metrics(search: object) -> tuple[str, ...]:
    """Return the metrics that a search minimizes where it does not follow every one."""
    return tuple(getattr(search, "metrics", ()))


def faults(search: Any, given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Whatever the job asks for beyond that."""
    metric, known = given.get("metric"), understood_metrics(search)
    if metric is not None and all(families.METRICS.is_other(metric, name) for name in known or ("",)):
        name = families.SEARCHES.spell(search)
        keeps = " or ".join(known) or "the cost of classification"
        yield ("metric",), f"{name} keeps {keeps} low, and nothing else; leave it out"
