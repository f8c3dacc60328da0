"""Checks of a job whose search parts values: it follows its own metrics only."""

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.document import Place
from incrowd.searches import PartsSearch


def faults(search: PartsSearch, given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield what the job asks for beyond that."""
    metric, known = given.get("metric"), search.metrics
    if metric is not None and all(families.METRICS.is_other(metric, name) for name in known or ("",)):
        name = families.SEARCHES.spell(search)
        keeps = " or ".join(known) or "the cost of classification"
        yield ("metric",), f"{name} minimizes {keeps} and nothing else; omit it"
