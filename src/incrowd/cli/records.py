"""incrowd records"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine

ORDER = 115


def records(
    release: Annotated[
        str,
        typer.Argument(metavar="RELEASE", help="A release with its private record beside it.", show_default=False),
    ],
    original: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Original table (default: where the private record says).", show_default=False
        ),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="NUMBER", help="Number of records.", min=1)] = 50,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """List original records beside what is published of them, smallest classes first.

    For the publisher alone: the list undoes the release.
    """
    from incrowd.api import records as list_records

    with ProgressLine() as line:
        found = list_records(release, original, rows, time=time, progress=line.show)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
