"""incrowd inspect"""

from dataclasses import replace

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table

ORDER = 10


@reads_table
def inspect(
    given: SourceOptions,
    among: options.Among = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Show what each column holds, how much it singles out records, and its suggested role."""
    from incrowd.api import inspect as inspect_source

    with ProgressLine() as line:
        found = inspect_source(
            given.written,
            given.columns(among),
            time=time,
            progress=line.show,
            normalize=given.steps["normalize"],
            missing_in=given.steps["missing_in"],
        )
    if as_json:
        print_json(found.to_dict())
    else:
        print(replace(found, arguments=given.arguments))
    if found.stopped == "interrupted":
        raise typer.Exit(130)
