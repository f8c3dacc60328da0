"""incrowd costs"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import job_at

ORDER = 65


def costs(
    job: Annotated[
        str,
        typer.Argument(metavar="JOB", help="A job file (YAML, JSON or XML); - for standard input.", show_default=False),
    ],
    as_json: options.Json = False,
) -> None:
    """Measure what the models of a job cost in information loss, together and each alone.

    Nothing is published. A quick local search clusters the records, or a sample of a large table.
    """
    from incrowd.api import costs as measure_costs

    with ProgressLine() as line:
        found = measure_costs(job=job_at(job), progress=line.show)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
