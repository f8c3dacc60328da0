"""The columns of a comparison: the role of each, and the distances of its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import pyarrow as pa

from incrowd import hierarchies
from incrowd.core.axes import Axis
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.schema import Role
from incrowd.errors import UsageError, close_to
from incrowd.release_metrics.scale import Scale

MEASURED = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
"""Kept columns are measured only if they are named, beside those that the manifest names."""


@dataclass(frozen=True)
class Column:
    """The settings of a column: its hierarchy, its scale, as numbers, or value by value."""

    role: Role | None = None
    """quasi, sensitive or keep; None if the manifest of a release has it."""
    hierarchy: hierarchies.Spec = None
    scale: tuple[str, ...] = ()
    """All values, lowest first."""
    domain: tuple[float, float] | None = None
    """For numbers the lowest and the highest possible; those of the original if not given."""
    priority: float = 1.0
    """Its weight in the loss."""
    ranges: tuple[Any, ...] | int = ()
    """Sensitive ranges of a sensitive column: cells in published notation, or a level."""


def columns_of(given: Any) -> dict[str, Column]:
    """Return columns as given: names of quasi-identifiers, or by name a role or the fields of a Column."""
    if given is None:
        return {}
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Mapping):
        return {str(name): Column(Role.QUASI) for name in given}
    return {str(name): _column(str(name), of) for name, of in given.items()}


def _column(name: str, given: Any) -> Column:
    if isinstance(given, Column):
        return given
    values = {"role": given} if isinstance(given, str) else given
    known = [field.name for field in fields(Column)]
    if not isinstance(values, Mapping):
        raise UsageError.invalid(f"column {name!r}", "neither a role nor settings", f"there are {_list(known)}")
    for key in values:
        if key not in known:
            hint = close_to(str(key), known)
            raise UsageError.invalid(f"column {name!r}", f"no setting {key!r}", f"there are {_list(known)}{hint}")
    settings: dict[str, Any] = {key: tuple(of) if isinstance(of, list) else of for key, of in values.items()}
    if isinstance(settings.get("hierarchy"), str):
        settings["hierarchy"] = hierarchies.parse(settings["hierarchy"])
    role = settings.get("role")
    if role is not None and role not in MEASURED:
        raise UsageError.not_one_of(f"the role of column {name!r}", str(role), MEASURED)
    return Column(**{**settings, "role": None if role is None else Role(role)})


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def settled(
    given: Mapping[str, Column], metadata: Sequence[Mapping[str, Column]], nothing: str = "nothing to measure"
) -> dict[str, Column]:
    """Return all columns: as given, else as the metadata of the releases has them, the first one first."""
    names = [name for name, column in given.items() if column.role is not None]
    kept = [name for name in names if given[name].role == Role.KEEP]
    by_manifest = next((each for each in metadata if each), {})
    roles = {name: given[name].role for name in names}
    if kept == names:
        roles = {**{name: each.role for name, each in by_manifest.items()}, **roles}
    if Role.QUASI not in roles.values():
        raise UsageError.invalid(
            nothing,
            "no quasi-identifiers given, and no release has a manifest that names them",
            "name the quasi-identifiers (-q COLUMN, or columns=[...])",
        )
    strangers = [name for name in given if name not in roles]
    if strangers:
        raise UsageError.invalid(
            f"column {strangers[0]!r}", "not declared as quasi-identifier or sensitive", "name it with -q or -s as well"
        )
    found = {
        name: _joined(given.get(name, Column()), [each[name] for each in metadata if name in each]) for name in roles
    }
    ordered = sorted(roles, key=lambda name: roles[name] != Role.QUASI)
    return {name: replace(found[name], role=roles[name]) for name in ordered}


def _joined(given: Column, metadata: Sequence[Column]) -> Column:
    """Return a column as given, with open fields from the first release that has them."""
    usual = Column()
    found = {}
    for field in fields(Column):
        values = [getattr(each, field.name) for each in (given, *metadata)]
        found[field.name] = next((value for value in values if not _is(value, getattr(usual, field.name))), values[0])
    return Column(**found)


def _is(value: object, usual: object) -> bool:
    """Return whether a field is as usual; a frame, which compares cell by cell, never is."""
    return isinstance(value, type(usual)) and bool(value == usual)


def scale_of(name: str, values: pa.Array, column: Column) -> Scale:
    """Return the base values of a column: those of its hierarchy, its order or its numbers, else what occurs."""
    if column.hierarchy is not None:
        hierarchy = hierarchies.build(column.hierarchy, values, name)
        return Scale.of(Axis.of_tree(hierarchy.along(name, values)))
    if column.scale:
        _refuse_unordered(name, values, column.scale)
        return Scale.of(Axis.of_order(name, values, column.scale))
    numbers = Axis.of_numbers(name, values, column.domain) if len(values) else None
    return Scale.of(numbers or Axis.of_set(name, values))


def _refuse_unordered(name: str, values: pa.Array, order: Sequence[str]) -> None:
    lacking = sum(not set(text_forms(value)) & set(order) for value in plain(values))
    if lacking:
        raise UsageError.invalid(
            f"the scale of column {name!r}", f"it lacks {lacking} of {len(values)} distinct values", "name all of them"
        )


def hierarchy_of(rows: Sequence[Sequence[str | None]], name: str) -> Hierarchy | None:
    """Return a hierarchy from the rows of a private record; None if there is no level."""
    return Hierarchy.from_rows(rows, name=f"the hierarchy of column {name!r}") if rows and len(rows[0]) > 1 else None
