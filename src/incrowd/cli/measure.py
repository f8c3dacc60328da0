"""incrowd measure"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.columns import (
    Hierarchies,
    Keep,
    Listed,
    Missing,
    Quasi,
    Sensitive,
    listed,
    mentioned,
    option,
    settings,
)
from incrowd.cli.output import input_file, print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions as TableGiven
from incrowd.cli.report_option import MAP, REPORT, check_report, data_of, write_comparison
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.comparison import Column, ComparisonOptions


ORDER = 110


def measure(
    original: Annotated[
        str,
        typer.Argument(
            metavar="ORIGINAL",
            help="Original table: a file or a database URL. Of several tables: a folder with a file for each, or their "
            "job file.",
            show_default=False,
        ),
    ],
    releases: Annotated[
        list[str],
        typer.Argument(metavar="RELEASE...", help="Releases of it, made by any tool; several are compared."),
    ],
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    keep: Keep = None,
    hierarchy: Hierarchies = None,
    scale: Annotated[
        Listed,
        option("All values of a column, lowest first: size=small,medium,large; may be repeated.", "COLUMN=VALUES"),
    ] = None,
    ranges: Annotated[
        Listed,
        option(
            "Sensitive ranges of a column (income=0-9/90-99) or level of its hierarchy (disease=1); may be repeated.",
            "COLUMN=RANGES|LEVEL",
        ),
    ] = None,
    label: Annotated[str | None, option("Column for a classifier to predict.", "COLUMN")] = None,
    pair: Annotated[
        str | None,
        option("Two columns, comma-separated, to cross-tabulate before and after; shows values.", "COLUMN,COLUMN"),
    ] = None,
    queries: Annotated[
        str | None,
        option("Table of queries to answer, one per row; an empty cell sets no condition.", "FILE"),
    ] = None,
    only: Annotated[Listed, option("Only these metrics, comma-separated; may be repeated.", "METRICS")] = None,
    without: Annotated[Listed, option("All metrics but these, comma-separated.", "METRICS")] = None,
    map_file: Annotated[
        str | None,
        option("Draw the releases on a map of risk and utility, as SVG, PNG or HTML.", "FILE", "--map"),
    ] = None,
    across: Annotated[str, typer.Option("--x", metavar="METRIC", help="Horizontal axis of the map.")] = ("loss"),
    upwards: Annotated[
        str, typer.Option("--y", metavar="METRIC", help="Vertical axis of the map; risk is 1 / smallest class.")
    ] = "risk",
    details: Annotated[bool, typer.Option("--details", help="Show the parts of each number, by column.")] = (False),
    missing: Missing = None,
    delimiter: Annotated[str | None, option("Field delimiter of the original (default: detected).", "TEXT")] = None,
    encoding: Annotated[str | None, option("Encoding of the original (default: detected).", "NAME")] = None,
    header: options.Header = None,
    names: options.Names = None,
    widths: options.Widths = None,
    prepare: options.Prepare = None,
    report: options.Report = None,
    replace: options.Replace = False,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Random seed.")] = 0,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Measure the utility and protection of releases against the original table."""
    words = dict(locals())
    from incrowd.api.linked import refuse_jobs
    from incrowd.cli.linked import is_set, measure_linked

    refuse_jobs("measure", *releases)
    if any(map(is_set, releases)):
        others = ("original", "releases", "across", "upwards", "as_json")
        measure_linked(original, releases, {name: words[name] for name in words if name not in others}, as_json)
        return
    refuse_jobs("measure", original)
    from incrowd.comparison import GivenRelease, compare, metadata_of, read_release
    from incrowd.comparison.wording import details as told
    from incrowd.watch import Watch

    _check(words)
    asked = _asked(words)
    before = TableGiven([original], missing, delimiter, encoding, header, names, widths, prepare)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        given = [
            GivenRelease(each, read_release(input_file(each), missing or (), header=header), metadata_of(each))
            for each in releases
        ]
        found = compare(before.source, given, asked, watch)
        if map_file is not None:
            found.map(map_file, across, upwards, replace)
        if report is not None:
            write_comparison(report, found, replace)
    if as_json:
        print_json(found.to_dict())
    else:
        further = [told(found)] if details else []
        further += [f"Map: {map_file}"] if map_file is not None else []
        print("\n\n".join([str(found), *further]))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def _check(words: dict[str, Any]) -> None:
    """Refuse outputs that cannot be written before the run starts."""
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
        _pair(words["pair"]),
    )


def _pair(text: str | None) -> tuple[str, ...]:
    from incrowd.jobs import names

    named = () if text is None else names.listed(text)
    if named is None:
        raise UsageError.invalid("--pair", "a name cannot be parsed", "put it in double quotes")
    return tuple(named)


def _columns(words: dict[str, Any]) -> dict[str, Column]:
    """Return the columns that the line describes."""
    from incrowd.comparison import columns_of
    from incrowd.jobs import names

    found = mentioned(words)
    for name, values in settings(words["scale"], "scale"):
        found.setdefault(name, {})["scale"] = names.listed(values) or [values]
    for name, values in settings(words["ranges"], "ranges"):
        found.setdefault(name, {})["ranges"] = int(values) if values.isdecimal() else values.split("/")
    return columns_of(found)
