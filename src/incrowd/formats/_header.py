"""Whether the first line of a table is a header or a record, judged column by column over the first records.

A header that is a record would be published as the names of the columns. Each column speaks for one side, or for none:

- Its cells are of one kind (numbers, dates, e-mail addresses, codes of one shape). A first cell of that kind speaks for
  a record (2), any other text for a header (2).
- Its cells are words that repeat. A first cell that is one of them speaks for a record (2), any other for a header (1).
- Its cells are mostly different words. A first cell that is one of them speaks for a record (1).
- An empty first cell, or one that stands for missing, says nothing; nor does one above cells that are equal to it or
  missing, as where a survey writes the name of a choice into the cells of those who made it.

Whole numbers can be names. Several years above cells that are not years say nothing, a single one says less (1); nor do
three or more numbers in equal steps of at most 10, or first cells that count all columns from 0 or 1. Without any
records below, only cells that are hardly ever names speak: dates, addresses, numbers with a fraction.

The line is taken for a record where more speaks for a record than for a header, and at least 2; and for a header
beyond doubt the other way around. Between the two it is read as a header, but no message quotes its cells.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from incrowd.errors import SourceError, Unconfirmed, UsageError
from incrowd.formats.options import ReadOptions

LOOKED_AT = 1000
"""How many records are compared with the header."""

_MOST = 0.9
"""The share of a column's cells that makes its kind."""

_SURE, _WEAK = 2, 1
_LONGEST_STEP = 10
"""Between numbers that name columns: decades, age groups of five."""

_MISSING = frozenset({"", "?", "-", "--", ".", "*", "#", "na", "n/a", "n.a.", "nan", "null", "none", "nil", "<na>"})
_NUMBER = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:[,.' ]\d{3})+)(?:[.,]\d+)?(?:[eE][+-]?\d+)?|[+-]?[.,]\d+")
_WHOLE = re.compile(r"\d{1,18}")
_DATE = re.compile(
    r"(?:\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}[ -.]?[A-Za-z]{3,9}[ -.]?\d{2,4})"
    r"(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
)
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_DIGITS_OF_A_CODE = 4
_FIRST_YEAR, _LAST_YEAR = 1800, 2100


class _Column(NamedTuple):
    """A first cell, and the cells below it that are not missing."""

    first: str
    below: list[str]
    records: int
    """How many records there are, those whose cell is missing included."""


def named(source: str, first: Sequence[str], records: Iterable[Sequence[str]], options: ReadOptions) -> tuple[str, ...]:
    """The names of the columns of a table whose first line is given; refused where it looks like a record.

    Names that the user gave count, then the line itself if it is a header, else column_1, column_2, ...
    """
    if options.names:
        if len(options.names) != len(first):
            raise UsageError.senseless(
                f"{len(options.names)} names for {source}", f"it has {len(first)} columns", "name every column once"
            )
        return options.names
    if options.header is False:
        return tuple(f"column_{at + 1}" for at in range(len(first)))
    header = True if options.header else is_header(first, records, options.missing)
    if header is False:
        raise SourceError.header_looks_like_record(source)
    return tuple(first) if header else Unconfirmed(first)


def has_header(options: ReadOptions) -> bool:
    """Return whether the first line is a header; names without another word are those of a table that has none."""
    return not options.names if options.header is None else options.header


def is_header(first: Sequence[str], records: Iterable[Sequence[str]], missing: Collection[str] = ()) -> bool | None:
    """Return whether a first line is a header and not a record, by the rule above; None where it may be either."""
    unsaid = {text.strip().lower() for text in missing} | _MISSING
    held = [[cell.strip() for cell in record] for record in records]
    columns = [
        _Column(
            cell.strip(), [each[at] for each in held if at < len(each) and each[at].lower() not in unsaid], len(held)
        )
        for at, cell in enumerate(first)
    ]
    labels = _labels(columns)
    spoken = [at for at, column in enumerate(columns) if at not in labels and column.first.lower() not in unsaid]
    votes = [_vote(columns[at]) for at in spoken]
    record, header = sum(vote for vote in votes if vote > 0), -sum(vote for vote in votes if vote < 0)
    if record == header or max(record, header) < _SURE:
        return None
    return header > record


def _vote(column: _Column) -> int:
    """What a column says: above 0 for a record, below 0 for a header."""
    first, below, records = column
    own = _kind(first)
    if not below:
        rarely_a_name = own in ("date", "address") or (own == "number" and not _is_whole(first))
        return _SURE if rarely_a_name and not records else 0
    kind, cells = Counter(map(_kind, below)).most_common(1)[0]
    if kind == "text" or cells < _MOST * len(below):
        return _as_word(column)
    if own != kind:
        return -_SURE
    return _WEAK if _is_year(first) and not _are_years(below) else _SURE


def _as_word(column: _Column) -> int:
    first, below, records = column
    different = set(below)
    repeats = 2 * len(different) <= len(below)
    if first not in different:
        return -_WEAK if repeats else 0
    if len(different) == 1 and len(below) < records:
        return 0
    return _SURE if repeats else _WEAK


def _labels(columns: Sequence[_Column]) -> set[int]:
    """Columns that numbers name: years above other numbers, numbers in equal steps, or the numbers of the columns."""
    numbered = [at for at, column in enumerate(columns) if _kind(column.first) == "number"]
    years = [at for at in numbered if _is_year(columns[at].first) and not _are_years(columns[at].below)]
    if len(years) > 1 and _in_order([int(columns[at].first) for at in years]):
        return set(years)
    if not numbered or not all(_is_whole(columns[at].first) for at in numbered):
        return set()
    numbers = [int(columns[at].first) for at in numbered]
    if numbers in (list(range(len(columns))), list(range(1, len(columns) + 1))):
        return set(numbered)
    steps = {after - before for before, after in pairwise(numbers)}
    return set(numbered) if len(numbers) > 2 and len(steps) == 1 and 0 < abs(steps.pop()) <= _LONGEST_STEP else set()


def _in_order(numbers: list[int]) -> bool:
    return sorted(set(numbers)) in (numbers, numbers[::-1])


def _is_whole(text: str) -> bool:
    return _WHOLE.fullmatch(text) is not None


def _is_year(text: str) -> bool:
    return _is_whole(text) and _FIRST_YEAR <= int(text) <= _LAST_YEAR


def _are_years(cells: list[str]) -> bool:
    return sum(map(_is_year, cells)) >= _MOST * max(1, len(cells))


def _kind(text: str) -> str:
    """What a text is: number, date, address, a code by its shape, or text."""
    if _NUMBER.fullmatch(text):
        return "number"
    if _DATE.fullmatch(text):
        return "date"
    if _ADDRESS.fullmatch(text):
        return "address"
    if sum(map(str.isdigit, text)) < _DIGITS_OF_A_CODE:
        return "text"
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))
