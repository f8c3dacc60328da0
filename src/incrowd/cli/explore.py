"""incrowd explore"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table

ORDER = 25


@reads_table
def explore(
    given: SourceOptions,
    quasi: Annotated[
        list[str], typer.Option(metavar="COLUMNS", help="The set of columns, comma-separated.", show_default=False)
    ],
    among: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS", help="Columns that may be added, comma-separated (default: all).", show_default=False
        ),
    ] = None,
    lattice: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="Columns every subset of which is counted as well, comma-separated; for --json.",
            show_default=False,
        ),
    ] = None,
    person: options.Person = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Compare a set of columns with those that have one column more or less, each with its k."""
    from incrowd.api import explore as explore_sets

    with ProgressLine() as line:
        found = explore_sets(
            given.source,
            given.columns(quasi) or [],
            given.columns(among),
            given.columns(lattice) or [],
            person=given.columns(person) or (),
            time=time,
            progress=line.show,
        )
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
