"""The metric of a job that names none, and declared losses that nothing uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from incrowd.errors import listed
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.unchecked import said
from incrowd.metrics import Metric
from incrowd.searches import AxisSearch, Search

_DECLARED, _USUAL = "weighted_loss", "loss"


def usual_metric(given: Mapping[str, Any]) -> Metric:
    """Return weighted_loss where columns declare losses of their levels and the search follows it, else loss.

    ANON's best table is the one with the lowest weighted information loss (section 3.2).
    """
    follows = _follows_losses(SEARCHES.member(given["search"])) if "search" in given else True
    found: Metric = METRICS.member(_DECLARED if follows and declared_losses(given) else _USUAL)
    return found


def declared_losses(given: Mapping[str, Any]) -> list[str]:
    """Return the columns with losses of their own, of a job as data or built already."""
    columns = given.get("columns")
    known = columns if isinstance(columns, Mapping) else {}
    return [str(name) for name, column in known.items() if said(column, "losses") is not None]


def metric_name(given: Mapping[str, Any]) -> str:
    """Return the name of the metric of a job as data."""
    metric = METRICS.to_plain(METRICS.member(given["metric"]) if "metric" in given else usual_metric(given))
    return metric if isinstance(metric, str) else str(next(iter(metric)))


def unused_losses(given: Mapping[str, Any]) -> str | None:
    """Return a sentence on losses that a job as data declares and nothing uses; None where there are none."""
    columns = declared_losses(given)
    if not columns:
        return None
    metric = metric_name(given)
    search: Search | None = SEARCHES.member(given["search"]) if "search" in given else None
    if metric == _DECLARED or (search is not None and search.minimizes == _DECLARED):
        return None
    unused = f"The losses declared for {listed(columns)} are not used"
    if search is not None and not _follows_losses(search):
        return f"{unused}: the search {SEARCHES.spell(search)} minimizes {metric}."
    return f"{unused}: the job names the metric {metric}. Name {_DECLARED}, or no metric, to use them."


def _follows_losses(search: Search) -> bool:
    """Return whether a search can minimize the losses of levels."""
    return not isinstance(search, AxisSearch) and _DECLARED in (search.metrics or (_DECLARED,))
