"""incrowd inspect"""

import json
from collections.abc import Sequence
from dataclasses import replace

import typer

from incrowd.cli import options
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import column_list, open_source


def inspect(
    files: options.Files,
    among: options.Among = None,
    missing: options.Missing = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    table: options.Table = None,
    query: options.Query = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """What does each column hold, how much does it single people out, and what is it for?"""
    from incrowd.api import inspect as inspect_source

    source = open_source(files, missing, delimiter, encoding, table, query)
    with ProgressLine() as line:
        found = inspect_source(source, column_list(among, source.columns), time=time, progress=line.show)
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        given = {"--delimiter": delimiter, "--encoding": encoding, "--table": table, "--query": query}
        named = [source.name] if any("://" in file for file in files) else files
        print(replace(found, arguments=_arguments(named, missing or (), given)))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def _arguments(files: Sequence[str], missing: Sequence[str], given: dict[str, str | None]) -> tuple[str, ...]:
    """What names the source in a command that reads it in the same way; the name of a database has no password."""
    options = [("--missing", text) for text in missing]
    options += [(option, value) for option, value in given.items() if value is not None]
    return (*files, *(part for option in options for part in option))
