"""Reading the tables: each is counted once, and every record is followed by its keys to its person."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.schema import Role
from incrowd.core.table import MISSING, Codes, Encoder, in_numpy
from incrowd.engines.source import Source, count
from incrowd.errors import Fault, JobError, SourceError, close_to, columns_are
from incrowd.formats import is_source, read
from incrowd.formats.options import ReadOptions
from incrowd.jobs.linked import LinkedJob, TablePart
from incrowd.text import count as counted_words
from incrowd.watch import Watch

PUBLISHED = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
"""The roles of columns that are published."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class PeopleTable(Brief):
    """A table as it was counted: its distinct records, keys included, and the person of each."""

    name: str
    records: FrequencySet
    """Of the keys and of what is published, under the columns' own names."""
    published: tuple[str, ...]
    """The columns of the release, keys included, in the order of the source."""
    person: Codes
    """The person of each combination, numbered from 0."""
    above: Rows | None
    """For each combination that of the record it hangs on, in the table above; None in the root."""
    missing: tuple[str, ...]
    """The missing-value markers of the data."""
    unmentioned: tuple[str, ...]
    """Columns that the job does not mention and that are therefore not published."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkedData(Brief):
    """All tables of a job."""

    tables: Mapping[str, PeopleTable]
    """The root first, every other table after the one it hangs on."""
    people: int

    @property
    def root(self) -> PeopleTable:
        """The table with one row per person."""
        return next(iter(self.tables.values()))


def read_tables(job: LinkedJob, sources: Mapping[str, Source], watch: Watch) -> LinkedData:
    """Count every table once and follow its keys; raise SourceError for keys that lead nowhere."""
    for name, source in sources.items():
        _check_columns(job, name, source)
    found: dict[str, PeopleTable] = {}
    for name, source in sources.items():
        part = job.tables[name]
        steps = {column: of.steps for column, of in part.columns.items() if of.steps}
        wanted = _counted(job, name, source)
        records = count(source.normalized(steps) if steps else source, wanted, watch)
        own = job.key_of(name)
        if own:
            _check_unique(records, own, name, is_root=part.of is None)
        if part.of is None:
            above, person = None, np.arange(records.combinations, dtype=np.int32)
        else:
            above = _followed(records, name, part, found[part.of])
            person = found[part.of].person[above]
        unmentioned = tuple(each for each in source.columns if each not in part.columns and each not in wanted)
        markers = () if part.data is None else part.data.missing
        shown = _published(job, name, wanted)
        found[name] = PeopleTable(name, records, shown, person, above, markers, unmentioned)
    return LinkedData(found, found[job.root].records.combinations)


def open_tables(job: LinkedJob, given: Mapping[str, Any] | None) -> dict[str, Source]:
    """Return the sources of the tables: those that are given, or else the job's own data, in the job's order."""
    if given is not None:
        check_names(job.tables, given)
        # What is open already was opened with its markers.
        return {
            name: given[name] if is_source(given[name]) else read(given[name], options=ReadOptions(_markers(job, name)))
            for name in job.tables
        }
    without = [name for name, part in job.tables.items() if part.data is None]
    if without:
        raise JobError.of("the job", [Fault(None, f"tables.{name}", "'data' is missing") for name in without])
    return {name: opened_table(job, name) for name in job.tables}


def check_names(tables: Collection[str], given: Collection[str]) -> None:
    """Raise JobError if a table is given that the job does not have, or if one of its tables is not."""
    unknown = [name for name in given if name not in tables]
    lacking = [name for name in tables if name not in given]
    if unknown or lacking:
        words = f"there is no table {unknown[0]!r} in it" if unknown else f"table {lacking[0]!r} is not given"
        raise JobError.of("the job", [Fault(None, "tables", f"{words}; the tables are {', '.join(tables)}")])


def opened_table(job: LinkedJob, name: str) -> Source:
    """Return the source of a table whose data the job names."""
    data = job.tables[name].data
    assert data is not None
    options = {key: value for key, value in data if key != "source"}
    return read(*data.moved(job.located), options=ReadOptions(**options))


def _markers(job: LinkedJob, name: str) -> tuple[str, ...]:
    data = job.tables[name].data
    return () if data is None else data.missing


def _counted(job: LinkedJob, name: str, source: Source) -> tuple[str, ...]:
    """Return the columns that are read: the keys, and those that are published."""
    columns, keys = job.tables[name].columns, job.keys_of(name)
    return tuple(
        each for each in source.columns if each in keys or (each in columns and columns[each].role in PUBLISHED)
    )


def _published(job: LinkedJob, name: str, counted: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the release: a key of several columns is one, where its first one is."""
    keys = {job.key_of(name): job.key_published(name), job.tables[name].here: job.above_published(name)}
    found: list[str] = []
    for column in counted:
        found += [str(keys[key]) for key in keys if key and next(each for each in counted if each in key) == column]
        found += [] if column in job.keys_of(name) else [column]
    return tuple(found)


def _check_columns(job: LinkedJob, name: str, source: Source) -> None:
    """Raise JobError with all columns of a table that its data lack."""
    part = job.tables[name]
    places = {f"tables.{name}.columns.{column}": column for column in part.columns}
    places |= {f"tables.{name}.on": column for column in part.here if column not in source.columns}
    for child, other in job.tables.items():
        if other.of == name:
            lost = (column for column in other.there if column not in (*part.columns, *source.columns))
            places |= {f"tables.{child}.on": column for column in lost}
    lacking = {place: column for place, column in places.items() if column not in source.columns}
    exist = columns_are(list(lacking.values()), source.columns)
    if lacking:
        words = [
            Fault(None, place, f"table {name!r} has no such column{close_to(column, source.columns) or '; ' + exist}")
            for place, column in lacking.items()
        ]
        raise JobError.of("the job", words)


def _check_unique(records: FrequencySet, key: Sequence[str], name: str, is_root: bool) -> None:
    """Refuse missing and repeated keys of a table that others hang on."""
    columns = records.indices(key)
    codes = [records.codes[at] for at in columns]
    lacking = int(records.counts[_any_missing(codes)].sum())
    if lacking:
        words = f"{counted_words(lacking, 'record')} without a {' and '.join(key)}"
        raise SourceError.of(f"table {name!r}", words, "give every record its key")
    repeated = records.records - number_combinations(codes, [records.cardinalities[at] for at in columns])[1]
    if repeated:
        what = "one row per person" if is_root else "one row per key, since another table hangs on it"
        raise SourceError.of(
            f"table {name!r}",
            f"{counted_words(repeated, 'record')} repeat the {' and '.join(key)} of another; it must have {what}",
            "keep one record of each" + (", or make it a table that hangs on a table of people" if is_root else ""),
        )


def _any_missing(codes: Sequence[Codes]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.logical_or.reduce([each == MISSING for each in codes])
    return found


def _followed(records: FrequencySet, name: str, part: TablePart, above: PeopleTable) -> Rows:
    """Return for each combination that of the table above with its key."""
    here, there = records.indices(part.here), above.records.indices(part.there)
    own = [records.codes[at] for at in here]
    known = [above.records.codes[at] for at in there]
    found = [
        _codes_in(records.values[at], above.records.values[other])[records.codes[at]]
        for at, other in zip(here, there, strict=True)
    ]
    lacking = _any_missing(found)
    numbers, keys, n = _numbered(found, known, [above.records.cardinalities[at] for at in there])
    row_of = np.full(n, -1, dtype=np.int64)
    row_of[keys] = np.arange(above.records.combinations)
    rows: Rows = np.where(lacking, -1, row_of[numbers])
    missing, dangling = _any_missing(own), rows < 0
    if dangling.any():
        lost, without = int(records.counts[dangling].sum()), int(records.counts[missing].sum())
        words = f"{lost:,} of {records.records:,} records have a key ({', '.join(part.here)}) that table "
        words += f"{above.name!r} lacks" + (f" ({without:,} have none)" if without else "")
        raise SourceError.of(f"table {name!r}", words, "remove these records, or add the lacking ones")
    return rows


def _numbered(one: Sequence[Codes], other: Sequence[Codes], sizes: Sequence[int]) -> tuple[Rows, Rows, int]:
    """Return a number for each combination of codes of two tables, equal where all codes are, and a bound of them."""
    if len(sizes) == 1:
        return one[0].astype(np.int64), other[0].astype(np.int64), sizes[0] + 1
    numbers, n = number_combinations([np.concatenate(pair) for pair in zip(one, other, strict=True)], sizes)
    return numbers[: len(one[0])].astype(np.int64), numbers[len(one[0]) :].astype(np.int64), n


def _codes_in(values: pa.Array, known: pa.Array) -> Codes:
    """Return for each code of some values their code among others; missing where they are not there."""
    if values.type == known.type:
        found = pc.index_in(values, value_set=known)
        positions = in_numpy(pc.fill_null(found, -1))
        return np.append(np.int32(MISSING), positions + 1).astype(np.int32)
    encoder = Encoder("the key")
    encoder.encode(known)
    local, lookup = encoder.encode(values)
    codes = lookup[local]
    return np.append(np.int32(MISSING), np.where(codes > len(known), MISSING, codes)).astype(np.int32)


def flat(table: PeopleTable, columns: tuple[str, ...]) -> FrequencySet:
    """Return some of the columns of a table under the names that a job of several tables gives them."""
    at = table.records.indices(columns)
    return replace(
        table.records,
        names=tuple(f"{table.name}.{column}" for column in columns),
        values=tuple(table.records.values[column] for column in at),
        codes=np.ascontiguousarray(table.records.codes[at]),
    )
