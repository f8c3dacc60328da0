"""Frames as they are given: what narwhals wraps, and the names of their columns."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
from narwhals.exceptions import DuplicateError

from incrowd.engines.source import checked_columns
from incrowd.errors import SourceError


def known(name: str, frame: Any) -> Any:
    """Return the frame wrapped by narwhals; raise SourceError if it is not supported."""
    try:
        return nw.from_native(frame)
    except DuplicateError:
        text_labels(name, getattr(frame, "column_names", None) or frame.columns)
        raise
    except TypeError:
        kind = type(frame)
        raise SourceError.of(
            name,
            f"{kind.__module__}.{kind.__qualname__} is not a supported table type",
            "give a pandas, Polars or PyArrow table, a DuckDB relation, an Ibis table or a PySpark DataFrame",
        ) from None


def text_labels(name: str, labels: Sequence[object]) -> tuple[str, ...]:
    """Return the column labels if all are valid names, else raise SourceError; pandas allows others."""
    texts = [label for label in labels if isinstance(label, str)]
    if len(texts) < len(labels):
        kind = next(type(label).__name__ for label in labels if not isinstance(label, str))
        raise SourceError.of(
            name,
            f"{len(labels) - len(texts)} of its {len(labels)} column labels are not text (one is of type {kind})",
            "use text as the name of every column",
        )
    return checked_columns(name, texts)
