"""Reading the tables: each is counted once, and every record is followed by its keys to its person."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Role
from incrowd.core.table import MISSING, Codes, Encoder, in_numpy
from incrowd.engines.source import Source, count
from incrowd.errors import Fault, JobError, SourceError, close_to, columns_are
from incrowd.formats import is_source, read
from incrowd.formats.options import ReadOptions
from incrowd.jobs.linked import LinkedJob
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
        wanted = _published(job, name, source)
        records = count(source.normalized(steps) if steps else source, wanted, watch)
        own = job.key_of(name)
        if own is not None:
            _check_unique(records, own, name, is_root=part.of is None)
        if part.of is None or part.on is None:
            above, person = None, np.arange(records.combinations, dtype=np.int32)
        else:
            above = _followed(records, name, part.on, found[part.of])
            person = found[part.of].person[above]
        unmentioned = tuple(each for each in source.columns if each not in part.columns and each not in wanted)
        markers = () if part.data is None else part.data.missing
        found[name] = PeopleTable(name, records, wanted, person, above, markers, unmentioned)
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


def _published(job: LinkedJob, name: str, source: Source) -> tuple[str, ...]:
    columns, keys = job.tables[name].columns, job.keys_of(name)
    return tuple(
        each for each in source.columns if each in keys or (each in columns and columns[each].role in PUBLISHED)
    )


def _check_columns(job: LinkedJob, name: str, source: Source) -> None:
    """Raise JobError with all columns of a table that its data lack."""
    part = job.tables[name]
    places = {f"tables.{name}.columns.{column}": column for column in part.columns}
    places |= {f"tables.{name}.on": part.on[0]} if part.on is not None else {}
    own = job.key_of(name)
    if own is not None and own not in part.columns:
        places |= {f"tables.{child}.on": own for child, other in job.tables.items() if other.of == name}
    lacking = {place: column for place, column in places.items() if column not in source.columns}
    exist = columns_are(list(lacking.values()), source.columns)
    if lacking:
        words = [
            Fault(None, place, f"table {name!r} has no such column{close_to(column, source.columns) or '; ' + exist}")
            for place, column in lacking.items()
        ]
        raise JobError.of("the job", words)


def _check_unique(records: FrequencySet, key: str, name: str, is_root: bool) -> None:
    """Refuse missing and repeated keys of a table that others hang on."""
    codes = records.codes[records.indices([key])[0]]
    lacking = int(records.counts[codes == MISSING].sum())
    if lacking:
        raise SourceError.of(
            f"table {name!r}", f"{counted_words(lacking, 'record')} without a {key}", "give every record its key"
        )
    repeated = records.records - len(np.unique(codes))
    if repeated:
        what = "one row per person" if is_root else "one row per key, since another table hangs on it"
        raise SourceError.of(
            f"table {name!r}",
            f"{counted_words(repeated, 'record')} repeat the {key} of another; it must have {what}",
            "keep one record of each" + (", or make it a table that hangs on a table of people" if is_root else ""),
        )


def _followed(records: FrequencySet, name: str, on: tuple[str, str], above: PeopleTable) -> Rows:
    """Return for each combination that of the table above with its key."""
    here, there = on
    column, key = records.indices([here])[0], above.records.indices([there])[0]
    codes = _codes_in(records.values[column], above.records.values[key])[records.codes[column]]
    row_of = np.full(len(above.records.values[key]) + 1, -1, dtype=np.int64)
    row_of[above.records.codes[key]] = np.arange(above.records.combinations)
    rows: Rows = np.where(codes == MISSING, -1, row_of[codes])
    missing, dangling = records.codes[column] == MISSING, rows < 0
    if dangling.any():
        lost, without = int(records.counts[dangling].sum()), int(records.counts[missing].sum())
        words = f"{lost:,} of {records.records:,} records have a key ({here}) that table {above.name!r} lacks"
        words += f" ({without:,} have none)" if without else ""
        raise SourceError.of(f"table {name!r}", words, "remove these records, or add the lacking ones")
    return rows


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
