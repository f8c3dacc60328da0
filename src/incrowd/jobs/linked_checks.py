"""What several tables do not allow yet, refused by name before anything is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from incrowd.core.grid import Limit, Suppress
from incrowd.jobs.document import Place
from incrowd.jobs.families import SEARCHES
from incrowd.models import unpublished

if TYPE_CHECKING:
    from incrowd.jobs.model import Job

LINKED_SEARCHES = ("optimal", "exhaustive", "best_first", "incognito", "samarati")
"""The searches that judge a node by the people of all tables."""


def unsupported(plain: Mapping[str, Any], settings: Job | None) -> Iterator[tuple[Place, str]]:
    """Yield the settings that work for one table alone."""
    if settings is None:
        return
    if (name := SEARCHES.name_of(settings.search)) not in LINKED_SEARCHES:
        yield ("search",), f"{name} does not search several tables; choose {', '.join(LINKED_SEARCHES)}"
    suppress = settings.suppress
    if isinstance(suppress, Limit) or (isinstance(suppress, Suppress) and suppress != Suppress.ROW):
        yield ("suppress",), "with several tables, people are suppressed: give a share of them, a number, or row"
    for at, model in enumerate(settings.models):
        place = ("models", at)
        if model.needs_population or model.needs_reference or unpublished(model):
            yield place, "it compares with a distribution or with guards, which is not supported for several tables"
        elif getattr(model, "needs_hierarchy", False):
            yield place, "it needs the hierarchy of a sensitive column, which is not supported for several tables"
        for columns in model.needs:
            tables = {column.partition(".")[0] for column in columns}
            if len(tables) > 1:
                yield place, "it judges columns of different tables together; name columns of one table"
