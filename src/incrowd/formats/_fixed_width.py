"""Text without delimiters: every column has a width in characters, and blanks pad its cells."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise

import pyarrow as pa

from incrowd.core.table import text_array
from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError, UsageError
from incrowd.formats import _header
from incrowd.formats._text import Text
from incrowd.formats.options import ReadOptions

_ROWS = 1 << 16
"""Records per batch."""


def source_of(text: Text, options: ReadOptions) -> Source:
    """Return the records of a text file with the column widths in the options."""
    if options.delimiter is not None or options.spreadsheet_safe:
        raise UsageError.invalid(
            "widths with a delimiter", "a text file has either delimiters or columns of fixed width", "give one of them"
        )
    location, widths = str(text.path), options.widths
    if any(width < 1 for width in widths):
        raise UsageError.invalid("widths", "a column must have at least one character", "give whole numbers, 1 or more")
    first, *below = islice(_records(text, widths), _header.LOOKED_AT + 1)
    names = _header.named(location, first, below, options)
    skipped = 1 if _header.has_header(options) else 0

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        wanted = [names.index(name) for name in columns]
        records = islice(_records(text, widths), skipped, None)
        while chunk := list(islice(records, _ROWS)):
            cells = [text_array([record[at] or None for record in chunk]).dictionary_encode() for at in wanted]
            yield pa.RecordBatch.from_arrays(cells, list(columns))

    return StreamSource(location, names, batches, options.missing, dict.fromkeys(names, pa.string()), False)


def _records(text: Text, widths: Sequence[int]) -> Iterator[list[str]]:
    """Yield the cells of each line that is not blank; in a short line the last cells are empty."""
    cuts = list(pairwise(accumulate(widths, initial=0)))
    end = cuts[-1][1]
    none = True
    for number, line in enumerate(text.lines(), 1):
        held = line.rstrip()
        if len(held) > end:
            raise SourceError.of(
                text.path,
                f"line {number} has {len(held)} characters, the widths add up to {end}",
                "give the width of every column",
            )
        if held:
            none = False
            yield [held[start:stop].strip() for start, stop in cuts]
    if none:
        raise SourceError.of(text.path, "it is empty", "a table has at least a header")
