"""incrowd diagnose"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import Given, reads_table
from incrowd.cli.reporting import check_report, data_of, write_diagnosis

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis


@reads_table
def diagnose(
    given: Given,
    quasi: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="The set of columns to judge, comma-separated; asked for when not given.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", metavar="NUMBER", help="How many must be alike; asked for when not given.", show_default=False
        ),
    ] = None,
    suppress: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE|find",
            help="Share of records that may go (0.1), or 'find' to ask for it.",
            show_default=False,
        ),
    ] = None,
    among: options.Among = None,
    at_most: Annotated[bool, typer.Option("--at-most", help="Ask for k or less: what threatens the table?")] = False,
    nulls: Annotated[
        str, typer.Option(metavar="KIND", help="What a missing cell matches: extended, basic, maybe or right_maybe.")
    ] = "extended",
    max_size: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Look only at sets of up to so many columns.", show_default=False),
    ] = None,
    up_to: Annotated[
        int, typer.Option(metavar="NUMBER", help="The largest k listed when suppression is asked for every k.")
    ] = 50,
    rows: Annotated[bool, typer.Option("--rows", help="List the records that have to go, counted from 0.")] = False,
    report: options.Report = None,
    replace: options.Replace = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Who stands out, and through which columns?

    Give any of --quasi, --k and --suppress; what you leave out is asked for. With nothing given, the table is
    explained.
    """
    from incrowd.api import diagnose as open_diagnosis

    if report is not None:
        check_report(report, data_of(given.files), replace)
    diagnosis = open_diagnosis(given.source, given.columns(among), nulls)
    with ProgressLine() as line:
        answer = diagnosis.ask(
            k=k,
            quasi=given.columns(quasi),
            suppress=suppress,
            at_most=at_most,
            max_size=max_size,
            up_to=up_to,
            time=time,
            progress=line.show,
        )
        listed = answer.suppressed_rows if rows and not answer.is_no else None
        shown = "" if as_json else _text(diagnosis, answer, given)
        if report is not None:
            write_diagnosis(report, diagnosis, answer, replace)
    if as_json:
        plain = answer.to_dict()
        print_json(plain if listed is None else {**plain, "suppressed_rows": listed})
    else:
        print(shown)
        if listed is not None:
            print("\nRecords that have to go, counted from 0:\n" + " ".join(map(str, listed)))
    if answer.stopped == "interrupted":
        raise typer.Exit(130)
    if answer.is_no:
        raise typer.Exit(1)


def _text(diagnosis: Diagnosis, answer: Answer, given: Given) -> str:
    """The answer; where nothing was asked, the whole table explained."""
    from incrowd.diagnosis.overview import overview

    if answer.question != "Q4":
        return str(answer)
    return str(dataclasses.replace(overview(diagnosis, answer), arguments=given.arguments))
