"""incrowd risk"""

from dataclasses import fields
from typing import Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.linked import describes_tables, is_set, risk_linked
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table

ORDER = 30


def _people(location: str, given: SourceOptions) -> Any:
    """Open the population, with the table's header option."""
    return SourceOptions([location], given.missing, header=given.header or None).source


@reads_table
def risk(
    given: SourceOptions,
    quasi: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="Columns that an attacker knows, comma-separated; of several tables TABLE.COLUMN (default: all).",
            show_default=False,
        ),
    ] = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="Sensitive columns, comma-separated: adds the strongest parameters the table satisfies, per model.",
            show_default=False,
        ),
    ] = None,
    person: options.Person = None,
    knows: options.Knows = "record",
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="RISK",
            help="Risk threshold, such as 0.2 or 1/5 (default: 0.2); if given, exit with 1 if it is exceeded.",
            show_default=False,
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|SIZE",
            help="Population the table was drawn from: a file, or its size.",
            show_default=False,
        ),
    ] = None,
    max_size: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Largest number of columns in a set.", show_default=False),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="List the records with the highest scores, counted from 0.")
    ] = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Measure the re-identification risk of a table, or of several: their job file, or the folder of their release."""
    from incrowd.api import risk as assess_source
    from incrowd.risks import check_rows
    from incrowd.watch import Watch

    if len(given.files) == 1 and (describes_tables(given.files[0]) or is_set(given.files[0])):
        words = {"sensitive": sensitive, "person": person, "max_size": max_size, "rows": rows}
        reading = {each.name: getattr(given, each.name) for each in fields(given) if each.name != "files"}
        risk_linked(
            given.files[0],
            {**reading, **words, "quasi": quasi, "knows": knows, "threshold": threshold, "population": population},
            time,
            as_json,
        )
        return
    check_rows(knows, rows)
    everybody: object = population
    if population is not None:
        everybody = int(population) if population.isdecimal() else _people(population, given)
    with ProgressLine() as line:
        report = assess_source(
            given.source,
            given.columns(quasi) or [],
            threshold="0.2" if threshold is None else threshold,
            population=everybody,
            max_size=max_size,
            time=time,
            progress=line.show,
            sensitive=given.columns(sensitive) or (),
            person=given.columns(person) or (),
            knows=knows,
        )
        special = report.special_uniques
        listed = special.rows(given.source.table(report.columns, Watch())) if rows and special else None
    if as_json:
        plain = report.to_dict()
        with_rows = {**plain, "rows": [{"row": row, "score": score} for row, score in listed or ()]}
        print_json(plain if listed is None else with_rows)
    else:
        print(report)
        if listed is not None:
            print("\nRecords with the highest scores, counted from 0:")
            print("\n".join(f"{row} (score {score:,.0f})" for row, score in listed) or "none")
    if report.stopped == "interrupted":
        raise typer.Exit(130)
    if threshold is not None and report.exceeded:
        raise typer.Exit(1)
