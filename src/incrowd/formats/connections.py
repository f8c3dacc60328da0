"""What all databases share: their URLs, the choice of a table, failures in our own words, the end of a connection."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote_plus
from weakref import finalize

from incrowd.engines.frames import FrameSource
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
"""What drivers call it that would else wait for minutes, or for ever, for a server that is not there."""
_SECONDS = 10

_PASSING = re.compile(r"(?:^|\.)incrowd_([0-9a-f]{16})$")
"""How tables are called that may not stay."""


def patience(url: str) -> dict[str, int]:
    """How many seconds a server has to answer at all, as its driver is told; the URL may say it."""
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
    """The records of a frame within a database; the connection, which `close` ends, ends with the source."""
    try:
        if options.table and options.query:
            raise UsageError.senseless("table and query", "each names the records to read", "give one of them")
        with in_our_words(url, "it refuses what was asked", "check the table or the query"):
            source = FrameSource(frame(), without_secrets(url), options.missing, upload, declared())
    except BaseException:
        close()
        raise
    finalize(source, close)
    return source


def chosen_table(url: str, wanted: str | None, tables: Callable[[str | None], Sequence[str]]) -> tuple[str | None, str]:
    """The schema, None for the usual one, and the name of a table; `tables` lists those of a schema."""
    usual = tables(None)
    existing = f"its tables are {listed(usual)}" if usual else "it has no tables"
    if wanted is None:
        raise SourceError.of(
            without_secrets(url), "a database is many tables", f"{existing}; name one as table, or give a query"
        )
    if wanted in usual:
        return None, wanted
    schema, _, table = wanted.rpartition(".")
    if schema and table in tables(schema):
        return schema, table
    raise SourceError.of(without_secrets(url), f"it has no table {wanted!r}", existing)


def named_table(url: str, options: WriteOptions) -> str:
    """The table to write."""
    if not options.table:
        raise UsageError.senseless(
            f"writing to {without_secrets(url)}", "a database is many tables", "name one as table"
        )
    return options.table


def is_file(url: str) -> bool:
    """Whether a URL names a file, and not a server."""
    return url.partition("://")[0].lower() in ("sqlite", "duckdb")


def file_of(url: str) -> Path:
    """The file that a URL names: three slashes before a relative path, four before an absolute one."""
    return Path(url.partition("://")[2].removeprefix("/"))


def existing_file(url: str) -> Path:
    """The file that a URL names and that is there."""
    path = file_of(url)
    if not path.is_file():
        raise SourceError.of(
            url, f"there is no file {str(path)!r}", "check the path; an absolute one takes four slashes"
        )
    return path


@contextmanager
def passing_beside(
    url: str, table: str, names: Callable[[str], Sequence[str]], drop: Callable[[str, str], None]
) -> Iterator[str]:
    """A name for a table of a file that may not stay: a private folder beside the file tells that its run lives.

    `names` lists the tables; those with the name of a run that does not live are dropped.
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
    """A database in a file that was given by its path alone."""
    return SourceError.of(path, f"it is {kind}", f"read {scheme}:///{path} and name a table")


@contextmanager
def in_our_words(url: str, wrong: str, remedy: str, writing: bool = False) -> Iterator[None]:
    """A driver's failure in one line, without what it quotes; in writing, when it may tell a cell, only its kind."""
    try:
        yield
    except (IncrowdError, ImportError, Stopped):
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        told = writing or any(secret in first for secret in _secrets(url))
        reason = type(error).__name__ if told else re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "…", first)
        raise SourceError.of(without_secrets(url), f"{wrong} ({reason})", remedy) from None


def without_secrets(url: str) -> str:
    """A URL without its password and its parameters."""
    scheme, _, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    return f"{scheme}://{login.partition(':')[0]}{at}{place.partition('?')[0]}"


def _secrets(url: str) -> set[str]:
    """The texts of a URL that no message may hold."""
    login, _, place = url.partition("://")[2].rpartition("@")
    password = login.partition(":")[2]
    parameters = [value for _, value in parse_qsl(place.partition("?")[2])]
    return {text for text in (password, unquote_plus(password), *parameters) if text}
