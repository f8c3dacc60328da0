"""From the command line's words to a source and its columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.engines.source import Source


def open_source(
    files: Sequence[str],
    missing: Sequence[str] | None,
    delimiter: str | None,
    encoding: str | None,
    table: str | None,
    query: str | None,
) -> Source:
    """The files as one source."""
    from incrowd.api import read

    if delimiter is not None:
        delimiter = {r"\t": "\t", "tab": "\t"}.get(delimiter, delimiter)
    return read(*files, missing=tuple(missing or ()), delimiter=delimiter, encoding=encoding, table=table, query=query)


def arguments(
    source: Source, files: Sequence[str], missing: Sequence[str] | None, given: dict[str, str | None]
) -> tuple[str, ...]:
    """What names the source in a command that reads it in the same way; the name of a database has no password."""
    named = [source.name] if any("://" in file for file in files) else files
    options = [("--missing", text) for text in missing or ()]
    options += [(option, value) for option, value in given.items() if value is not None]
    return (*named, *(part for option in options for part in option))


def column_list(given: Sequence[str] | None, existing: Sequence[str]) -> list[str] | None:
    """Columns named as `a,b,c`, or one by one; a name that holds a comma may be given whole or in double quotes."""
    if given is None:
        return None
    names: list[str] = []
    for words in given:
        names += [words] if words in existing else [name.strip() for name in next(csv.reader([words]), [])]
    return [name for name in names if name]
