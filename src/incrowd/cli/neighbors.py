"""incrowd neighbors"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.columns import settings
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import job_at
from incrowd.errors import UsageError

ORDER = 75


def neighbors(
    job: Annotated[
        str,
        typer.Argument(metavar="JOB", help="A job file (YAML, JSON or XML); - for standard input.", show_default=False),
    ],
    level: Annotated[
        list[str],
        typer.Option(
            metavar="COLUMN=LEVEL",
            help="The level of a quasi-identifier, as in a release of the job: age=2; once for each of them.",
            show_default=False,
        ),
    ],
    rows: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, max=1000, help="Different records to show, before and as published."),
    ] = 0,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Count and score the releases around one: one level more or less in one column.

    Nothing is published.
    """
    from incrowd.api import neighbors as count_neighbors

    levels = {name: _whole(value) for name, value in settings(level, "level")}
    with ProgressLine() as line:
        found = count_neighbors(job=job_at(job), levels=levels, rows=rows, time=time, progress=line.show)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise UsageError.invalid("--level", "a level is not a whole number", "write it as --level age=2")
    return int(text)
