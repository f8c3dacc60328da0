"""Hierarchies: the ladder of one column. One builder a file, found by the registry.

A module declares `build(values, *, name, ...)`: the column's distinct values, what messages call the column, and the
builder's own options. Whatever makes no tree over all of the values is refused. `check(*, name, ...)`, if there is one,
has the same options and refuses those that no values could make right, before any data are read. With `BY_RULE = True`
a module says that its labels follow from its options, so that values which come later can have theirs. With
`BY_VALUES = True` it says that which values share a label follows from all values of the table;
`declares_levels(options)` says whether its options alone tell how many levels there are. With `LISTS_VALUES = True` it
says that a few values read better than the label above them. With `BY_TABLE = True` it says that it stands for what is
proposed from all columns of the table, where they are known. FILE_SUFFIXES are the endings of files that mean this
builder with their `path`.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, UsageError
from incrowd.families import BUILDERS
from incrowd.files.outputs import HIERARCHY, Named
from incrowd.hierarchies._numbers import with_spans
from incrowd.hierarchies._objects import described, is_function, rows_of

__all__ = [
    "Spec",
    "build",
    "by_suffix",
    "by_table",
    "check",
    "declares_labels",
    "declares_levels",
    "described",
    "faults",
    "files_of",
    "follows_rule",
    "is_function",
    "lists_values",
    "options_of",
    "parse",
    "rows_of",
    "settled",
    "spell",
]

Spec = Any
"""How a user describes a hierarchy: None, a builder's name, a path, a builder with options, a Hierarchy, a frame of
values and labels, a mapping from values to labels, or a function from a value to its labels."""

_OF_ALL = "losses"
"""The option that every builder has: the information loss of each level."""


def by_suffix() -> dict[str, str]:
    """Return the builder that a path alone means, by how the path ends."""
    known = BUILDERS.modules().items()
    return {suffix: name for name, module in known for suffix in getattr(module, "FILE_SUFFIXES", ())}


def faults(module: Any) -> list[str]:
    """Return what a builder lacks: `build` takes values and the keyword `name`."""
    known = signature(module.build).parameters if callable(module.build) else {}
    lacking = [name for name in ("values", "name") if name not in known]
    return [f"its build takes no {' and no '.join(lacking)}"] if lacking else []


def options_of(builder: str) -> list[str]:
    """Return the options of a builder beside the losses, which all have."""
    return list(_options(builder))


def parse(text: str) -> str | dict[str, dict[str, Any]] | None:
    """Return what a short form says: a builder with options, a builder or a path alone, or None if it is empty."""
    return BUILDERS.read(text) or None


def spell(spec: str | Mapping[str, Mapping[str, Any] | None] | None) -> str:
    """Return the short form that `parse` reads as the given one."""
    if spec is None:
        return ""
    if isinstance(spec, str):
        return spec if parse(spec) == spec else spell({"levels": {"path": spec}})
    ((builder, options),) = spec.items()
    return BUILDERS.write(builder, options)


def build(
    spec: Spec,
    values: pa.Array,
    name: str,
    base: Path | None = None,
    normalize: Collection[str] = (),
    missing: Collection[str] = (),
) -> Hierarchy:
    """Return the hierarchy of a column over its distinct values; paths are relative to the folder `base`.

    Where values are in a normal form, `normalize` has the steps to it, which are taken with values of a file too.
    `missing` are texts that stand for missing: where a hierarchy lists one, it says what becomes of missing cells.
    """
    spec = described(spec, values)
    hierarchy = spec if isinstance(spec, Hierarchy) else _built(*settled(spec, name), values, name, base or Path())
    listed = hierarchy.with_missing(missing, f"the hierarchy of column {name!r}") if missing else hierarchy
    if listed is not hierarchy:
        hierarchy = with_spans(listed)
    if normalize:
        hierarchy = hierarchy.respelled(normalize, f"the hierarchy of column {name!r}")
    hierarchy.along(name, values)
    return hierarchy


def check(spec: Spec, name: str) -> None:
    """Refuse a description with an unknown builder or option, or an option out of range, without building anything.

    Faults that depend on values or lie in a file show when the hierarchy is built.
    """
    if isinstance(spec, Hierarchy):
        return
    builder, options = settled(spec, name)
    arguments = _arguments(builder, {option: value for option, value in options.items() if option != _OF_ALL}, name)
    module = BUILDERS.module(builder)
    if "path" not in arguments and hasattr(module, "check"):
        with _naming(name):
            module.check(name=name, **arguments)


def settled(spec: Spec, name: str) -> tuple[str, dict[str, Any]]:
    """Return the builder that a description means, and the options that it gives."""
    spec = described(spec)
    if spec is None:
        return "automatic", {}
    if isinstance(spec, str | PathLike):
        return _named(fspath(spec), name)
    if not isinstance(spec, Mapping) or len(spec) != 1:
        raise UsageError.invalid(
            f"the hierarchy of column {name!r}", "it does not name one builder", f"there are {', '.join(_builders())}"
        )
    ((builder, options),) = spec.items()
    _known(builder, name)
    if not isinstance(options, Mapping | None):
        raise UsageError.invalid(
            f"the options of {builder} for column {name!r}", "they have no names", f"it has {_listed(builder)}"
        )
    return builder, dict(options or {})


def files_of(specs: Mapping[str, Spec]) -> list[Named]:
    """Return the files that hierarchies are read from, as the rule on outputs names them; `specs` are by column."""
    plain = {name: spec for name, spec in specs.items() if not isinstance(spec, Hierarchy) and not is_function(spec)}
    found = [settled(spec, name) for name, spec in plain.items()]
    return [(HIERARCHY, options["path"]) for _, options in found if isinstance(options.get("path"), str | PathLike)]


def follows_rule(spec: Spec, name: str) -> bool:
    """Return whether labels follow from the builder's options, not from a list of values."""
    builder, _ = settled(spec, name)
    return bool(getattr(BUILDERS.module(builder), "BY_RULE", False))


def declares_levels(spec: Spec, name: str) -> bool:
    """Return whether the description alone tells how many levels there are, and what a label's level is."""
    builder, options = settled(spec, name)
    module = BUILDERS.module(builder)
    return bool(module.declares_levels(options)) if hasattr(module, "declares_levels") else True


def declares_labels(spec: Spec, name: str) -> bool:
    """Return whether the description alone tells which values share a label, whatever other values the table has."""
    builder, _ = settled(spec, name)
    return not getattr(BUILDERS.module(builder), "BY_VALUES", False)


def lists_values(spec: Spec, name: str) -> bool:
    """Return whether a local search publishes few values rather than their label, unless the job says otherwise."""
    builder, _ = settled(spec, name)
    return bool(getattr(BUILDERS.module(builder), "LISTS_VALUES", False))


def by_table(spec: Spec, name: str) -> bool:
    """Return whether the description stands for what is proposed from all columns of the table."""
    if isinstance(spec, Hierarchy):
        return False
    builder, _ = settled(spec, name)
    return bool(getattr(BUILDERS.module(builder), "BY_TABLE", False))


def _named(text: str, name: str) -> tuple[str, dict[str, Any]]:
    builder = by_suffix().get(Path(text).suffix.lower())
    if builder is not None:
        return builder, {"path": text}
    _known(text, name)
    return text, {}


def _known(builder: str, name: str) -> None:
    if builder not in _builders():
        files = f"or a file that ends in {', '.join(by_suffix())}"
        raise UsageError.not_one_of(f"the hierarchy of column {name!r}", builder, [*_builders(), files])


def _builders() -> list[str]:
    return sorted(BUILDERS.modules())


def _options(builder: str) -> dict[str, str]:
    """Return the parameter of each option; one whose name Python keeps for itself ends in an underscore."""
    parameters = signature(BUILDERS.module(builder).build).parameters
    return {each.rstrip("_"): each for each in parameters if each not in ("values", "name")}


def _listed(builder: str) -> str:
    return ", ".join([*_options(builder), _OF_ALL])


def _built(builder: str, options: dict[str, Any], values: pa.Array, name: str, base: Path) -> Hierarchy:
    losses = options.pop(_OF_ALL, None)
    arguments = _arguments(builder, options, name)
    if "path" in arguments:
        arguments["path"] = base / str(arguments["path"])
    with _naming(name):
        hierarchy: Hierarchy = BUILDERS.module(builder).build(values, name=name, **arguments)
    if losses is None:
        return hierarchy
    per_level = losses if isinstance(losses, list | tuple) else [losses]
    return hierarchy.with_losses(per_level, f"the hierarchy of column {name!r}")


def _arguments(builder: str, options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the options by the names of the builder's parameters; refuse those that it does not have."""
    parameters = _options(builder)
    for option in options:
        if option not in parameters:
            raise UsageError.invalid(
                f"{builder}, the hierarchy of column {name!r}", f"no option {option!r}", f"it has {_listed(builder)}"
            )
    return {parameters[option]: value for option, value in options.items()}


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Name the column in errors about options; those about the hierarchy itself name it already."""
    try:
        yield
    except HierarchyError:
        raise
    except UsageError as error:
        raise UsageError(f"column {name!r}: {error}") from None
