"""Settings that several tables do not allow yet, refused by name before anything is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from incrowd.core.grid import Suppress
from incrowd.jobs.document import Place
from incrowd.jobs.families import SEARCHES
from incrowd.models import unpublished

if TYPE_CHECKING:
    from incrowd.jobs.model import Job

USUAL = "optimal"
"""The search of a job of several tables that names none."""
LINKED_SEARCHES = ("optimal", "exhaustive", "best_first", "incognito", "samarati")
"""The searches that judge a node by the people of all tables."""


def suppresses_people(suppress: Any) -> bool:
    """Return whether a suppression limit can mean people: not cells, columns, or records of a person."""
    return not isinstance(suppress, Mapping) and suppress not in (Suppress.CELL, Suppress.COLUMN)


def unprepared(tables: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the tables that are changed as they are read."""
    for name, table in tables.items():
        if table.data is not None and table.data.prepare is not None:
            yield ("tables", name, "data", "prepare"), "several tables cannot be prepared; prepare each beforehand"


def unsupported(settings: Job | None) -> Iterator[tuple[Place, str]]:
    """Yield the settings that work for one table alone."""
    if settings is None:
        return
    if (name := SEARCHES.name_of(settings.search)) not in LINKED_SEARCHES:
        yield ("search",), f"{name} does not search several tables; choose {', '.join(LINKED_SEARCHES)}"
    for at, model in enumerate(settings.models):
        place = ("models", at)
        if model.needs_population:
            yield place, "it compares with a population, which is not supported for several tables"
        elif model.needs_reference:
            yield place, "it compares with the distribution of a whole table, which is not supported for several tables"
        elif unpublished(model):
            yield place, "it has guards, which are not supported for several tables"
        elif getattr(model, "needs_hierarchy", False):
            yield place, "it needs the hierarchy of a sensitive column, which is not supported for several tables"
        for columns in model.needs:
            tables = {column.partition(".")[0] for column in columns}
            if len(tables) > 1:
                yield place, "it judges columns of different tables together; name columns of one table"
