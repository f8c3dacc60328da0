"""Options that several commands share, each written once."""

from typing import Annotated

import typer

Among = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns an outsider may know, comma-separated; all of them when not given.",
        show_default=False,
    ),
]
Time = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Stop after so long and say what is known.", min=0, show_default=False),
]
Report = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write a report for people as well, by its ending HTML, Markdown or JSON; internal, not to be passed on.",
        show_default=False,
    ),
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace what is there already.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe", help="Put an apostrophe before cells of a text file that a spreadsheet would run."
    ),
]
