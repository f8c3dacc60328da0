"""Detect whether the first line of a table is a header or a record, column by column over the first records.

A record taken for a header would be published as column names. Each column votes for one side, or abstains:

- Its cells are of one kind (numbers, dates, e-mail addresses, codes of one shape). A first cell of that kind votes for
  a record (2), any other text for a header (2).
- Its cells are words that repeat. A first cell that is one of them votes for a record (2), any other for a header (1).
- Its cells are mostly different words. A first cell that is one of them votes for a record (1).
- An empty first cell, or a missing-value marker, abstains; so does one above cells that are equal to it or missing, as
  in a survey that writes the name of a choice into the cells of those who made it.

Whole numbers can be names. Several years above cells that are not years abstain, a single one counts less (1); three or
more numbers in equal steps of at most 10 abstain, and so do first cells that count all columns from 0 or 1. Without any
records below, only cells that are rarely names vote: dates, addresses, numbers with a fraction.

The line is a record if the votes for a record outnumber those for a header and are at least 2; it is certainly a header
in the opposite case. Otherwise it is read as a header, but no message quotes its cells.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from incrowd.errors import SourceError, Unconfirmed, UsageError
from incrowd.formats.options import ReadOptions

LOOKED_AT = 1000
"""Number of records compared with the header."""

_MOST = 0.9
"""The share of a column's cells that determines its kind."""

_SURE, _WEAK = 2, 1
_LONGEST_STEP = 10
"""Largest step between numbers that name columns: decades, age groups of five."""

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
    """The first cell of a column, and the cells below it that are not missing."""

    first: str
    below: list[str]
    records: int
    """Number of records, including those with a missing cell."""


def named(source: str, first: Sequence[str], records: Iterable[Sequence[str]], options: ReadOptions) -> tuple[str, ...]:
    """Return the column names of a table with this first line; raise SourceError if it looks like a record.

    The user's names come first, then the line itself if it is a header, else column_1, column_2, ... In a header, an
    empty cell becomes column_1, as its place is, and a repeated name is numbered: age, age (2).
    """
    if options.names:
        if len(options.names) != len(first):
            raise UsageError.invalid(
                f"{len(options.names)} names for {source}", f"it has {len(first)} columns", "name every column once"
            )
        return options.names
    if options.header is False:
        return tuple(f"column_{at + 1}" for at in range(len(first)))
    header = True if options.header else is_header(first, records, options.missing)
    if header is False:
        raise SourceError.header_looks_like_record(source)
    if header:
        return _complete(first)
    # R and pandas write the numbers of rows below an empty cell.
    is_index = not first[0].strip() and all(cell.strip() for cell in first[1:]) and len(set(first)) == len(first)
    return Unconfirmed(_complete(first) if is_index else first)


def _complete(first: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a header, each column with a name of its own: an empty one is named by its place, a repeated
    one is numbered."""
    names: list[str] = []
    for at, cell in enumerate(first):
        name, repeated = cell if cell.strip() else f"column_{at + 1}", 2
        while name in names or (name != cell and name in first):
            name, repeated = f"{cell if cell.strip() else f'column_{at + 1}'} ({repeated})", repeated + 1
        names.append(name)
    return tuple(names)


def has_header(options: ReadOptions) -> bool:
    """Return whether the first line is a header; if only names are given, the table has no header."""
    return not options.names if options.header is None else options.header


def is_header(first: Sequence[str], records: Iterable[Sequence[str]], missing: Collection[str] = ()) -> bool | None:
    """Return whether a first line is a header and not a record, by the rule above; None if it may be either."""
    unsaid = {text.strip().lower() for text in missing} | _MISSING
    held = list(records)
    columns = [_Column(cell.strip(), _below(held, at, unsaid), len(held)) for at, cell in enumerate(first)]
    labels = _labels(columns)
    spoken = [at for at, column in enumerate(columns) if at not in labels and column.first.lower() not in unsaid]
    votes = [_vote(columns[at]) for at in spoken]
    record, header = sum(vote for vote in votes if vote > 0), -sum(vote for vote in votes if vote < 0)
    if record == header or max(record, header) < _SURE:
        return None
    return header > record


def _below(records: Sequence[Sequence[str]], at: int, unsaid: Collection[str]) -> list[str]:
    """Return the cells of a column that are not missing, without blanks around them."""
    cells = [record[at] for record in records if at < len(record)]
    stripped = {cell: cell.strip() for cell in set(cells)}
    there = {cell: text for cell, text in stripped.items() if text.lower() not in unsaid}
    return [there[cell] for cell in cells if cell in there]


def _vote(column: _Column) -> int:
    """Return the vote of a column: above 0 for a record, below 0 for a header."""
    first, below, records = column
    own = _kind(first)
    if not below:
        rarely_a_name = own in ("date", "address") or (own == "number" and not _is_whole(first))
        return _SURE if rarely_a_name and not records else 0
    kinds: Counter[str] = Counter()
    for text, times in Counter(below).items():
        kinds[_kind(text)] += times
    kind, cells = kinds.most_common(1)[0]
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
    """Return columns whose names are numbers: years above other numbers, numbers in equal steps, or column numbers."""
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
    """Return the kind of a text: number, date, address, the shape of a code, or text."""
    if _NUMBER.fullmatch(text):
        return "number"
    if _DATE.fullmatch(text):
        return "date"
    if _ADDRESS.fullmatch(text):
        return "address"
    if sum(map(str.isdigit, text)) < _DIGITS_OF_A_CODE:
        return "text"
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))
