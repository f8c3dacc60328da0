"""What is measured: the columns, what each is for, and how its values are near to each other."""

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

MEASURED = (Role.QUASI, Role.SENSITIVE)


@dataclass(frozen=True)
class Column:
    """How a column is measured: by its hierarchy, along its scale, as numbers, or value by value."""

    role: Role | None = None
    """quasi or sensitive; None where the manifest of a release tells."""
    hierarchy: hierarchies.Spec = None
    scale: tuple[str, ...] = ()
    """All values, lowest first."""
    domain: tuple[float, float] | None = None
    """Of numbers the lowest and the highest that there might be; those of the original when not given."""
    priority: float = 1.0
    """How much it matters in the loss."""
    ranges: tuple[Any, ...] | int = ()
    """Of a sensitive column what nobody may be found to be among: cells as they might be published, or a level."""


def columns_of(given: Any) -> dict[str, Column]:
    """What a user says about columns: names of quasi-identifiers, or by name a role or the fields of a Column."""
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
    told = {"role": given} if isinstance(given, str) else given
    known = [field.name for field in fields(Column)]
    if not isinstance(told, Mapping):
        raise UsageError.senseless(f"column {name!r}", "it is neither a role nor settings", f"there are {_list(known)}")
    for key in told:
        if key not in known:
            hint = close_to(str(key), known)
            raise UsageError.senseless(f"column {name!r}", f"no setting {key!r}", f"there are {_list(known)}{hint}")
    settings: dict[str, Any] = {key: tuple(of) if isinstance(of, list) else of for key, of in told.items()}
    if isinstance(settings.get("hierarchy"), str):
        settings["hierarchy"] = hierarchies.parse(settings["hierarchy"])
    role = settings.get("role")
    if role is not None and role not in MEASURED:
        raise UsageError.not_one_of(f"the role of column {name!r}", str(role), MEASURED)
    return Column(**{**settings, "role": None if role is None else Role(role)})


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def settled(
    asked: Mapping[str, Column], told: Sequence[Mapping[str, Column]], nothing: str = "nothing to measure"
) -> dict[str, Column]:
    """All columns that are looked at: as a user asks, else as the releases themselves tell, the first one first."""
    names = [name for name, column in asked.items() if column.role is not None]
    by_manifest = next((each for each in told if each), {})
    roles = {name: asked[name].role for name in names} or {name: each.role for name, each in by_manifest.items()}
    if Role.QUASI not in roles.values():
        raise UsageError.senseless(
            nothing,
            "no quasi-identifiers are named, and no manifest beside a release names them",
            "name the columns that outsiders know (-q COLUMN, or columns=[...])",
        )
    strangers = [name for name in asked if name not in roles]
    if strangers:
        raise UsageError.senseless(
            f"column {strangers[0]!r}", "nothing says whether it is quasi or sensitive", "name it with -q or -s as well"
        )
    found = {name: _joined(asked.get(name, Column()), [each[name] for each in told if name in each]) for name in roles}
    ordered = sorted(roles, key=lambda name: roles[name] != Role.QUASI)
    return {name: replace(found[name], role=roles[name]) for name in ordered}


def _joined(asked: Column, told: Sequence[Column]) -> Column:
    """What a user says, and what is left open as the first release that knows it says."""
    usual = Column()
    found = {}
    for field in fields(Column):
        values = [getattr(each, field.name) for each in (asked, *told)]
        found[field.name] = next((value for value in values if value != getattr(usual, field.name)), values[0])
    return Column(**found)


def scale_of(name: str, values: pa.Array, column: Column) -> Scale:
    """The base values of a column: its hierarchy's, those in order, its numbers, else what occurs."""
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
        raise UsageError.senseless(
            f"the scale of column {name!r}", f"it lacks {lacking} of {len(values)} different values", "name all of them"
        )


def hierarchy_of(rows: Sequence[Sequence[str | None]], name: str) -> Hierarchy | None:
    """A hierarchy as a private record keeps it; None where there is no level."""
    return Hierarchy.from_rows(rows, name=f"the hierarchy of column {name!r}") if rows and len(rows[0]) > 1 else None
