"""Write batches of records to a file or a table; readers see the old one or the complete new one."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from typing import IO, Protocol, cast

import pyarrow as pa

from incrowd.errors import IncrowdError, UsageError
from incrowd.families import FORMATS
from incrowd.files.journal import Table
from incrowd.files.whole import PUBLIC, whole_file
from incrowd.formats._hashing import HashingFile
from incrowd.formats.connections import file_of, is_file, named_table, without_secrets
from incrowd.formats.options import AS_USUAL, WriteOptions
from incrowd.watch import Watch

_ROWS = 1 << 16
"""Records to write at a time."""


class FileFormat(Protocol):
    """Declarations of a format module that writes files."""

    KIND: str
    """The name of a file of this format in messages."""
    WRITE_OPTIONS: tuple[str, ...]
    """The WriteOptions that apply, besides replace."""
    WRITTEN_SUFFIXES: tuple[str, ...]
    """Extensions of the files it can write."""

    def write(
        self,
        file: IO[bytes],
        location: str,
        schema: pa.Schema,
        batches: Iterable[pa.RecordBatch],
        options: WriteOptions,
    ) -> None:
        """Write the records into an open file that will be moved to the location."""
        ...


class TableFormat(Protocol):
    """Declarations of a format module that writes database tables."""

    KIND: str
    WRITE_OPTIONS: tuple[str, ...]
    SCHEMES: tuple[str, ...]
    """Schemes of its URLs, before "://"."""

    def store(self, location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
        """Write the records into a table, all of them or none."""
        ...

    def exists(self, location: str, table: str) -> bool:
        """Return whether the table exists."""
        ...

    def rename(self, location: str, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
        """Rename a table to its final name, replacing an existing table in the same step if allowed.

        `before` is called last in the transaction: if it raises, everything is rolled back.
        """
        ...

    def passing(self, location: str, table: str) -> AbstractContextManager[str]:
        """Yield a name for a temporary table, valid while this run is alive; drop those of killed runs."""
        ...

    def mark(self, location: str, table: str) -> str:
        """Return an identifier of a table that does not depend on its later name."""
        ...

    def is_placed(self, location: str, table: Table) -> bool:
        """Return whether the table with this mark has its final name."""
        ...

    def drop(self, location: str, table: str) -> None:
        """Drop a table if it exists."""
        ...


@dataclass(frozen=True)
class Written:
    """The result of writing: location, format and number of records."""

    location: str
    """The path, or the URL without a password."""
    kind: str
    """The name of the format."""
    records: int
    sha256: str | None = None
    """The hash of a file written sequentially; None if unknown without reading it."""


def check_writable(location: str, options: WriteOptions) -> None:
    """Raise at once what `write` would raise for any records: unknown format, invalid option, missing table name."""
    if "://" not in location:
        file = _of_file(location)
        options.only(location, file.KIND, file.WRITE_OPTIONS)
        return
    database = _of_url(location)
    options.only(without_secrets(location), database.KIND, database.WRITE_OPTIONS)
    named_table(location, options)


def refuse_existing_table(location: str, options: WriteOptions) -> None:
    """Raise UsageError if the table exists and may not be replaced."""
    table = named_table(location, options)
    if not options.replace and _of_url(location).exists(location, table):
        raise UsageError.exists(f"table {table!r}")


@contextmanager
def passing_table(location: str, table: str) -> Iterator[str]:
    """Yield a name for a temporary table; if anything fails, the table is dropped.

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
                error.args = (f"{error}; the incomplete table {name!r} remains: drop it",)
            raise


def journal_entry(location: str, table: str, options: WriteOptions) -> Table:
    """Return the journal entry of a written table that is to get the name in the options."""
    return Table(_database(location), named_table(location, options), _of_url(location).mark(location, table))


def is_placed(location: str, table: Table) -> bool | None:
    """Return whether a table has its final name; None if it is in another database, or if this one does not respond."""
    if table.at != _database(location):
        return None
    try:
        return _of_url(location).is_placed(location, table)
    except IncrowdError:
        return None


def put_in_place(location: str, table: str, options: WriteOptions, before: Callable[[], None]) -> None:
    """Rename a written table to the name in the options; `before` is called last in the transaction."""
    _of_url(location).rename(location, table, named_table(location, options), options.replace, before)


def is_same_database(one: str, other: str) -> bool:
    """Return whether two URLs name the same database, as far as the URLs show."""
    return _database(one) == _database(other)


def _database(location: str) -> str:
    """Return an identifier of the database, the same for every path to a file."""
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
    """Write records to a path or database URL; the extension or scheme determines the format.

    A file gets the permissions `mode`, reduced by the user's umask.
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
        hashing = HashingFile(file)
        format.write(cast(IO[bytes], hashing), place, schema, pieces, options)
    return Written(place, format.KIND, pieces.records, hashing.sha256)


class _Pieces:
    """The batches in small pieces, with a count of their records."""

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
        name: format for format in FORMATS.modules().values() if hasattr(format, "store") for name in format.SCHEMES
    }
    if scheme not in known:
        raise _no_such_format(f"{scheme}://", [f"{name}://" for name in sorted(known)])
    return known[scheme]


def _of_file(path: str) -> FileFormat:
    suffix = written_suffix(path)
    if suffix is None:
        raise _no_such_format(path, list(_suffixes()))
    found: FileFormat = FORMATS.modules()[_suffixes()[suffix]]
    return found


def written_suffix(location: str) -> str | None:
    """Return the extension of a path that determines its format, if any."""
    return max((end for end in _suffixes() if location.lower().endswith(end)), key=len, default=None)


def written_format(location: str) -> str | None:
    """Return the name of the format in which a path is written; None if its extension is unknown."""
    suffix = written_suffix(location)
    return None if suffix is None else _suffixes()[suffix]


def _suffixes() -> dict[str, str]:
    """Return the name of the format that writes each extension."""
    known = FORMATS.modules()
    return {end: name for name, module in known.items() if hasattr(module, "write") for end in module.WRITTEN_SUFFIXES}


def _no_such_format(location: str, known: list[str]) -> UsageError:
    return UsageError.invalid(
        f"writing to {location}", "not a supported output format", f"supported: {', '.join(known)}"
    )
