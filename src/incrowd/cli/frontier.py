"""incrowd frontier"""

from typing import Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import job_at
from incrowd.cli.report_option import MAP

ORDER = 60


def frontier(
    job: Annotated[
        str,
        typer.Argument(metavar="JOB", help="Job file (YAML, JSON or XML); - for standard input.", show_default=False),
    ],
    k: Annotated[
        list[str] | None,
        typer.Option("--k", "-k", metavar="NUMBERS", help="Each k to try (default: 2,5,10,25,50).", show_default=False),
    ] = None,
    search: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEARCHES",
            help="Each search to try, with its options: optimal,mondrian:column=loss; may be repeated (default: that "
            "of the job, optimal and mondrian).",
            show_default=False,
        ),
    ] = None,
    suppress: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBERS",
            help="Each suppression limit to try, a share (0.02, 2%) or a number of records (1): 0,2% (default: that of "
            "the job).",
            show_default=False,
        ),
    ] = None,
    risk: Annotated[
        str,
        typer.Option(metavar="WORD", help="Risk to weigh against loss: highest or average."),
    ] = "highest",
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Time limit of each search; its best result so far counts.",
            min=0,
            show_default=False,
        ),
    ] = None,
    map_file: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="Draw the releases on a map of risk and utility, as SVG, PNG or HTML.",
            show_default=False,
        ),
    ] = None,
    grid: Annotated[
        bool,
        typer.Option(
            "--grid",
            help="Run the job at each point of the grid of generalization (column, cell, none) and suppression (row, "
            "column, cell, none), and report records kept, cells kept and loss.",
        ),
    ] = False,
    replace: options.Replace = False,
    as_json: options.Json = False,
) -> None:
    """Find the Pareto-optimal releases of a job.

    Runs the job for each k with each search, weighs information loss against the remaining risk, and recommends a
    release. Publishes nothing.
    """
    from incrowd.api import frontier as sweep
    from incrowd.files.outputs import JOB, check_outputs
    from incrowd.frontiers.options import listed_searches
    from incrowd.risk_map import check_drawable
    from incrowd.text import printable

    if grid:
        _grid(
            job,
            time,
            as_json,
            k=k,
            search=search,
            suppress=suppress,
            risk=None if risk == "highest" else risk,
            map=map_file,
        )
        return
    if map_file is not None:
        check_drawable(map_file)
        check_outputs([(MAP, map_file)], [(JOB, job)], replace)
    with ProgressLine() as line:
        found = sweep(
            job=job_at(job),
            k=_listed(k),
            searches=None if search is None else [each for text in search for each in listed_searches(text)],
            suppress=_listed(suppress),
            risk=risk,
            time=time,
            progress=line.show,
        )
    if map_file is not None:
        found.map(map_file, replace)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
        if map_file is not None:
            print(f"\nMap: {printable(map_file)}")
    if found.stopped is not None:
        raise typer.Exit(130)
    if found.recommended is None:
        raise typer.Exit(3)


def _grid(job: str, time: float | None, as_json: bool, **others: Any) -> None:
    """Run the grid; refuse the options of other frontiers."""
    from incrowd.api import frontier as sweep
    from incrowd.frontiers.options import alone

    alone(**others)
    with ProgressLine() as line:
        found = sweep(job=job_at(job), time=time, progress=line.show, grid=True)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if found.stopped is not None:
        raise typer.Exit(130)
    if found.least_loss is None:
        raise typer.Exit(3)


def _listed(texts: list[str] | None) -> list[str] | None:
    """Split `a,b`, given once or several times."""
    return None if texts is None else [part.strip() for text in texts for part in text.split(",")]
