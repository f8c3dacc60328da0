"""Changes to a table as it is read, before anything else: names, values and types of columns, and the rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.normal_form import is_text
from incrowd.errors import SourceError


class ValueType(StrEnum):
    """The type that a column's values are converted to."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    DATE = "date"


_ARROW = {
    ValueType.TEXT: pa.string(),
    ValueType.INTEGER: pa.int64(),
    ValueType.NUMBER: pa.float64(),
    ValueType.DATE: pa.date32(),
}
_CALLED = {ValueType.INTEGER: "whole numbers", ValueType.NUMBER: "numbers", ValueType.DATE: "dates as 2021-04-03"}


@dataclass(frozen=True, repr=False)
class Range(Brief):
    """Values from one bound to the other, both included: numbers if the bounds are, else texts such as dates."""

    low: float | str | None = None
    high: float | str | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return plain data, as a job has them."""
        return {key: of for key, of in (("from", self.low), ("to", self.high)) if of is not None}


@dataclass(frozen=True, repr=False)
class Rows(Brief):
    """The records to read: those with some values, of which a sample is drawn, of which the first ones are taken."""

    where: Mapping[str, tuple[str | None, ...] | Range]
    sample: float | None = None
    seed: int = 0
    first: int | None = None

    @property
    def need_an_order(self) -> bool:
        """Return whether it matters which record comes first."""
        return self.sample is not None or self.first is not None

    def to_plain(self) -> dict[str, Any]:
        """Return plain data, as a job has them."""
        where = {name: of.to_plain() if isinstance(of, Range) else list(of) for name, of in self.where.items()}
        sample = {} if self.sample is None else {"sample": self.sample, "seed": self.seed}
        first = {} if self.first is None else {"first": self.first}
        return {**({"where": where} if where else {}), **sample, **first}


@dataclass(frozen=True, repr=False)
class Prepare(Brief):
    """All changes, in the order in which they are made; later ones know columns by their new names."""

    rename: Mapping[str, str]
    recode: Mapping[str, Mapping[str, str | None]]
    """By column the new values by the old ones, None for missing; others stay."""
    type: Mapping[str, ValueType]
    rows: Rows

    def to_plain(self) -> dict[str, Any]:
        """Return plain data, as a job has them."""
        found = {
            "rename": dict(self.rename),
            "recode": {name: dict(of) for name, of in self.recode.items()},
            "type": {name: str(of) for name, of in self.type.items()},
            "rows": self.rows.to_plain(),
        }
        return {key: of for key, of in found.items() if of}

    @property
    def changes_columns(self) -> bool:
        """Return whether names, values or types change."""
        return bool(self.rename or self.recode or self.type)

    @property
    def named(self) -> tuple[str, ...]:
        """Return the columns that it names by their new names."""
        return tuple(dict.fromkeys([*self.recode, *self.type, *self.rows.where]))

    def renamed(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the new names of columns."""
        return tuple(self.rename.get(name, name) for name in names)

    def kind(self, name: str, kind: pa.DataType) -> pa.DataType:
        """Return the type of a column's cells once they are changed."""
        value_type = kind.value_type if pa.types.is_dictionary(kind) else kind
        if name in self.type:
            return _typed_kind(value_type, self.type[name])
        if name in self.recode and _recoded_kind(value_type, self.recode[name]) != value_type:
            return pa.string()
        return kind

    def cells(self, name: str, cells: pa.Array, missing: frozenset[str]) -> pa.Array:
        """Return the cells of a column with its new values and type."""
        if name in self.recode:
            cells = _recoded(cells, self.recode[name])
        return _typed(name, cells, self.type[name], missing) if name in self.type else cells

    def kept(self) -> "Kept":
        """Return what tells which records are read, from the first one on."""
        return Kept(self.rows)


class Kept:
    """Tells batch by batch which records are read."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._left = rows.first
        # NumPy promises that the raw sequence of a bit generator never changes.
        self._luck = np.random.PCG64(rows.seed)

    @property
    def is_over(self) -> bool:
        """Return whether no further record is read."""
        return self._left == 0

    def of(self, cells: Mapping[str, pa.Array], records: int, missing: frozenset[str]) -> NDArray[np.bool_]:
        """Return which of the next records are read; `cells` are those of the columns that are asked about."""
        kept = np.ones(records, dtype=np.bool_)
        for name, wanted in self._rows.where.items():
            kept &= _chosen(cells[name], wanted, missing)
        if self._rows.sample is not None:
            drawn = (self._luck.random_raw(records) >> np.uint64(11)) * 2.0**-53
            kept &= drawn < self._rows.sample
        if self._left is not None:
            kept &= np.cumsum(kept) <= self._left
            self._left -= int(kept.sum())
        return kept


def as_text(value: object) -> str | None:
    """Return a cell as text, as people write it in a job."""
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _coded(cells: pa.Array) -> pa.DictionaryArray:
    return cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()


def _recoded_kind(kind: pa.DataType, new: Mapping[str, str | None]) -> pa.DataType:
    """Return the type of recoded cells: theirs if it has all new values, else text."""
    if is_text(kind):
        return kind
    try:
        pa.array(list(new.values()), pa.string()).cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.string()
    return kind


def _recoded(cells: pa.Array, new: Mapping[str, str | None]) -> pa.Array:
    coded = _coded(cells)
    kind = coded.type.value_type
    values = coded.dictionary
    texts = [as_text(value) for value in values.to_pylist()]
    at = {text: place for place, text in enumerate(new)}
    places = [None if text is None else at.get(text) for text in texts]
    found = _recoded_kind(kind, new)
    if found == kind and not any(place is not None for place in places):
        return cells
    old = values if found == kind else pa.array(texts, pa.string())
    changed = pa.array(list(new.values()), pa.string()).cast(found).take(pa.array(places, pa.int64()))
    replaced = pa.array([place is not None for place in places], pa.bool_())
    return pc.if_else(replaced, changed, old).take(coded.indices)


def _typed_kind(kind: pa.DataType, wanted: ValueType) -> pa.DataType:
    whole = pa.types.is_integer(kind)
    is_so = {
        ValueType.TEXT: is_text(kind),
        ValueType.INTEGER: whole,
        ValueType.NUMBER: whole or pa.types.is_floating(kind) or pa.types.is_decimal(kind),
        ValueType.DATE: pa.types.is_date(kind),
    }
    return kind if is_so[wanted] else _ARROW[wanted]


def _typed(name: str, cells: pa.Array, wanted: ValueType, missing: frozenset[str]) -> pa.Array:
    """Return cells of a type; raise SourceError if some have no value of it."""
    coded = _coded(cells)
    kind = _typed_kind(coded.type.value_type, wanted)
    if kind == coded.type.value_type:
        return cells
    values = coded.dictionary
    if wanted is ValueType.TEXT:
        return pa.array([as_text(value) for value in values.to_pylist()], kind).take(coded.indices)
    if is_text(values.type):
        texts = [None if text is None or text in missing else text.strip() for text in values.to_pylist()]
        values = pa.array([text or None for text in texts], pa.string())
    try:
        return values.cast(kind).take(coded.indices)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        wrong = sum(not _has_type(value, kind) for value in values)
        raise SourceError.of(
            f"column {name!r}",
            f"{wrong:,} of its {len(values):,} different values are not {_CALLED[wanted]}",
            "recode them, declare them missing, or choose another type",
        ) from None


def _has_type(value: pa.Scalar, kind: pa.DataType) -> bool:
    try:
        value.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def _chosen(cells: pa.Array, wanted: tuple[str | None, ...] | Range, missing: frozenset[str]) -> NDArray[np.bool_]:
    """Return which cells have one of the values."""
    coded = _coded(cells)
    found = [as_text(value) for value in coded.dictionary.to_pylist()]
    texts = [None if text in missing else text for text in found]
    if isinstance(wanted, Range):
        fits = [text is not None and _is_within(text, wanted) for text in texts]
        of_missing = False
    else:
        fits, of_missing = [text in wanted for text in texts], None in wanted
    codes = np.asarray(pc.fill_null(coded.indices.cast(pa.int64()), len(texts)))
    chosen: NDArray[np.bool_] = np.array([*fits, of_missing], dtype=np.bool_)[codes]
    return chosen


def _is_within(text: str, bounds: Range) -> bool:
    value: Any = text
    if any(isinstance(bound, int | float) for bound in (bounds.low, bounds.high)):
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            return False
    return (bounds.low is None or value >= bounds.low) and (bounds.high is None or value <= bounds.high)


def prepared(
    batches: Iterator[pa.RecordBatch], prepare: Prepare, wanted: Sequence[str], missing: frozenset[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the wanted columns of the records that are read; `batches` have these and the columns that tell which."""
    kept = prepare.kept()
    for batch in batches:
        names = prepare.renamed(batch.schema.names)
        cells = {name: prepare.cells(name, of, missing) for name, of in zip(names, batch.columns, strict=True)}
        made = pa.RecordBatch.from_arrays([cells[name] for name in wanted], list(wanted))
        rows = kept.of(cells, batch.num_rows, missing)
        yield made if rows.all() else made.filter(pa.array(rows))
        if kept.is_over:
            break
