"""incrowd table"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table
from incrowd.cli.report_option import data_of
from incrowd.errors import UsageError

ORDER = 130

Listed = list[str] | None


@reads_table
def table(
    given: SourceOptions,
    by: Annotated[
        list[str],
        typer.Option(metavar="COLUMNS", help="Columns of the table, comma-separated.", show_default=False),
    ],
    measure: Annotated[
        str,
        typer.Option(
            metavar="MEASURE",
            help="Measure in the cells: count, sum:COLUMN, mean:COLUMN, percent (of all) or percent:COLUMN (shares "
            "that add up over this column).",
        ),
    ] = "count",
    rule: Annotated[
        Listed,
        typer.Option(
            metavar="RULE",
            help="Rule for sensitive cells: threshold:n=3, dominance:n=2,k=85, p_percent:p=10, pq:p=10,q=50; may be "
            "repeated (default: threshold, and p_percent for sums and means).",
            show_default=False,
        ),
    ] = None,
    protect: Annotated[
        str,
        typer.Option(
            metavar="PROTECTION",
            help="Protection: suppression, random_rounding:base=5, controlled_rounding:base=5, "
            "confidentiality_edit:share=0.05 or sampling:share=0.1.",
        ),
    ] = "suppression",
    hierarchy: Annotated[
        Listed,
        typer.Option(
            metavar="COLUMN=HIERARCHY",
            help="Hierarchy of a column, for subtotals: age=age.csv; may be repeated.",
            show_default=False,
        ),
    ] = None,
    contributors: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Contributors who may combine what they know of their own records: 1 or 2.",
        ),
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Random seed; keep it secret.", show_default=False, min=0),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Output file: .json with notes, or another format (from extension) with one row per cell.",
            show_default=False,
        ),
    ] = None,
    person: options.Person = None,
    replace: options.Replace = False,
    details: Annotated[
        bool,
        typer.Option(
            "--details", help="Show private details: the sensitive cells, and what an attacker can derive of each."
        ),
    ] = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Publish a table of counts, sums, means or shares whose sensitive cells cannot be derived.

    Finds the sensitive cells, protects them, and audits the table as an attacker would.
    """
    from incrowd.hierarchies import files_of
    from incrowd.tables import TableOptions, publish
    from incrowd.tables.wording import details as told
    from incrowd.tables.writing import check
    from incrowd.watch import Watch

    asked = TableOptions.of(
        given.columns(by) or (),
        measure,
        rule,
        protect,
        hierarchies=_hierarchies(hierarchy),
        seed=seed,
        in_full=details,
        contributors=contributors,
        person=given.columns(person) or (),
    )
    if output is not None:
        check(output, replace, [*data_of(given.files), *files_of(asked.hierarchies)])
    with ProgressLine() as line, Watch(time, line.show) as watch:
        found = publish(given.source, asked, watch)
    saved = None if output is None else found.save(output, replace)
    if as_json:
        print_json({**found.to_dict(private=details), "saved": saved})
    else:
        further = [told(found)] if details else []
        print("\n\n".join([str(found), *further, *([] if saved is None else [f"Table: {saved}"])]))


def _hierarchies(texts: Listed) -> dict[str, Any]:
    from incrowd.hierarchies import parse
    from incrowd.jobs import names

    found: dict[str, Any] = {}
    for text in texts or ():
        said = names.split(text)
        if said is None:
            raise UsageError.invalid(
                "--hierarchy", "it must be a column and a hierarchy", "write it as --hierarchy age=age.csv"
            )
        found[said[0]] = parse(said[1])
    return found
