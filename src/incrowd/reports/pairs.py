"""The records of an original table beside what a release publishes of them, those at highest risk first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks import with_classes
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.schema import WILDCARDS
from incrowd.core.table import MISSING, Codes, Column, Table
from incrowd.engines.publish import Parting
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import SourceError, UsageError
from incrowd.release import Manifest, Record
from incrowd.reports.pair_columns import Cells, cells_of
from incrowd.reports.reading import GivenRelease
from incrowd.reports.risk_facts import PEOPLE, RECORDS
from incrowd.results import Result
from incrowd.text import count as counted
from incrowd.text import percent, table
from incrowd.watch import Watch, all_or_nothing

_CELLS = 50_000_000
"""The most cells of the original that are held; of a larger table the columns that come last are not shown."""
_SUPPRESSED = 4
"""If not all records are shown, at most one of so many is a suppressed one."""


@dataclass(frozen=True, repr=False)
class PairedRecords(Brief, Result):
    """Records at highest risk first, suppressed ones last: the original and the published cells of each."""

    unit: str
    """The unit of the sizes of classes: records or people."""
    records: int
    """All records of the original table."""
    suppressed: int
    """Of these, those that are not published."""
    before: NDArray[np.int64]
    """Per record that is shown the size of its class in the original table."""
    after: NDArray[np.int64]
    """The size of its class in the release; 0 if it is suppressed."""
    original: Mapping[str, Cells]
    """By column the original cells."""
    published: Mapping[str, Cells]
    """By column the published cells."""
    not_listed: tuple[str, ...] = ()
    """Columns that are not published and not listed, because the table is large."""
    note: str | None = None
    """A sentence on how classes are counted, if some cells match any other; else None."""

    @property
    def shown(self) -> int:
        """Return how many records are listed."""
        return len(self.after)

    def first(self, rows: int) -> "PairedRecords":
        """Return the first records alone."""
        before, after = (
            {name: replace(of, ranks=of.ranks[:rows]) for name, of in side.items()}
            for side in (self.original, self.published)
        )
        return replace(self, before=self.before[:rows], after=self.after[:rows], original=before, published=after)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "unit": self.unit,
            "records": self.records,
            "suppressed": self.suppressed,
            "columns": list(self.original),
            "published": list(self.published),
            "not_listed": list(self.not_listed),
            "note": self.note,
            "rows": list(self._rows()),
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield the records: the sizes of their classes, and their cells as text; a suppressed one has none."""
        before, after = ({name: of.texts() for name, of in side.items()} for side in (self.original, self.published))
        for at, size in enumerate(self.after.tolist()):
            yield {
                "class_before": int(self.before[at]),
                "class": size or None,
                "risk": 1 / size if size else None,
                "original": {name: texts[at] for name, texts in before.items()},
                "published": {name: texts[at] for name, texts in after.items()},
            }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the records, each published cell under the name of its column and "(published)"."""
        return [
            {
                **{name: cell for name, cell in row.items() if name not in ("original", "published")},
                **row["original"],
                **{_published(name): cell for name, cell in row["published"].items()},
            }
            for row in self._rows()
        ]

    def parts(self) -> list[str]:
        """Return the number of records, and the records as a table."""
        rows = [
            (
                row["class"] or "suppressed",
                "" if row["risk"] is None else percent(row["risk"]),
                *row["original"].values(),
                *row["published"].values(),
            )
            for row in self._rows()
        ]
        return [self._sentence(), *self._notes(), table(("class", "risk", *self._columns()[3:]), rows)]

    def look(self) -> list[str]:
        """Return the number of records alone: a notebook is kept and shared with what it shows."""
        return [
            self._sentence(),
            *self._notes(),
            "The cells are not shown here: print(...) and .to_pandas() show them.",
        ]

    def _notes(self) -> list[str]:
        return [] if self.note is None else [self.note]

    def _columns(self) -> list[str]:
        return ["class_before", "class", "risk", *self.original, *map(_published, self.published)]

    def _sentence(self) -> str:
        all_of_them = f"All {counted(self.records, 'record')}"
        some = f"{counted(self.shown, 'record')} of {self.records:,}"
        shown = all_of_them if self.shown == self.records else some
        verb = "is" if self.suppressed == 1 else "are"
        return f"{shown}, smallest classes first (in {self.unit}); {self.suppressed:,} {verb} suppressed."


def _published(column: str) -> str:
    return f"{column} (published)"


def paired(given: GivenRelease, most: int, watch: Watch) -> PairedRecords:
    """Return at most so many records with their published cells; UsageError if it is not known which became which."""
    manifest, record, source = given.manifest, given.record, given.original
    if record is None or source is None:
        raise _unknown("that needs the private record and the original table", "name the original table")
    if manifest.apart is not None:
        raise _unknown("its sensitive values are published by group", "look at the two tables")
    with all_or_nothing(f"{source.name} was being read"):
        read = _read(source, manifest, record, watch)
    cells = count(given.source, chosen_columns(read.quasi, given.source.columns, given.name), watch)
    of = _class_of_each(read, cells, record)
    watch.tick("sorting the records by risk")
    people = manifest.people is not None and bool(record.person)
    who = _people(read) if people else None
    in_classes = of >= 0
    sizes = _sizes(of[in_classes], cells.combinations, None if who is None else who[in_classes])
    after = np.where(in_classes, sizes[of], 0)
    alike, n = read.numbers(read.quasi)
    before = _sizes(alike, n, who)[alike]
    rows = _riskiest(after, of, most)
    original = {column.name: cells_of(column.codes[rows], column.values) for column in read.table.columns}
    recoded = {
        name: cells_of(_where(codes, of[rows]), values)
        for name, codes, values in zip(cells.names, cells.codes, cells.values, strict=True)
    }
    # All others are published unchanged, those of suppressed records not at all.
    shown = after[rows] > 0
    kept = {name: replace(of, ranks=np.where(shown, of.ranks, np.int32(-1))) for name, of in original.items()}
    published = {**kept, **recoded}
    return PairedRecords(
        PEOPLE if people else RECORDS,
        read.table.rows,
        int(np.count_nonzero(~in_classes)),
        before[rows],
        after[rows],
        original,
        {name: published[name] for name in manifest.data.columns if name in published},
        tuple(name for name in source.columns if name not in original),
        _note(manifest),
    )


def _note(manifest: Manifest) -> str | None:
    """Return what the sizes of classes leave out: they count equal cells."""
    if not manifest.wiped and manifest.nulls not in WILDCARDS:
        return None
    cells = "suppressed cells" if manifest.wiped else "missing values"
    return (
        f"Classes are counted by equal cells; {cells} match anything, so a record may match more records, at lower "
        "risk, than its class shows."
    )


class _Read(NamedTuple):
    """The original table."""

    table: Table
    quasi: tuple[str, ...]
    telling: tuple[str, ...]
    """Columns by which records are told apart: quasi-identifiers, and sensitive columns where records part by them."""
    person: tuple[str, ...]

    def column(self, name: str) -> Column:
        """Return a column."""
        return next(each for each in self.table.columns if each.name == name)

    def numbers(self, names: Sequence[str]) -> tuple[Codes, int]:
        """Return for each record the number of its combination of these columns, and how many there are."""
        columns = [self.column(name) for name in names]
        return number_combinations([each.codes for each in columns], [each.cardinality for each in columns])


def _read(source: Source, manifest: Manifest, record: Record, watch: Watch) -> _Read:
    quasi = tuple(column.name for column in manifest.quasi)
    parting = () if record.combinations is None else record.combinations.names
    telling = tuple(dict.fromkeys((*quasi, *parting)))
    needed = tuple(dict.fromkeys((*telling, *record.person)))
    room = max(1, _CELLS // max(1, manifest.input_records))
    wanted = dict.fromkeys((*needed, *(name for name in manifest.data.columns if name in source.columns)))
    others = [name for name in source.columns if name not in wanted]
    held = {*wanted, *others[: max(0, room - len(wanted))]}
    names = chosen_columns([name for name in source.columns if name in held], source.columns, source.name)
    chosen_columns(needed, names, source.name)
    try:
        return _Read(source.table(names, watch), quasi, telling, record.person)
    except SourceError:
        # Of a database: in any order, which is enough where equal records are published alike.
        markers = (record.job.get("data") or {}).get("missing") or ()
        missing = (markers,) if isinstance(markers, str) else tuple(markers)
        return _Read(Table.from_batches(names, source.cells(names), missing), quasi, telling, record.person)


def _class_of_each(read: _Read, cells: FrequencySet, record: Record) -> NDArray[np.int64]:
    """Return the class of the release that each record is in; -1 if it is suppressed."""
    numbers, n = read.numbers(read.telling)
    first = np.empty(n, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    columns = [read.column(name) for name in read.telling]
    original = FrequencySet(
        read.telling,
        tuple(column.values for column in columns),
        np.array([column.codes[first] for column in columns], dtype=np.int32),
        np.bincount(numbers, minlength=n).astype(np.int64),
    )
    known = with_classes(original, cells, record)
    if known is None:
        raise _unknown("original table, release and private record do not fit", "give those of the same run")
    parted, of = known
    if parted is original:
        return of[numbers].astype(np.int64)
    both = [np.concatenate(pair) for pair in zip(original.codes, parted.codes, strict=True)]
    same, most = number_combinations(both, list(original.cardinalities))
    place = np.empty(most, dtype=np.int64)
    place[same[:n]] = np.arange(n)
    combination = place[same[n:]]
    order = np.argsort(combination, kind="stable")
    pieces = Parting(combination[order], parted.counts[order], np.arange(n)).pieces(numbers)
    return of[order][pieces].astype(np.int64)


def _people(read: _Read) -> NDArray[np.int64]:
    """Return the number of the person of each record; a record that tells nobody is about a person of its own."""
    numbers, n = read.numbers(read.person)
    nobody = np.all([read.column(name).codes == MISSING for name in read.person], axis=0)
    return np.where(nobody, n + np.arange(len(numbers)), numbers)


def _sizes(of: NDArray[Any], n: int, who: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the records of each class, or its people."""
    if who is not None:
        pairs = np.unique(of.astype(np.int64) * (int(who.max(initial=0)) + 1) + who)
        of = pairs // (int(who.max(initial=0)) + 1)
    # One more, for what is in no class.
    return np.bincount(of, minlength=n + 1).astype(np.int64)


def _riskiest(after: NDArray[np.int64], of: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the records to show: smallest classes first, the records of a class together, suppressed ones last."""
    published, suppressed = np.flatnonzero(of >= 0), np.flatnonzero(of < 0)
    if len(after) > most:
        suppressed = suppressed[: max(most // _SUPPRESSED, most - len(published))]
    order = np.lexsort((of[published], after[published]))[: most - len(suppressed)]
    return np.concatenate([published[order], suppressed])


def _where(codes: Codes, of: NDArray[np.int64]) -> Codes:
    """Return the published codes of records in these classes; missing if they are in none."""
    found: Codes = np.append(codes, np.int32(MISSING))[of]
    return found


def _unknown(why: str, hint: str) -> UsageError:
    return UsageError.invalid("the records of this release", f"which record became which is not known: {why}", hint)
