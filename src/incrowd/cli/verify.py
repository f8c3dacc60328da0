"""incrowd verify"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import STANDARD, input_file, print_json
from incrowd.errors import UsageError

_EXIT_CODES = {"does not hold": 1, "empty": 3, "not proven": 5}
"""By the verdict, where it is not "holds"."""


def verify(
    data: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="The release: a file or a database URL; - for standard input.", show_default=False
        ),
    ],
    manifest: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Its manifest; FILE.manifest.json when not given.", show_default=False),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Its private record, to check exactly what compares with the original table.",
            show_default=False,
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The population that the table was drawn from, for k_map and delta_presence; needs the record.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(metavar="NAME", help="Table of a database.", show_default=False)] = None,
    as_json: options.Json = False,
) -> None:
    """Does this release keep its promises?"""
    from incrowd.api import verify as verify_release

    if data == STANDARD and manifest is None:
        raise UsageError.senseless("verify -", "standard input has no manifest beside it", "name it (--manifest FILE)")
    verdict = verify_release(input_file(data), manifest, record, population, table)
    if as_json:
        print_json(verdict.to_dict())
    else:
        print(verdict)
    if verdict.word != "holds":
        raise typer.Exit(_EXIT_CODES[verdict.word])
