"""incrowd inspect"""

import json
from dataclasses import replace

import typer

from incrowd.cli import options
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import arguments, column_list, open_source


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
        print(replace(found, arguments=arguments(source, files, missing, given)))
    if found.stopped == "interrupted":
        raise typer.Exit(130)
