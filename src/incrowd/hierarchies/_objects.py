"""Turn hierarchies that Python users hold (frames, dictionaries, functions) into plain data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import UsageError
from incrowd.families import BUILDERS
from incrowd.hierarchies._rungs import TOP

_PLAIN = (str, PathLike, list, tuple, int, float)


def is_function(given: Any) -> bool:
    """Return whether a hierarchy is given as a function from a value to its labels."""
    return callable(given) and not isinstance(given, _PLAIN)


def described(given: Any, values: pa.Array | None = None) -> Any:
    """Return a hierarchy as a job describes it: objects as a table of levels, anything else unchanged.

    A function is called with every distinct value; what it returns is all that is kept of it.
    """
    if given is None or isinstance(given, (*_PLAIN, Hierarchy)):
        return given
    if isinstance(given, Mapping):
        return _of_levels(_rows_of_mapping(given)) if _is_labels(given) else given
    if hasattr(type(given), "spec"):
        return given.spec
    if is_function(given):
        if values is None:
            raise UsageError.invalid(
                "a function as a hierarchy", "the values of the column are not known here", "give a frame or a mapping"
            )
        # How many levels there are must not depend on the values of the table.
        return _of_levels(_rows_of_function(given, plain(values)), closed={TOP})
    return _of_levels(_rows_of_frame(given))


def rows_of(hierarchy: Hierarchy) -> list[list[str | None]]:
    """Return a hierarchy as the rows of a table of levels."""
    missing = [hierarchy.missing_row] if hierarchy.lists_missing else []
    return [list(row) for row in (*hierarchy.rows, *missing)]


def _of_levels(rows: Iterable[Sequence[Any]], closed: set[str] | None = None) -> dict[str, dict[str, Any]]:
    """Return rows as a table of levels, with a top of its own unless they end in one label, that of `closed` if any."""
    texts = [[_text(cell) for cell in row] for row in rows]
    tops = {row[-1] for row in texts if len(row) > 1}
    is_closed = len(tops) <= 1 if closed is None else tops == closed
    return {"levels": {"rows": texts if is_closed else [[*row, TOP] for row in texts]}}


def _text(cell: Any) -> str | None:
    return None if cell is None or cell != cell else text_forms(cell)[0]


def _is_labels(given: Mapping[Any, Any]) -> bool:
    """Return whether a mapping leads from values to labels, not from a builder to its options."""
    if not given or (len(given) == 1 and next(iter(given)) in BUILDERS.modules()):
        return False
    return all(isinstance(labels, str | list | tuple) for labels in given.values())


def _rows_of_mapping(given: Mapping[Any, Any]) -> list[list[Any]]:
    return [[value, *_listed(labels)] for value, labels in given.items()]


def _rows_of_function(function: Callable[[Any], Any], values: Sequence[object]) -> list[list[Any]]:
    return [[value, *_listed(function(value))] for value in values] or [[TOP, TOP]]


def _listed(labels: Any) -> list[Any]:
    return list(labels) if isinstance(labels, list | tuple) else [labels]


def _rows_of_frame(frame: Any) -> list[Sequence[Any]]:
    """Read a frame: a row for every value, its first column the value, the others its labels level by level."""
    import narwhals as nw

    try:
        known: Any = nw.from_native(frame)
    except TypeError:
        raise UsageError.invalid(
            "a hierarchy",
            f"{type(frame).__name__} does not describe one",
            "give a file, a builder with its options, a frame, a mapping from values to labels, or a function",
        ) from None
    held = known.collect("pyarrow") if isinstance(known, nw.LazyFrame) else known
    return list(held.iter_rows())
