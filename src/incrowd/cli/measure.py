"""incrowd measure"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.columns import Hierarchies, Listed, Missing, Quasi, Sensitive, listed, mentioned, option, settings
from incrowd.cli.output import input_file, print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions as TableGiven
from incrowd.cli.report_option import MAP, REPORT, check_report, data_of, write_comparison

if TYPE_CHECKING:
    from incrowd.comparison import Column, ComparisonOptions


def measure(
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help="The table before: a file or a database URL.", show_default=False)
    ],
    releases: Annotated[
        list[str],
        typer.Argument(metavar="RELEASE...", help="Releases of it, by whatever tool; several are compared."),
    ],
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchy: Hierarchies = None,
    scale: Annotated[
        Listed,
        option("All values of a column, lowest first: size=small,medium,large; may be repeated.", "COLUMN=VALUES"),
    ] = None,
    ranges: Annotated[
        Listed,
        option(
            "What nobody may be found to be among, as ranges (income=0-9/90-99) or as a level of the column's "
            "hierarchy (disease=1); may be repeated.",
            "COLUMN=RANGES|LEVEL",
        ),
    ] = None,
    label: Annotated[str | None, option("The column that a classifier is to predict.", "COLUMN")] = None,
    queries: Annotated[
        str | None,
        option("Queries that are to be answered: a table with a row for each; an empty cell asks nothing.", "FILE"),
    ] = None,
    only: Annotated[Listed, option("These yardsticks alone, comma-separated; may be repeated.", "YARDSTICKS")] = None,
    without: Annotated[Listed, option("All yardsticks but these, comma-separated.", "YARDSTICKS")] = None,
    map_file: Annotated[
        str | None,
        option("Draw the releases on a map of risk and utility, as SVG, PNG or HTML.", "FILE", "--map"),
    ] = None,
    across: Annotated[str, typer.Option("--x", metavar="YARDSTICK", help="What the map shows from left to right.")] = (
        "loss"
    ),
    upwards: Annotated[
        str, typer.Option("--y", metavar="YARDSTICK", help="What it shows upwards; risk is 1 / smallest class.")
    ] = "risk",
    details: Annotated[bool, typer.Option("--details", help="Show what each number is made of, column by column.")] = (
        False
    ),
    missing: Missing = None,
    header: options.Header = None,
    names: options.Names = None,
    widths: options.Widths = None,
    report: options.Report = None,
    replace: options.Replace = False,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="What chance starts from.")] = 0,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """What are these releases worth, and how well do they protect?"""
    from incrowd.comparison import GivenRelease, compare, metadata_of, read_release
    from incrowd.comparison.wording import details as told
    from incrowd.watch import Watch

    words = dict(locals())
    _check(words)
    asked = _asked(words)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        given = [
            GivenRelease(each, read_release(input_file(each), missing or (), header=header), metadata_of(each))
            for each in releases
        ]
        found = compare(TableGiven([original], missing, None, None, header, names, widths).source, given, asked, watch)
        if map_file is not None:
            found.map(map_file, across, upwards, replace)
        if report is not None:
            write_comparison(report, found, replace)
    if as_json:
        print_json(found.to_dict())
    else:
        further = [told(found)] if details else []
        further += [f"The map is in {map_file}."] if map_file is not None else []
        print("\n\n".join([str(found), *further]))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def _check(words: dict[str, Any]) -> None:
    """Refuse what cannot be written, before anything takes long."""
    from incrowd.files.outputs import check_outputs
    from incrowd.risk_map import check_drawable

    files = [words["original"], *words["releases"], *([words["queries"]] if words["queries"] else [])]
    outputs = [(MAP, words["map_file"]), (REPORT, words["report"])]
    if words["map_file"] is not None:
        check_drawable(words["map_file"])
    if words["report"] is not None:
        check_report(words["report"], data_of(files), words["replace"])
    check_outputs([each for each in outputs if each[1] is not None], data_of(files), words["replace"])


def _asked(words: dict[str, Any]) -> ComparisonOptions:
    from incrowd.comparison import ComparisonOptions, chosen

    queries = words["queries"]
    return ComparisonOptions(
        _columns(words),
        words["label"],
        None if queries is None else TableGiven([queries], words["missing"], header=words["header"] or None).source,
        chosen(listed(words["only"]), listed(words["without"])),
        words["seed"],
    )


def _columns(words: dict[str, Any]) -> dict[str, Column]:
    """What the line says about columns."""
    from incrowd.comparison import columns_of
    from incrowd.jobs import names

    found = mentioned(words)
    for name, values in settings(words["scale"], "scale"):
        found.setdefault(name, {})["scale"] = names.listed(values) or [values]
    for name, values in settings(words["ranges"], "ranges"):
        found.setdefault(name, {})["ranges"] = int(values) if values.isdecimal() else values.split("/")
    return columns_of(found)
