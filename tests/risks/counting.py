"""Small tables as the measures want them: a frequency set for the fast form, tuples for the textbook."""

from collections.abc import Sequence

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from strategies import Cell, Row, batch, combination


def table_of(rows: Sequence[Row], columns: Sequence[str]) -> Table:
    """The rows, encoded."""
    return Table.from_batches(columns, [batch(rows, columns)])


def counted(rows: Sequence[Row], columns: Sequence[str]) -> FrequencySet:
    """The rows, counted."""
    return FrequencySet.of_table(table_of(rows, columns))


def records_of(rows: Sequence[Row], columns: Sequence[str]) -> list[tuple[Cell, ...]]:
    """The rows as plain tuples."""
    return [combination(row, columns) for row in rows]


def letters(*records: str) -> list[Row]:
    """Rows of one-letter cells: 'xy' is a = x, b = y; '-' is a missing cell."""
    return [
        {name: None if cell == "-" else cell for name, cell in zip("abcde", record, strict=False)} for record in records
    ]
