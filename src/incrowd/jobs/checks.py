"""Checks that the parts of a job fit together. They look at the parts as given, so no fault hides another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from incrowd.core.grid import Limit
from incrowd.core.knowledge import Known
from incrowd.core.schema import Nulls, Role, WipedAs
from incrowd.errors import close_to, listed
from incrowd.jobs import consistent, families, grid, guards, partitioning, two_tables
from incrowd.jobs.document import Place, Written
from incrowd.jobs.parts import Origin
from incrowd.jobs.suppression import known, suppression
from incrowd.jobs.unchecked import models, said
from incrowd.models import unpublished
from incrowd.searches import (
    ApartSearch,
    CellsSearch,
    ChoosingSearch,
    GroupsSearch,
    HierarchySearch,
    LocalSearch,
    PartsSearch,
    Search,
)

_OF_QUASI = ("losses", "priority", "limit", "minimum", "form", "bounds", "person")
_MEASURED = (Role.QUASI, Role.SENSITIVE)
_OF_MEASURED = ("scale", "domain")
OF_SOURCES = tuple(key for key in Origin.model_fields if key not in ("file", "url"))
"""Keys that each of several sources may have."""
OF_LOCAL = ("form", *_OF_MEASURED, "bounds")
"""Settings of a column that only local searches, and those that part values, understand."""
OF_LADDERS = ("losses", "limit", "minimum")
"""Settings of a column that only full-domain searches understand."""


def note(given: Mapping[str, Any], written: Written) -> None:
    """Add all that does not fit together to the faults of a job; wrong types are reported elsewhere."""
    columns = given.get("columns")
    roles = _roles(columns) if isinstance(columns, Mapping) else None
    named = columns if isinstance(columns, Mapping) else {}
    found = (
        *_columns(roles or {}, columns),
        *grid.faults(given, named),
        *_search(given, named),
        *_models(given, roles),
        *_people(given, named),
        *_sources(given.get("data")),
        *_places(given),
    )
    for place, what in found:
        written.fault(place, what)


def _roles(columns: Mapping[str, Any]) -> dict[str, Role | None]:
    """Return the role of every column; None where it cannot be told."""
    given = {name: said(column, "role") for name, column in columns.items() if isinstance(name, str)}
    return {name: Role(role) if role in tuple(Role) else None for name, role in given.items()}


def _columns(roles: Mapping[str, Role | None], columns: Any) -> Iterator[tuple[Place, str]]:
    if isinstance(columns, Mapping) and not {None, Role.QUASI} & set(roles.values()):
        yield ("columns",), "no column is a quasi-identifier; give at least one the role quasi"
    for name, role in roles.items():
        column, place = columns[name], ("columns", name)
        if not name:
            yield place, "a column has no name"
        for setting in _OF_QUASI:
            if role not in (None, Role.QUASI) and said(column, setting) not in (None, *_usual(setting)):
                yield (*place, setting), f"only a quasi column may have it; this column is {role}"
        for setting in (*_OF_MEASURED, "normalize", "missing"):
            if role not in (None, *_MEASURED) and said(column, setting) not in (None, *_usual(setting)):
                yield (*place, setting), f"only a quasi or sensitive column may have it; this column is {role}"
        yield from _hierarchy(name, role, said(column, "hierarchy"))
        yield from _line(place, column)
        yield from _levels(place, column)


def _usual(setting: str) -> tuple[Any, ...]:
    return {"priority": (1,), "minimum": (0,), "normalize": ((), []), "missing": ((), []), "person": (False,)}.get(
        setting, ()
    )


def _hierarchy(name: str, role: Role | None, given: Any) -> Iterator[tuple[Place, str]]:
    if given is None:
        return
    place = ("columns", name, "hierarchy")
    if role not in (None, *_MEASURED):
        yield place, f"only a quasi or sensitive column may have one; this column is {role}"
    try:
        spec = families.hierarchy(given)
    except ValueError:
        return
    try:
        families.check_hierarchy(spec, name)
    except ValueError as error:
        yield place, str(error)


def _levels(place: Place, column: Any) -> Iterator[tuple[Place, str]]:
    limit, minimum, losses = (said(column, key) for key in ("limit", "minimum", "losses"))
    if _is_whole(limit) and _is_whole(minimum) and limit < minimum:
        yield (*place, "limit"), "it is below minimum; swap them or omit one"
    if not isinstance(losses, list | tuple) or not all(_is_number(loss) for loss in losses):
        return
    if len(losses) < 2:
        yield (*place, "losses"), "give one number for each level, including level 0"
    elif any(low > high for low, high in zip((0, *losses), losses, strict=False)):
        yield (*place, "losses"), "they must be 0 or more and must not decrease from level to level"
    else:
        for key, level in (("limit", limit), ("minimum", minimum)):
            if _is_whole(level) and level >= len(losses):
                yield (*place, key), f"the column has losses for levels 0 to {len(losses) - 1} only"


def _line(place: Place, column: Any) -> Iterator[tuple[Place, str]]:
    """Yield what says how near values are to each other."""
    scale, domain = said(column, "scale"), said(column, "domain")
    if isinstance(scale, list | tuple) and len(set(map(str, scale))) < len(scale):
        yield (*place, "scale"), "a value is repeated; list each value once, lowest first"
    if isinstance(domain, list | tuple) and len(domain) == 2 and all(map(_is_number, domain)) and domain[0] > domain[1]:
        yield (*place, "domain"), "not in ascending order; give the lowest number first"
    if scale is not None and domain is not None:
        yield (*place, "domain"), "numbers have a domain, other ordered values a scale; give only one"


def _search(given: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield what full-domain searches and others do not understand."""
    try:
        search = grid.asked_search(given)
    except ValueError:
        return
    local = isinstance(search, LocalSearch)
    for name, column in columns.items():
        for setting in foreign_to(search):
            if said(column, setting) not in (None, *_usual(setting)):
                other = "local searches do not use levels" if local else "only local searches use it"
                other = (
                    "the search partitions values and does not use levels" if isinstance(search, PartsSearch) else other
                )
                yield ("columns", name, setting), f"{other}; omit it, or choose another search"
    if isinstance(search, PartsSearch):
        yield from partitioning.faults(search, given)
    if isinstance(search, ApartSearch):
        yield from two_tables.faults(search, given, columns)
    yield from _wiped(search, given)
    yield from guards.faults(isinstance(search, GroupsSearch) and search.generalizes, given, columns)
    yield from _labels(search.looks_at, columns)
    if isinstance(search, CellsSearch) and search.consistent:
        yield from consistent.faults(given)
    if local and families.METRICS.is_other(given.get("metric"), "loss"):
        yield ("metric",), "a local search minimizes loss and no other metric; omit it"


def _wiped(search: Search, given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Refuse a missing value for a suppressed cell if either matches other values than itself."""
    if "wiped" not in given or given["wiped"] not in (None, WipedAs.NULL):
        return
    if given.get("nulls", Nulls.EXTENDED) != Nulls.EXTENDED:
        yield ("wiped",), "null needs nulls: extended, where a missing value is a value of its own; write label"
    if isinstance(search, CellsSearch) and search.matches_anything:
        yield (
            ("wiped",),
            "null cannot be combined with wiped=anything, under which a suppressed cell matches every value; write "
            "label",
        )


def _labels(labels: Sequence[str], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield what a search looks at must be published as it is: a label that nobody sees predicts nothing."""
    for label in labels:
        if label not in columns:
            hint = close_to(label, columns)
            yield ("search",), f"its label is column {label!r}, which the job does not mention{hint}"
        elif (role := said(columns[label], "role")) not in (None, Role.SENSITIVE, Role.KEEP):
            yield ("search",), f"its label is column {label!r}, which is {role}; give it the role sensitive or keep"


def foreign_to(search: Search) -> tuple[str, ...]:
    """Return the settings of a column that a search does not understand."""
    if isinstance(search, ChoosingSearch):
        # Each of its candidates is asked by itself.
        return ()
    if isinstance(search, HierarchySearch):
        return OF_LOCAL
    return (*OF_LADDERS, "bounds") if isinstance(search, PartsSearch) else OF_LADDERS


def _models(given: Mapping[str, Any], roles: Mapping[str, Role | None] | None) -> Iterator[tuple[Place, str]]:
    listed_models = given.get("models")
    if isinstance(listed_models, list | tuple) and not listed_models:
        yield ("models",), "there is no privacy model; add one, such as k_anonymity:k=5"
    for place, model in models(given):
        for name in dict.fromkeys(name for columns in model.needs for name in columns):
            check = guards.withheld if name in unpublished(model) else _judged
            yield from check(place, name, roles) if roles is not None else ()
        if model.needs_population and given.get("population") is None:
            yield place, "it compares with the population; name its source as population"


def _people(given: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Refuse what speaks of people where no column tells the person."""
    if any(said(column, "role") == Role.PERSON or said(column, "person") for column in columns.values()):
        return
    remedy = "no column tells the person of a record; give one the role person"
    with suppress(ValueError):
        if known(given.get("knows", Known.RECORD)) != Known.RECORD:
            yield ("knows",), remedy
    with suppress(ValueError):
        if isinstance(suppression(given.get("suppress", 0)), Limit):
            yield ("suppress",), remedy


def _judged(place: Place, name: str, roles: Mapping[str, Role | None]) -> Iterator[tuple[Place, str]]:
    """Refuse models of columns that are not sensitive."""
    role = roles.get(name)
    if name not in roles:
        yield place, f"it judges column {name!r}, which the job does not mention{close_to(name, roles)}"
    elif role not in (None, Role.SENSITIVE):
        sensitive = [other for other, has in roles.items() if has == Role.SENSITIVE]
        exist = f"the sensitive ones are {listed(sensitive)}" if sensitive else "no column is sensitive"
        yield place, f"it judges column {name!r}, which is {role}, not sensitive; {exist}"


def _sources(data: Any) -> Iterator[tuple[Place, str]]:
    """Yield what stands beside sources of which each says its own."""
    sources = said(data, "source")
    several = sources if isinstance(sources, list | tuple) else [sources]
    if not all(_says_own(each) for each in several):
        return
    for key in OF_SOURCES:
        if said(data, key) not in (None, (), []):
            yield ("data", key), "each source has its own; move it to the source it describes"


def _says_own(source: Any) -> bool:
    return any(said(source, key) not in (None, (), []) for key in OF_SOURCES)


def _places(given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Refuse outputs that overwrite inputs or each other."""
    output = given.get("output")
    written = (
        {("output",): output}
        if isinstance(output, str)
        else {("output", key): said(output, key) for key in ("to", "record", "mapping")}
    )
    data = given.get("data")
    sources = data if isinstance(data, str | list | tuple) else said(data, "source")
    several = list(sources) if isinstance(sources, list | tuple) else [sources]
    taken = [each if isinstance(each, str) else said(each, "file") for each in several]
    for place, location in written.items():
        if isinstance(location, str) and "://" not in location and location in taken:
            yield place, "already used by another input or output; choose another location"
        taken.append(location)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
