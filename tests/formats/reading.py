"""What the tests of reading share."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from incrowd.engines.source import Source
from incrowd.errors import IncrowdError
from incrowd.formats import ReadOptions, read
from incrowd.watch import Watch

SECRET = "Geheim"
"""Stands in cells of files that are refused; no message may hold it."""


def cells(*sources: Any, columns: Sequence[str] | None = None, **options: Any) -> dict[str, list[object]]:
    """The columns of what is read, in row order."""
    source = read(*sources, options=ReadOptions(**options))
    return source.table(columns or source.columns, Watch()).decode().to_pydict()


def classes(source: Source, columns: Sequence[str] | None = None) -> Counter[tuple[str | None, ...]]:
    """How many records have each combination of cells, as text."""
    frequencies = source.count(columns or source.columns, Watch())
    values = [[None, *map(str, column.to_pylist())] for column in frequencies.values]
    found: Counter[tuple[str | None, ...]] = Counter()
    for codes, count in zip(frequencies.codes.T, frequencies.counts, strict=True):
        found[tuple(column[code] for column, code in zip(values, codes, strict=True))] += int(count)
    return found


def refusal(*sources: Any, columns: Sequence[str] | None = None, **options: Any) -> str:
    """The one line that says why these cannot be read; it holds no cell, and hides the library's own error."""
    with pytest.raises(IncrowdError) as caught:
        cells(*sources, columns=columns, **options)
    return one_line(caught.value)


def one_line(error: BaseException) -> str:
    """The message of an error of ours, with what every such message must be."""
    message = str(error)
    assert message.count("\n") == 0
    assert SECRET not in message
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    return message
