"""The ladder of a column: built, looked at along the data, saved as a table of levels."""

from typing import Any

from incrowd.errors import HierarchyError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.path_sandbox import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Hierarchy
from incrowd.watch import Show

REQUEST = Hierarchy
_NAMED = 100
"""So many of the values at fault are named to whoever may see them."""


def prepare(request: Hierarchy, files: References) -> dict[str, Any]:
    """The request for a worker."""
    plain = located(request, files)
    return {**plain, "spec": hierarchy_within(request.spec, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Its levels; where values may be shown also its rows, and those that it lacks."""
    from incrowd.engines.source import chosen_columns, count
    from incrowd.hierarchies import automatic, build, settled
    from incrowd.hierarchies.levels import save
    from incrowd.hierarchies.overview import overview
    from incrowd.watch import Watch

    missing = plain["data"].get("missing") or ()
    source = opened(plain)
    (name,) = chosen_columns([plain["column"]], source.columns, "column")
    with Watch(None, show) as watch:
        frequencies = count(source, [name], watch)
    builder, options = settled(plain["spec"], name)
    proposed = automatic.propose(frequencies.values[0]) if builder == "automatic" else None
    if proposed is not None:
        ((builder, found),) = proposed.items()
        options = {**found, **options}
    losses = plain.get("losses", options.pop("losses", None))
    described = {builder: {**options, **({} if losses is None else {"losses": losses})}}
    try:
        built = build(described, frequencies.values[0], name, missing=missing)
        facts = overview(built, frequencies, plain["show_values"])
    except HierarchyError as error:
        if not (plain["show_values"] and error.offending):
            raise
        return {"hierarchy": None, "fault": str(error), "lacking": list(error.offending[:_NAMED])}
    save(built, "hierarchy.csv")
    rows = [list(row) for row in built.rows] if plain["show_values"] else None
    return {**facts.to_dict(), "hierarchy": {builder: options}, "losses": list(built.losses), "rows": rows}
