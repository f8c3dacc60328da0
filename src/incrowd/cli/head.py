"""incrowd head"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table

ORDER = 5


@reads_table
def head(
    given: SourceOptions,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="NUMBER", help="Number of records.", min=1)] = 50,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Show the first records of a table."""
    from incrowd.api import head as first_records

    with ProgressLine() as line:
        found = first_records(given.source, rows, time=time, progress=line.show)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
