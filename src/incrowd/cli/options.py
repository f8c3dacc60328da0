"""Options that several commands share, each written once."""

from typing import Annotated

import typer

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="A CSV, TSV, Parquet, JSON lines, Excel or XML file, or a database URL; several are read as one table.",
        show_default=False,
    ),
]
Among = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns an outsider may know, comma-separated; all of them when not given.",
        show_default=False,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT", help='A text that stands for missing, such as "?"; may be repeated.', show_default=False
    ),
]
Delimiter = Annotated[
    str | None, typer.Option(help="What separates the cells of a text file; found by looking.", show_default=False)
]
Encoding = Annotated[str | None, typer.Option(help="Encoding of a text file; found by looking.", show_default=False)]
Table = Annotated[str | None, typer.Option(help="Table of a database, or sheet of a workbook.", show_default=False)]
Query = Annotated[str | None, typer.Option(help="Database query whose result is the table.", show_default=False)]
Time = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Stop after so long and say what is known.", min=0, show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
