"""incrowd diagnose"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table
from incrowd.cli.report_option import check_report, data_of, write_diagnosis

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis


@reads_table
def diagnose(
    given: SourceOptions,
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
    sensitive: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Sensitive column: ask for l or t instead of k.",
            show_default=False,
        ),
    ] = None,
    l: Annotated[  # noqa: E741 - the name that the parameter has in every paper
        float | None,
        typer.Option(
            "--l",
            metavar="NUMBER",
            help="Number of different sensitive values that every class must have; asked for when not given.",
            show_default=False,
        ),
    ] = None,
    t: Annotated[
        float | None,
        typer.Option(
            "--t",
            metavar="NUMBER",
            help="Largest distance of a class from the whole table (t-closeness), from 0 to 1.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="What to measure: k_anonymity, distinct_l, frequency_l, entropy_l or t_closeness, also "
            "t_closeness:distance=ordered or t_closeness:distance=hierarchical. Default: k_anonymity; with --sensitive "
            "distinct_l; with --t t_closeness.",
            show_default=False,
        ),
    ] = None,
    hierarchy: Annotated[
        str | None,
        typer.Option(
            metavar="HIERARCHY",
            help="Hierarchy of the sensitive column, for the hierarchical distance.",
            show_default=False,
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
    at_most: Annotated[
        bool, typer.Option("--at-most", help="Ask for at most the given k or l: what threatens the table?")
    ] = False,
    at_least: Annotated[
        bool, typer.Option("--at-least", help="Ask for at least the given t: what threatens the table?")
    ] = False,
    nulls: Annotated[
        str, typer.Option(metavar="KIND", help="What a missing cell matches: extended, basic, maybe or right_maybe.")
    ] = "extended",
    max_size: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Look only at sets of up to so many columns.", show_default=False),
    ] = None,
    up_to: Annotated[
        int, typer.Option(metavar="NUMBER", help="The largest k or l listed when suppression is asked for every one.")
    ] = 50,
    rows: Annotated[bool, typer.Option("--rows", help="List the records that have to go, counted from 0.")] = False,
    report: options.Report = None,
    replace: options.Replace = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Who stands out, and through which columns?

    Give any of --quasi, --k and --suppress; what you leave out is asked for. With nothing given, the table is
    explained. With --sensitive, --l or --t takes the place of --k.
    """
    from incrowd.api import diagnose as open_diagnosis
    from incrowd.hierarchies import parse

    if report is not None:
        check_report(report, data_of(given.files), replace)
    diagnosis = open_diagnosis(given.source, given.columns(among), nulls)
    with ProgressLine() as line:
        answer = diagnosis.ask(
            k=k,
            l=int(l) if l is not None and l.is_integer() else l,
            t=t,
            sensitive=sensitive,
            measure=measure,
            hierarchy=None if hierarchy is None else parse(hierarchy),
            quasi=given.columns(quasi),
            suppress=suppress,
            at_most=at_most,
            at_least=at_least,
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


def _text(diagnosis: Diagnosis, answer: Answer, given: SourceOptions) -> str:
    """The answer; where nothing was asked, the whole table explained."""
    from incrowd.diagnosis.overview import overview

    if not answer.is_first_look:
        return str(answer)
    return str(dataclasses.replace(overview(diagnosis, answer), arguments=given.arguments))
