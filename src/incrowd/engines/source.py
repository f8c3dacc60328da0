"""A source of records: what every reader and every engine turns its input into."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from incrowd.errors import Interrupted, SourceError, Unconfirmed, UsageError, columns_are, listed
from incrowd.recodings import RecodingMap
from incrowd.watch import Stopped, Watch

if TYPE_CHECKING:
    from incrowd.engines.publish import Published


Steps = Mapping[str, tuple[str, ...]]
"""By column the steps to the normal form of its cells (core.normal_form)."""


class Source(Protocol):
    """Records that can be counted and published where they are."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names, in order."""
        ...

    @property
    def can_part(self) -> bool:
        """Return whether equal records can be published in different ways: not where one JOIN publishes them."""
        ...

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """Pass 1: the distinct combinations of the columns with their counts."""
        ...

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """The columns in row order, encoded; a source without an order of rows refuses."""
        ...

    def normalized(self, steps: Steps) -> "Source":
        """The same records with some columns in their normal form, in all that is counted and published."""
        ...

    def publish(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> "Published":
        """Pass 2: the records as the recoding publishes them; called through `engines.publish.publish`."""
        ...


def count(source: Source, columns: Sequence[str], watch: Watch) -> FrequencySet:
    """Count, or say that the run was stopped before anything was known."""
    try:
        return source.count(columns, watch)
    except Stopped as stop:
        why = "the time was up" if stop.reason == "time" else "interrupted"
        raise Interrupted(f"{why} while {source.name} was being read; nothing is known yet") from None


def count_population(population: Source, columns: Sequence[str], watch: Watch) -> FrequencySet:
    """Count all people by the columns by which those of the table are compared with them."""
    lacking = [name for name in columns if name not in population.columns]
    if lacking:
        raise UsageError.senseless(
            "the population",
            f"it lacks {listed(lacking)}; {columns_are(columns, population.columns)}",
            "it needs every column by which people are compared",
        )
    return count(population, columns, watch)


def checked_columns(source: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Column names that are fit for use: at least one, none empty, none twice."""
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
            f"the column at position {', '.join(twice)} has the name of one before it",
            "give every column a name of its own",
        )
    return columns if isinstance(columns, Unconfirmed) else tuple(columns)


def chosen_columns(wanted: Iterable[str], existing: Sequence[str], where: str) -> tuple[str, ...]:
    """Columns that a user named: existing, each once, at least one; a single one may be named by a plain text."""
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names:
        raise UsageError.no_columns(where)
    if any(name not in existing for name in names):
        raise UsageError.unknown_columns(names, existing)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError.repeated_columns(twice)
    return tuple(map(str, names))
