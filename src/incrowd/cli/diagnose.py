"""incrowd diagnose"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from incrowd.cli import options
from incrowd.cli.linked import describes_tables, diagnose_linked
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table
from incrowd.cli.report_option import check_report, data_of, write_diagnosis

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis


ORDER = 20

_FIRST_LOOK = 10.0
"""The seconds that a table may take to be explained, unless --time is given. Sets of few columns come first."""


@reads_table
def diagnose(
    given: SourceOptions,
    quasi: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="Quasi-identifiers to check together, comma-separated (default: every set of columns).",
            show_default=False,
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", metavar="NUMBER", help="Smallest class size k (default: computed).", show_default=False
        ),
    ] = None,
    sensitive: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Sensitive column: diagnose l or t instead of k.",
            show_default=False,
        ),
    ] = None,
    l: Annotated[  # noqa: E741 - the name that the parameter has in every paper
        float | None,
        typer.Option(
            "--l",
            metavar="NUMBER",
            help="Different sensitive values that every class must have (default: computed).",
            show_default=False,
        ),
    ] = None,
    t: Annotated[
        float | None,
        typer.Option(
            "--t",
            metavar="NUMBER",
            help="Largest distance between a class and the whole table (t-closeness), from 0 to 1.",
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
            metavar="AMOUNT|find",
            help="Suppression limit: a share (0.02, 2%) or a number of records (1), or 'find' to compute it.",
            show_default=False,
        ),
    ] = None,
    among: options.Among = None,
    person: options.Person = None,
    at_most: Annotated[
        bool, typer.Option("--at-most", help="Find what lowers k or l to the given value or below.")
    ] = False,
    at_least: Annotated[
        bool, typer.Option("--at-least", help="Find what raises t to the given value or above.")
    ] = False,
    nulls: Annotated[
        str, typer.Option(metavar="KIND", help="What a missing value matches: extended, basic, maybe or right_maybe.")
    ] = "extended",
    max_size: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Largest number of columns in a set.", show_default=False),
    ] = None,
    up_to: Annotated[
        int, typer.Option(metavar="NUMBER", help="Largest k or l to list when the suppression for each is computed.")
    ] = 50,
    rows: Annotated[bool, typer.Option("--rows", help="List the records to suppress, counted from 0.")] = False,
    report: options.Report = None,
    replace: options.Replace = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Find which columns single out records or people, and what that takes to prevent.

    Give any of --quasi, --k and --suppress; the others are computed. Without any of them, the whole table is
    explained, as far as 10 seconds suffice or --time allows. With --sensitive, --l or --t replaces --k. For the job
    file of several tables, find which of their columns single people out only together.
    """
    from incrowd.api import diagnose as open_diagnosis
    from incrowd.hierarchies import parse

    if len(given.files) == 1 and describes_tables(given.files[0]):
        only = [quasi, sensitive, l, t, measure, hierarchy, suppress, among, report, person]
        further = any(each is not None for each in only) or at_most or at_least or rows or nulls != "extended"
        diagnose_linked(given.files[0], k, max_size, time, as_json, further)
        return

    if report is not None:
        check_report(report, data_of(given.files), replace)
    diagnosis = open_diagnosis(given.source, given.columns(among), nulls, person=given.columns(person) or ())
    is_first_look = all(each is None for each in (k, l, t, quasi, sensitive, measure, suppress)) and not as_json
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
            time=_FIRST_LOOK if time is None and is_first_look else time,
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
            print("\nRecords to suppress, counted from 0:\n" + " ".join(map(str, listed)))
    if answer.stopped == "interrupted":
        raise typer.Exit(130)
    if answer.is_no:
        raise typer.Exit(1)


def _text(diagnosis: Diagnosis, answer: Answer, given: SourceOptions) -> str:
    """Return the answer as text, or the explanation of the whole table if nothing was given."""
    from incrowd.diagnosis.overview import overview

    if not answer.is_first_look:
        return str(answer)
    return str(dataclasses.replace(overview(diagnosis, answer), arguments=given.arguments))
