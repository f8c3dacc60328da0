"""Sources of records, the common form of the input of every reader and engine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.core.prepare import Prepare
from incrowd.core.table import Table
from incrowd.errors import SourceError, Unconfirmed, UsageError, columns_are, listed
from incrowd.recodings import RecodingMap
from incrowd.watch import Watch, all_or_nothing

if TYPE_CHECKING:
    from incrowd.engines.publish import Published


Steps = Mapping[str, tuple[str, ...]]
"""By column: how its cells are read, as steps to their normal form (core.normal_form)."""


class Source(Protocol):
    """Records that can be counted and published in their engine."""

    @property
    def name(self) -> str:
        """Return its name in messages."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the column names, in order."""
        ...

    @property
    def can_part(self) -> bool:
        """Return whether equal records can be published differently; not if a single JOIN publishes them."""
        ...

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """Return the distinct combinations of the columns with their counts (pass 1)."""
        ...

    def count_each(self, sets: Sequence[Sequence[str]], watch: Watch) -> list[FrequencySet]:
        """Return the counts of several sets of columns: in one pass, or by a query each if the rows are elsewhere."""
        ...

    def count_and_compare(
        self, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
    ) -> tuple[list[FrequencySet], tuple[str, ...]]:
        """Return the same, and those of the other columns in which a value may be that of several records: in the same
        pass, or by a query more if the rows are elsewhere."""
        ...

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """Return the columns in row order, encoded; raise SourceError if the source has no row order."""
        ...

    def cells(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the cells of some columns, all records of them, for whoever counts them again."""
        ...

    def normalized(self, steps: Steps) -> "Source":
        """Return the same records with some columns in their normal form, for counting and publishing."""
        ...

    def prepared(self, prepare: Prepare) -> "Source":
        """Return the table with other names, values, types or fewer records, as if it had always been so."""
        ...

    def publish(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> "Published":
        """Return the records as the recoding publishes them (pass 2); called by `engines.publish.publish`."""
        ...


def count(source: Source, columns: Sequence[str], watch: Watch) -> FrequencySet:
    """Count a set of columns; raise Interrupted if the run is stopped first."""
    [counted] = count_each(source, [columns], watch)
    return counted


def count_each(source: Source, sets: Sequence[Sequence[str]], watch: Watch) -> list[FrequencySet]:
    """Count each of several sets of columns; raise Interrupted if the run is stopped first."""
    with all_or_nothing(f"{source.name} was being read"):
        return source.count_each(sets, watch)


def count_and_compare(
    source: Source, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
) -> tuple[list[FrequencySet], tuple[str, ...]]:
    """Count each of several sets of columns, and look for values that repeat in others; raise Interrupted if the run is
    stopped first."""
    with all_or_nothing(f"{source.name} was being read"):
        return source.count_and_compare(sets, columns, watch)


def count_population(population: Source, columns: Sequence[str], watch: Watch) -> FrequencySet:
    """Count the population by the columns in which the table is compared with it."""
    lacking = [name for name in columns if name not in population.columns]
    if lacking:
        raise UsageError.invalid(
            "the population",
            f"it lacks {listed(lacking)}; {columns_are(columns, population.columns)}",
            "it must have every column used to compare people",
        )
    return count(population, columns, watch)


def checked_columns(source: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the column names if there is at least one, none is empty and none repeats; else raise SourceError."""
    if not columns:
        raise SourceError.of(source, "it has no columns", "check that this is the right file or table")
    empty = [str(at + 1) for at, name in enumerate(columns) if not name.strip()]
    if empty:
        raise SourceError.of(
            source, f"the header names no column at position {', '.join(empty)}", "give every column a name"
        )
    # By their places: a header with the same cell twice may be a record.
    twice = [str(at + 1) for at, name in enumerate(columns) if name in columns[:at]]
    if twice:
        raise SourceError.of(
            source,
            f"the column name at position {', '.join(twice)} is a duplicate",
            "give every column a unique name",
        )
    return columns if isinstance(columns, Unconfirmed) else tuple(columns)


def check_prepare(prepare: Prepare, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the new names of columns; raise UsageError if it names columns that a table lacks."""
    if prepare.rename:
        chosen_columns(prepare.rename, columns, "the columns to rename")
    names = checked_columns("the table with its new names", prepare.renamed(columns))
    if prepare.named:
        chosen_columns(prepare.named, names, "the columns to prepare")
    return Unconfirmed(names) if isinstance(columns, Unconfirmed) else names


def chosen_columns(wanted: Iterable[str], existing: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the requested columns if all exist and none repeats, else raise UsageError; one may be a plain text."""
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names:
        raise UsageError.no_columns(where)
    if any(name not in existing for name in names):
        raise UsageError.unknown_columns(names, existing)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError.repeated_columns(twice)
    return tuple(map(str, names))
