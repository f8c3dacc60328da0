"""incrowd lattice"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import job_at

ORDER = 76


def lattice(
    job: Annotated[
        str,
        typer.Argument(metavar="JOB", help="A job file (YAML, JSON or XML); - for standard input.", show_default=False),
    ],
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """List every release with one level for each column, and whether it satisfies the models.

    Nothing is published. The best ones are printed; --json has all of them.
    """
    from incrowd.api import lattice as list_nodes

    with ProgressLine() as line:
        found = list_nodes(job=job_at(job), time=time, progress=line.show)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if found.stopped == "interrupted":
        raise typer.Exit(130)
