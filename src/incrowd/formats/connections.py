"""Shared by all databases: URLs, the choice of a table, error messages, and closing connections."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote_plus
from weakref import finalize

from incrowd.engines.publish import Declared
from incrowd.engines.source import Source
from incrowd.errors import IncrowdError, SourceError, UsageError, listed
from incrowd.files.private import is_live, private_folder
from incrowd.formats.options import ReadOptions, WriteOptions
from incrowd.watch import Stopped

_WAITS = {
    "postgres": "connect_timeout",
    "postgresql": "connect_timeout",
    "mysql": "connect_timeout",
    "mssql": "timeout",
}
"""The drivers' names for the connection timeout; without it they wait minutes, or forever, for an absent server."""
_SECONDS = 10

_PASSING = re.compile(r"(?:^|\.)incrowd_([0-9a-f]{16})$")
"""Names of temporary tables."""


def timeout_option(url: str) -> dict[str, int]:
    """Return the driver's option for the connection timeout in seconds; the URL may set it."""
    scheme, _, rest = url.partition("://")
    named = _WAITS.get(scheme.lower())
    given = dict(parse_qsl(rest.partition("?")[2]))
    return {} if named is None else {named: int(given.get(named, _SECONDS))}


def source_of(
    url: str,
    options: ReadOptions,
    frame: Callable[[], Any],
    close: Callable[[], object],
    upload: Callable[[Any], Any] | None = None,
    declared: Callable[[], Declared] = dict,
) -> Source:
    """Return the records of a frame in a database; `close` closes the connection when the source is discarded."""
    from incrowd.engines.frames import FrameSource

    try:
        if options.table and options.query:
            raise UsageError.invalid("table and query", "each names the records to read", "give one of them")
        with translate_errors(url, "the database rejected the request", "check the table or the query"):
            source = FrameSource(frame(), without_secrets(url), options.missing, upload, declared())
    except BaseException:
        close()
        raise
    finalize(source, close)
    return source


def chosen_table(url: str, wanted: str | None, tables: Callable[[str | None], Sequence[str]]) -> tuple[str | None, str]:
    """Return the schema (None for the default) and the name of a table; `tables` lists those of a schema."""
    usual = tables(None)
    existing = f"its tables are {listed(usual)}" if usual else "it has no tables"
    if wanted is None:
        raise SourceError.of(
            without_secrets(url), "a database has many tables", f"{existing}; name one as table, or give a query"
        )
    if wanted in usual:
        return None, wanted
    schema, _, table = wanted.rpartition(".")
    if schema and table in tables(schema):
        return schema, table
    raise SourceError.of(without_secrets(url), f"it has no table {wanted!r}", existing)


def named_table(url: str, options: WriteOptions) -> str:
    """Return the name of the table to write; raise UsageError if there is none."""
    if not options.table:
        raise UsageError.invalid(
            f"writing to {without_secrets(url)}", "a database has many tables", "name one as table"
        )
    return options.table


def is_file(url: str) -> bool:
    """Return whether a URL names a file, not a server."""
    return url.partition("://")[0].lower() in ("sqlite", "duckdb")


def file_of(url: str) -> Path:
    """Return the file that a URL names: three slashes before a relative path, four before an absolute one."""
    return Path(url.partition("://")[2].removeprefix("/"))


def existing_file(url: str) -> Path:
    """Return the file that a URL names; raise SourceError if it does not exist."""
    path = file_of(url)
    if not path.is_file():
        raise SourceError.of(
            url, f"there is no file {str(path)!r}", "check the path; an absolute one needs four slashes"
        )
    return path


@contextmanager
def passing_beside(
    url: str, table: str, names: Callable[[str], Sequence[str]], drop: Callable[[str, str], None]
) -> Iterator[str]:
    """Yield a name for a temporary table in a file; a private folder next to the file shows that the run is alive.

    `names` lists the tables; temporary ones of runs that are no longer alive are dropped.
    """
    path = Path(os.path.realpath(file_of(url)))
    with ExitStack() as stack:
        try:
            own = stack.enter_context(private_folder(path.parent))
        except OSError as error:
            raise SourceError.cannot_write(url, error) from None
        for name in names(url):
            found = _PASSING.search(name)
            if found and not is_live(path.parent, found[1]):
                drop(url, name)
        schema, dot, _ = table.rpartition(".")
        yield f"{schema}{dot}incrowd_{own.token}"


def needs_url(path: str, kind: str, scheme: str) -> SourceError:
    """Return the error for a database file given by its path instead of a URL."""
    return SourceError.of(path, f"it is {kind}", f"read {scheme}:///{path} and name a table")


@contextmanager
def translate_errors(url: str, wrong: str, remedy: str, writing: bool = False) -> Iterator[None]:
    """Replace errors of a driver by a SourceError with its first line, without quotations.

    If writing, when the message may contain a cell, only the error's class is shown.
    """
    try:
        yield
    except (IncrowdError, ImportError, Stopped):
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        is_unsafe = writing or any(secret in first for secret in _secrets(url))
        reason = type(error).__name__ if is_unsafe else re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "…", first)
        raise SourceError.of(without_secrets(url), f"{wrong} ({reason})", remedy) from None


def without_secrets(url: str) -> str:
    """Return a URL without its password and its parameters."""
    scheme, _, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    return f"{scheme}://{login.partition(':')[0]}{at}{place.partition('?')[0]}"


def _secrets(url: str) -> set[str]:
    """Return the texts of a URL that no message may contain."""
    login, _, place = url.partition("://")[2].rpartition("@")
    password = login.partition(":")[2]
    parameters = [value for _, value in parse_qsl(place.partition("?")[2])]
    return {text for text in (password, unquote_plus(password), *parameters) if text}
