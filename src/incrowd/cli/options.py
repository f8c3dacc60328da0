"""Options shared by several commands."""

from typing import Annotated

import typer

Among = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns an attacker may know, comma-separated (default: all).",
        show_default=False,
    ),
]
Normalize = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=STEPS",
        help="Merge all spellings of a value in a column: town=blanks/case/unicode; or say how its numbers or dates "
        "are written: born=day_first; may be repeated.",
        show_default=False,
    ),
]
MissingIn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=CODES",
        help="Codes for missing in a column alone: age=9,99; may be repeated.",
        show_default=False,
    ),
]
Person = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns that together tell which person a record is about, comma-separated: people are counted.",
        show_default=False,
    ),
]
Knows = Annotated[
    str,
    typer.Option(
        metavar="WORD|NUMBER",
        help="How much an attacker knows of a person (with --person): record (any one record), a number of records, or "
        "history (all of them).",
    ),
]
Time = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time limit; partial results are reported.", min=0, show_default=False),
]
Report = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Also write a report: HTML, Markdown or JSON, from extension. Internal: do not share it.",
        show_default=False,
    ),
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace existing output.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of a text file or sheet is a header; if not given, a line that looks like a "
        "record is refused.",
        show_default=False,
    ),
]
Names = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Names of the columns, comma-separated, if the first line is not a header (default: column_1, ...).",
        show_default=False,
    ),
]
Widths = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS",
        help="Characters of each column of a text file without delimiters, comma-separated: 4,8,2.",
        show_default=False,
    ),
]
Prepare = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="Changes to the table as it is read: rename, recode, type and rows, as prepare of the data in a job: "
        '{"recode": {"sex": {"m": "male"}}}.',
        show_default=False,
    ),
]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe", help="Put an apostrophe before cells of a text file that a spreadsheet would run."
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="SOURCE",
        help="Further source with its own options: sqlite:///wards.db,table=south, or b.csv,delimiter=;; may be "
        "repeated.",
        show_default=False,
    ),
]
