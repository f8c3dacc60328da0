"""Reading published cells: from a text to what it covers, for releases of any tool.

A cell may be a value of the original column, a label of its hierarchy, a range, a set, a mask, `*` for everything, or
missing. Any other text is an error, because a release must not be measured by half of its cells.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property
from json import JSONDecodeError, JSONDecoder
from math import ceil, floor, inf, isnan

import numpy as np
import pyarrow as pa

from incrowd.core.axes import Kind, numbers_of
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.table import text_array
from incrowd.release_metrics.covers import ABSENT, NOTHING, Cell
from incrowd.release_metrics.ranges import Span, spans
from incrowd.release_metrics.scale import Counts, Scale, leaf_positions

EVERYTHING = "*"
_MASKED = re.compile(r"[*#]")


class CellReader:
    """Reads the cells of one column of a release."""

    def __init__(
        self, scale: Scale, has_missing: bool, hierarchy: Hierarchy | None = None, order: Sequence[str] = ()
    ) -> None:
        self._scale = scale
        self._has_missing = has_missing
        self._own = hierarchy
        self._order = order

    def read(self, value: object) -> Cell | None:
        """Return what a cell covers; None if it is not understood."""
        if value is None:
            # Where no original cell is missing, one that is now has been suppressed.
            return ABSENT if self._has_missing else self.everything
        for form in text_forms(value):
            if form in self._plain:
                return _single(self._plain[form])
        text = text_forms(value)[0]
        # A label may begin or end with blanks, as the values do from which it is made.
        return self._labels[text] if text in self._labels else self._text(text.strip())

    @cached_property
    def everything(self) -> Cell:
        """Return what `*` covers."""
        return Cell(0.0, self._scale.last, missing=True)

    def _text(self, text: str) -> Cell | None:
        if text in self._labels:
            return self._labels[text]
        if text == EVERYTHING:
            return self.everything
        number = self._number(text)
        if number is not None:
            return self._point(number)
        return self._range(text) or self._set(text) or self._mask(text)

    @cached_property
    def _plain(self) -> dict[str, float]:
        """Return the position of each base value, by every text that names it."""
        scale = self._scale
        found = {text: float(at) for at, text in enumerate(self._order)}
        found |= {
            form: float(position)
            for value, position in zip(plain(scale.axis.values), scale.positions[1:], strict=True)
            for form in text_forms(value)
        }
        if scale.ladder is not None:
            hierarchy = scale.ladder.hierarchy
            leaves = leaf_positions(hierarchy)
            found |= {text: float(leaves[at]) for at, text in enumerate(hierarchy.values) if text not in found}
        return found

    @cached_property
    def _labels(self) -> dict[str, Cell]:
        """Return what the labels of the hierarchy cover; of a label on several levels, the lowest counts."""
        found: dict[str, Cell] = {}
        ladder = self._scale.ladder
        for hierarchy in filter(None, (self._own, None if ladder is None else ladder.hierarchy)):
            for level in range(1, hierarchy.height + 1):
                for label, cell in zip(hierarchy.labels[level], self.nodes(hierarchy, level), strict=True):
                    if cell is not None:
                        found.setdefault(label, cell)
        return found

    def nodes(self, hierarchy: Hierarchy, level: int) -> list[Cell | None]:
        """Return per code of a level what it covers; None if the scale has none of its values."""
        places = np.array([self._plain.get(text, -1.0) for text in hierarchy.values], dtype=np.int64)
        order = np.argsort(hierarchy.codes[level], kind="stable")
        ends = np.cumsum(np.bincount(hierarchy.codes[level], minlength=len(hierarchy.labels[level])))
        parts = np.split(places[order], ends[:-1])
        return [_cell(part[part >= 0], code == hierarchy.missing[level]) for code, part in enumerate(parts)]

    def _number(self, text: str) -> float | None:
        """Return a number, or a date as a number, if the column has such values."""
        if not self._scale.is_numeric:
            return None
        if self._are_moments:
            return _moment(text)
        numbers = numbers_of(text_array([text]))
        return None if numbers is None else float(numbers[0])

    @cached_property
    def _are_moments(self) -> bool:
        values = self._scale.axis.values
        return bool(pa.types.is_timestamp(values.type) or pa.types.is_date64(values.type))

    def _point(self, number: float) -> Cell | None:
        """Return a number that no original record needs to have, such as a mean."""
        scale = self._scale
        if scale.origin is not None:
            return _single(number - scale.origin)
        assert scale.numbers is not None
        if scale.axis.kind != Kind.NUMBERS:
            same = np.flatnonzero(scale.numbers == number)
            return _cell(same)
        return _single(float(np.interp(number, scale.numbers, np.arange(len(scale.numbers)))))

    def _range(self, text: str) -> Cell | None:
        """Return a range of numbers, of dates or of ordered values."""
        if not self._scale.is_numeric and self._scale.axis.kind != Kind.ORDER:
            return None
        for span in spans(text):
            low, high = self._end(span.low, -inf), self._end(span.high, inf)
            if low is not None and high is not None and low <= high:
                return self._between(low, high, span) or NOTHING
        return None

    def _end(self, bound: str | None, open_end: float) -> float | None:
        if bound is None:
            return open_end
        if self._scale.axis.kind == Kind.ORDER:
            return self._plain.get(_unquoted(bound))
        if self._scale.origin is None and bound in self._plain:
            # Which of the texts that spell one number.
            return float(self._scale.number(np.array([self._plain[bound]]))[0])
        return self._number(bound)

    def _between(self, low: float, high: float, span: Span) -> Cell | None:
        """Return all base values between two ends; None if there are none."""
        scale = self._scale
        if scale.origin is not None or scale.axis.kind == Kind.ORDER:
            origin = scale.origin or 0.0
            first = 0.0 if low == -inf else (floor(low) + 1 if span.low_open else ceil(low)) - origin
            last = scale.last if high == inf else (ceil(high) - 1 if span.high_open else floor(high)) - origin
            first, last = max(0.0, first), min(scale.last, last)
            return Cell(float(first), float(last)) if first <= last else None
        numbers = scale.numbers
        assert numbers is not None
        above = numbers > low if span.low_open else numbers >= low
        below = numbers < high if span.high_open else numbers <= high
        return _cell(np.flatnonzero(above & below))

    def _set(self, text: str) -> Cell | None:
        """Return several cells between braces."""
        if not (text.startswith("{") and text.endswith("}")):
            return None
        items = listed_items(text[1:-1])
        cells = None if items is None else [self.read(item) for item in items]
        return None if cells is None or None in cells else self._union([cell for cell in cells if cell is not None])

    def _union(self, cells: Sequence[Cell]) -> Cell | None:
        there = [cell for cell in cells if not isnan(cell.low)]
        missing = any(cell.missing for cell in cells)
        if not there:
            return ABSENT if missing else None
        if any(cell.low % 1 for cell in there):
            # A number that is no base value has no place in a set of them.
            return None
        return _cell(np.unique(np.concatenate([_positions(cell) for cell in there])), missing)

    def _mask(self, text: str) -> Cell | None:
        """Return a pattern in which `*` or `#` stands for one character each, or at the end for any number of them."""
        first = _MASKED.search(text)
        if first is None:
            return None
        each, any_number = (
            re.compile("".join(other if _MASKED.fullmatch(char) else re.escape(char) for char in text), re.DOTALL)
            for other in (".", ".*")
        )
        prefix = text[: first.start()]
        begin = bisect_left(self._texts, prefix)
        alike = []
        for known in self._texts[begin:]:
            if not known.startswith(prefix):
                break
            alike.append(known)
        for pattern in (each, any_number):
            matched = {self._plain[known] for known in alike if pattern.fullmatch(known)}
            if matched:
                return _cell(np.array(sorted(matched), dtype=np.int64))
        return None

    @cached_property
    def _texts(self) -> list[str]:
        return sorted(self._plain)


def _single(position: float) -> Cell:
    return Cell(position, position)


def _cell(positions: Counts, missing: bool = False) -> Cell | None:
    """Return all of the positions; None if there are none and nothing is missing."""
    if not len(positions):
        return ABSENT if missing else None
    positions = np.sort(positions)
    low, high = float(positions[0]), float(positions[-1])
    return Cell(low, high, missing, positions if len(positions) < high - low + 1 else None)


def _positions(cell: Cell) -> Counts:
    return np.arange(int(cell.low), int(cell.high) + 1) if cell.members is None else cell.members


def listed_items(text: str) -> list[str | None] | None:
    """Return the items of a set: plain words between commas, or JSON texts; None if it is not one."""
    found: list[str | None] = []
    rest = text.strip()
    while rest:
        if rest.startswith('"'):
            try:
                item, end = JSONDecoder().raw_decode(rest)
            except JSONDecodeError:
                return None
            rest = rest[end:].lstrip()
        else:
            item, comma, after = rest.partition(",")
            item, rest = item.strip(), comma + after
        found.append(item)
        if rest and not rest.startswith(","):
            return None
        rest = rest[1:].lstrip()
    return found or None


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except JSONDecodeError:
        return text


def _moment(text: str) -> float | None:
    """Return a time as microseconds."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    since = moment.replace(tzinfo=None) - datetime.min - (moment.utcoffset() or timedelta())
    return float((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)
