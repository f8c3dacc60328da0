"""incrowd apply"""

from typing import Annotated

import typer

from incrowd.cli import options
from incrowd.cli.linked import apply_linked
from incrowd.cli.output import input_file
from incrowd.cli.released import released
from incrowd.errors import UsageError

ORDER = 90

_OWN = ("record", "files", "as_json")
"""Options that an apply of several tables does not have."""


def apply(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="Private record of the earlier release.", show_default=False)
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="New data: files or database URLs, read as the earlier ones were. Of several tables: a folder with a "
            "file for each, TABLE=FILE for each, or their job file.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Output file (format from extension) or database URL; - for standard output, as CSV. Of several "
            "tables, a folder.",
            show_default=False,
        ),
    ] = ...,  # type: ignore[assignment]
    source: options.Sources = None,
    output_table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Database table to write.", show_default=False),
    ] = None,
    replace: options.Replace = False,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Database table, or sheet of a workbook (default: as for the earlier data).",
            show_default=False,
        ),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Database query whose result is the new data.", show_default=False),
    ] = None,
    spreadsheet_safe: options.SpreadsheetSafe = False,
    as_json: options.Json = False,
) -> None:
    """Publish new data with the recoding of an earlier release.

    Refuses values that its hierarchies lack, unless a rule (intervals, dates, mask) gives their labels. The output is
    verified like any release.
    """
    words = dict(locals())
    from incrowd.api import apply as run
    from incrowd.api.linked import is_record_of_tables
    from incrowd.jobs import origins

    if is_record_of_tables(record):
        apply_linked(record, files or [], {name: words[name] for name in words if name not in _OWN}, as_json)
        return
    given = [*map(input_file, files or ()), *map(origins.parse, source or ())]
    if not given:
        raise UsageError.invalid("nothing to read", "no new data is given", "name a file or a database URL")
    released(
        lambda progress: run(record, given, output, output_table, replace, spreadsheet_safe, progress, table, query),
        as_json,
    )
