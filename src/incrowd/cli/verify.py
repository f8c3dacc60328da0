"""incrowd verify"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import STANDARD, input_file, print_json
from incrowd.errors import UsageError

ORDER = 80

_EXIT_CODES = {"does not hold": 1, "empty": 3, "not proven": 5}
"""By the verdict, unless it is "holds"."""


def verify(
    data: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Release: a file or a database URL; - for standard input. Of several tables, their folder.",
            show_default=False,
        ),
    ],
    manifest: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Manifest (default: FILE.manifest.json).", show_default=False),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Private record, for exact checks against the original table.",
            show_default=False,
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Population the table was drawn from, for k_map and delta_presence; needs the private record.",
            show_default=False,
        ),
    ] = None,
    original: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Original table, in which people are counted again (default: the files that the private record "
            "names); needs the private record; may be repeated. Of several tables: a folder with a file for each, "
            "TABLE=FILE for each, or their job file.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(metavar="NAME", help="Database table.", show_default=False)] = None,
    as_json: options.Json = False,
) -> None:
    """Verify a release against its manifest."""
    from incrowd.api import verify as verify_release

    if data == STANDARD and manifest is None:
        raise UsageError.invalid("verify -", "standard input has no manifest beside it", "name it (--manifest FILE)")
    verdict = verify_release(input_file(data), manifest, record, population, table, original=original)
    if as_json:
        print_json(verdict.to_dict())
    else:
        print(verdict)
    if verdict.value != "holds":
        raise typer.Exit(_EXIT_CODES[verdict.value])
