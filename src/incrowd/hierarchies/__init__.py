"""Hierarchies: the ladder of one column. One builder a file, found by the registry.

A module declares `build(values, *, name, ...)`: the column's distinct values, what messages call the column, and the
builder's own options. Whatever makes no tree over all of the values is refused. With `BY_RULE = True` it says that its
labels follow from its options, so that values which come later can have theirs. With `BY_VALUES = True` it says that
which values share a label follows from all values of the table; `declares_levels(options)` says whether its options
alone tell how many levels there are.
"""

from collections.abc import Collection, Mapping
from inspect import signature
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, UsageError
from incrowd.files.outputs import HIERARCHY, Named
from incrowd.hierarchies._numbers import with_spans
from incrowd.hierarchies._spelling import parse, spell
from incrowd.registry import members

__all__ = [
    "BY_SUFFIX",
    "Spec",
    "build",
    "declares_labels",
    "declares_levels",
    "files_of",
    "follows_rule",
    "parse",
    "settled",
    "spell",
]

Spec = None | str | PathLike[str] | Mapping[str, Mapping[str, Any] | None] | Hierarchy
"""How a user describes a hierarchy: not at all, by a builder's name, by a path, by a builder with options, or whole."""

BY_SUFFIX = {".csv": "levels", ".tsv": "levels", ".txt": "levels", ".yaml": "tree", ".yml": "tree", ".json": "tree"}
"""The builder that a path alone means, by how the path ends."""

_OF_ALL = "losses"
"""The option that every builder has: the information loss of each level."""


def build(
    spec: Spec,
    values: pa.Array,
    name: str,
    base: Path | None = None,
    normalize: Collection[str] = (),
    missing: Collection[str] = (),
) -> Hierarchy:
    """The hierarchy of a column over its distinct values; paths are relative to the folder `base`.

    Where values are in a normal form, `normalize` has the steps to it, which are taken with values of a file too.
    `missing` are texts that stand for missing: where a hierarchy lists one, it says what becomes of missing cells.
    """
    hierarchy = spec if isinstance(spec, Hierarchy) else _built(*settled(spec, name), values, name, base or Path())
    listed = hierarchy.with_missing(missing, f"the hierarchy of column {name!r}") if missing else hierarchy
    if listed is not hierarchy:
        hierarchy = with_spans(listed)
    if normalize:
        hierarchy = hierarchy.respelled(normalize, f"the hierarchy of column {name!r}")
    hierarchy.along(name, values)
    return hierarchy


def settled(spec: Spec, name: str) -> tuple[str, dict[str, Any]]:
    """The builder that a description means, and the options that it gives."""
    if spec is None:
        return "automatic", {}
    if isinstance(spec, str | PathLike):
        return _named(fspath(spec), name)
    if not isinstance(spec, Mapping) or len(spec) != 1:
        raise UsageError.senseless(
            f"the hierarchy of column {name!r}", "it does not name one builder", f"there are {', '.join(_builders())}"
        )
    ((builder, options),) = spec.items()
    _known(builder, name)
    if not isinstance(options, Mapping | None):
        raise UsageError.senseless(
            f"the options of {builder} for column {name!r}", "they have no names", f"it has {_listed(builder)}"
        )
    return builder, dict(options or {})


def files_of(specs: Mapping[str, Spec]) -> list[Named]:
    """The files that hierarchies are read from, as the rule on outputs names them; `specs` are by column."""
    described = [settled(spec, name) for name, spec in specs.items() if not isinstance(spec, Hierarchy)]
    return [(HIERARCHY, options["path"]) for _, options in described if isinstance(options.get("path"), str | PathLike)]


def follows_rule(spec: Spec, name: str) -> bool:
    """Whether labels follow from the builder's options, not from a list of values."""
    builder, _ = settled(spec, name)
    return bool(getattr(members("hierarchies", "build")[builder], "BY_RULE", False))


def declares_levels(spec: Spec, name: str) -> bool:
    """Whether the description alone tells how many levels there are, and what a label's level is."""
    builder, options = settled(spec, name)
    module = members("hierarchies", "build")[builder]
    return bool(module.declares_levels(options)) if hasattr(module, "declares_levels") else True


def declares_labels(spec: Spec, name: str) -> bool:
    """Whether the description alone tells which values share a label, whatever other values the table has."""
    builder, _ = settled(spec, name)
    return not getattr(members("hierarchies", "build")[builder], "BY_VALUES", False)


def _named(text: str, name: str) -> tuple[str, dict[str, Any]]:
    builder = BY_SUFFIX.get(Path(text).suffix.lower())
    if builder is not None:
        return builder, {"path": text}
    _known(text, name)
    return text, {}


def _known(builder: str, name: str) -> None:
    if builder not in _builders():
        files = f"or a file that ends in {', '.join(BY_SUFFIX)}"
        raise UsageError.not_one_of(f"the hierarchy of column {name!r}", builder, [*_builders(), files])


def _builders() -> list[str]:
    return sorted(members("hierarchies", "build"))


def _options(builder: str) -> dict[str, str]:
    """The parameter of each option; one whose name Python keeps for itself ends in an underscore."""
    parameters = signature(members("hierarchies", "build")[builder].build).parameters
    return {each.rstrip("_"): each for each in parameters if each not in ("values", "name")}


def _listed(builder: str) -> str:
    return ", ".join([*_options(builder), _OF_ALL])


def _built(builder: str, options: dict[str, Any], values: pa.Array, name: str, base: Path) -> Hierarchy:
    parameters = _options(builder)
    losses = options.pop(_OF_ALL, None)
    for option in options:
        if option not in parameters:
            raise UsageError.senseless(
                f"{builder}, the hierarchy of column {name!r}", f"no option {option!r}", f"it has {_listed(builder)}"
            )
    if "path" in options:
        options["path"] = base / str(options["path"])
    arguments = {parameters[option]: value for option, value in options.items()}
    try:
        hierarchy: Hierarchy = members("hierarchies", "build")[builder].build(values, name=name, **arguments)
    except HierarchyError:
        raise
    except UsageError as error:
        raise UsageError(f"column {name!r}: {error}") from None
    if losses is None:
        return hierarchy
    per_level = losses if isinstance(losses, list | tuple) else [losses]
    return hierarchy.with_losses(per_level, f"the hierarchy of column {name!r}")
