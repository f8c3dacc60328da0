"""Writing: batches of records become a file or a table; whoever looks finds the old one or the whole new one."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from typing import IO, Protocol

import pyarrow as pa

from incrowd.errors import IncrowdError, UsageError
from incrowd.files.journal import Table
from incrowd.files.whole import PUBLIC, whole_file
from incrowd.formats.connections import file_of, is_file, named_table, without_secrets
from incrowd.formats.options import AS_USUAL, WriteOptions
from incrowd.registry import members
from incrowd.watch import Watch

_ROWS = 1 << 16
"""Records that are written at a time."""


class FileFormat(Protocol):
    """What a module of this folder declares that writes files."""

    KIND: str
    """What messages call a file of this format."""
    WRITE_OPTIONS: tuple[str, ...]
    """The options of WriteOptions that apply, beside replace."""
    WRITTEN_SUFFIXES: tuple[str, ...]
    """How the names of the files end that it can write."""

    def write(
        self,
        file: IO[bytes],
        location: str,
        schema: pa.Schema,
        batches: Iterable[pa.RecordBatch],
        options: WriteOptions,
    ) -> None:
        """Write the records into a file that is open and will be moved to the location."""
        ...


class TableFormat(Protocol):
    """What a module of this folder declares that writes a database's tables."""

    KIND: str
    WRITE_OPTIONS: tuple[str, ...]
    SCHEMES: tuple[str, ...]
    """How its URLs begin, before "://"."""

    def store(self, location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
        """Write the records into a table, all of them or none."""
        ...

    def exists(self, location: str, table: str) -> bool:
        """Whether there is such a table already."""
        ...

    def rename(self, location: str, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
        """Give a table its final name; in the same step what had it is gone, if it may be replaced.

        `before` is the last act of the transaction: what it raises undoes all of it.
        """
        ...

    def passing(self, location: str, table: str) -> AbstractContextManager[str]:
        """A name for a table that may not stay, while this run lives; those of runs that were killed are dropped."""
        ...

    def mark(self, location: str, table: str) -> str:
        """What recognizes a table, whatever its name will be."""
        ...

    def is_placed(self, location: str, table: Table) -> bool:
        """Whether the table that has this mark has its final name."""
        ...

    def drop(self, location: str, table: str) -> None:
        """Remove a table, if it is there."""
        ...


@dataclass(frozen=True)
class Written:
    """What was written."""

    location: str
    """The path; or the URL, without a password."""
    kind: str
    """The format, in words."""
    records: int


def check_writable(location: str, options: WriteOptions) -> None:
    """Refuse at once what `write` would refuse however the records look: a format, an option, a table that lacks."""
    if "://" not in location:
        file = _of_file(location)
        options.only(location, file.KIND, file.WRITE_OPTIONS)
        return
    database = _of_url(location)
    options.only(without_secrets(location), database.KIND, database.WRITE_OPTIONS)
    named_table(location, options)


def refuse_existing_table(location: str, options: WriteOptions) -> None:
    """What is there already stays, unless the user said otherwise."""
    table = named_table(location, options)
    if not options.replace and _of_url(location).exists(location, table):
        raise UsageError.exists(f"table {table!r}")


@contextmanager
def passing_table(location: str, table: str) -> Iterator[str]:
    """A name beside that of a table, for what may not stay: if anything goes wrong, a table of that name is dropped.

    If the run is killed, the next one in that database drops it.
    """
    format = _of_url(location)
    with format.passing(location, table) as name:
        try:
            yield name
        except BaseException as error:
            try:
                format.drop(location, name)
            except IncrowdError:
                error.args = (f"{error}; what was written is left as table {name!r}: remove it",)
            raise


def marked(location: str, table: str, options: WriteOptions) -> Table:
    """A table that is written and on its way to the name in the options, as a journal speaks of it."""
    return Table(_database(location), named_table(location, options), _of_url(location).mark(location, table))


def is_placed(location: str, table: Table) -> bool | None:
    """Return whether a table has its final name; None if it is another database's, or if this one does not answer."""
    if table.at != _database(location):
        return None
    try:
        return _of_url(location).is_placed(location, table)
    except IncrowdError:
        return None


def put_in_place(location: str, table: str, options: WriteOptions, before: Callable[[], None]) -> None:
    """Give a table that is written the name in the options; `before` is the last act of the transaction."""
    _of_url(location).rename(location, table, named_table(location, options), options.replace, before)


def is_same_database(one: str, other: str) -> bool:
    """Return whether two URLs lead to one database, as far as they tell."""
    return _database(one) == _database(other)


def _database(location: str) -> str:
    """Which database it is, the same for every path to a file."""
    scheme = location.partition("://")[0].lower()
    return f"{scheme}:{os.path.realpath(file_of(location))}" if is_file(location) else without_secrets(location)


def write(
    batches: Iterable[pa.RecordBatch],
    schema: pa.Schema,
    location: str | PathLike[str],
    options: WriteOptions = AS_USUAL,
    watch: Watch | None = None,
    mode: int = PUBLIC,
) -> Written:
    """Write records to the path or the database URL; the format is told by the suffix or the scheme.

    A file has the rights `mode`, less what the user withholds.
    """
    place = fspath(location)
    pieces = _Pieces(batches, watch or Watch())
    if "://" in place:
        database = _of_url(place)
        shown = without_secrets(place)
        options.only(shown, database.KIND, database.WRITE_OPTIONS)
        database.store(place, schema, pieces, options)
        return Written(shown, database.KIND, pieces.records)
    format = _of_file(place)
    options.only(place, format.KIND, format.WRITE_OPTIONS)
    with whole_file(place, options.replace, mode) as file:
        format.write(file, place, schema, pieces, options)
    return Written(place, format.KIND, pieces.records)


class _Pieces:
    """The batches, none of them large, counted on the way."""

    def __init__(self, batches: Iterable[pa.RecordBatch], watch: Watch) -> None:
        self._batches = batches
        self._watch = watch
        self.records = 0

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            for start in range(0, batch.num_rows, _ROWS):
                self._watch.tick(f"{self.records:,} records written")
                piece = batch.slice(start, _ROWS)
                self.records += piece.num_rows
                yield piece


def _of_url(url: str) -> TableFormat:
    scheme = url.partition("://")[0].lower()
    known: dict[str, TableFormat] = {
        name: format for format in members("formats", "store").values() for name in format.SCHEMES
    }
    if scheme not in known:
        raise _no_such_format(f"{scheme}://", [f"{name}://" for name in sorted(known)])
    return known[scheme]


def _of_file(path: str) -> FileFormat:
    known: dict[str, FileFormat] = {
        suffix: format
        for format in members("formats", "WRITTEN_SUFFIXES").values()
        for suffix in format.WRITTEN_SUFFIXES
    }
    fitting = [suffix for suffix in known if path.lower().endswith(suffix)]
    if not fitting:
        raise _no_such_format(path, list(known))
    return known[max(fitting, key=len)]


def _no_such_format(location: str, known: list[str]) -> UsageError:
    return UsageError.senseless(
        f"writing to {location}", "this does not tell a format that can be written", f"they are {', '.join(known)}"
    )
