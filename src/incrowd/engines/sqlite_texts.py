"""SQLite values as text: any column may hold floats, which SQLite writes with 15 digits, too few to be exact."""

from collections.abc import Iterable
from typing import Any

_DIGITS = "incrowd_digits"


def with_texts(table: Any, columns: Iterable[str]) -> Any:
    """Turn columns of an Ibis table in SQLite into text, floats with all significant digits."""
    # -0.0 and 0.0 are one number.
    table.get_backend().con.create_function(_DIGITS, 1, lambda number: repr(number + 0.0), deterministic=True)
    return table.mutate(**{name: _text(table[name]) for name in columns})


def _text(column: Any) -> Any:
    import ibis

    digits = ibis.udf.scalar.builtin(lambda number: None, name=_DIGITS, signature=((column.type(),), "string"))
    return (column.typeof() == "real").ifelse(digits(column), column.cast("string"))
