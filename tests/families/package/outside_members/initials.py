"""Initials: a text becomes its first letters, then anything."""

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy


def build(values: pa.Array, *, name: str = "unnamed", letters: int = 1) -> Hierarchy:
    """Return two levels: the first letters, and the top."""
    texts = [str(value) for value in values.to_pylist() if value is not None] or ["x"]
    return Hierarchy.from_rows([(text, f"{text[:letters]}…", "*") for text in texts], name=name)


MEANING = "Texts become their first letters."
LABELS = {"letters": "Letters that stay"}
BY_RULE = True
