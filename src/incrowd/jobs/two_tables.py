"""Checks of a job whose search publishes sensitive values in a second table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.core.schema import Order, Role
from incrowd.jobs.document import Place
from incrowd.jobs.unchecked import models, said
from incrowd.searches import ApartSearch


def faults(search: ApartSearch, given: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Return the faults; wrong types are reported elsewhere."""
    roles = {name: said(column, "role") for name, column in columns.items()}
    sensitive = [name for name, role in roles.items() if role == Role.SENSITIVE]
    if len(sensitive) != 1:
        what = "no column is" if not sensitive else f"{len(sensitive)} columns are"
        yield (
            ("columns",),
            f"the search publishes one sensitive column in a separate table, and {what} sensitive; give one column "
            "this role",
        )
    for place, model in models(given):
        if not search.can_promise(model):
            yield (
                place,
                "the search publishes quasi-identifiers unchanged and guarantees only the size of groups and the "
                "distribution of values in them; give k_anonymity, frequency_l, distinct_l, entropy_l or recursive_cl",
            )
    published = [name for name, role in roles.items() if role in (Role.QUASI, Role.KEEP, Role.SENSITIVE)]
    for option, name, taken in (("group", search.group, published), ("count", search.count, sensitive)):
        if name in taken:
            yield ("search",), f"there is already a column {name!r}; choose another name, such as {option}={name}_"
    if given.get("order") == Order.SOURCE:
        yield ("order",), "the order of the source may show whose value it is; omit it"
    output = given.get("output")
    to = output.get("to") if isinstance(output, Mapping) else getattr(output, "to", output)
    if isinstance(to, str) and "://" in to:
        yield ("output",), "the search publishes two tables, which must be files; name a file"
