"""incrowd measure"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reporting import check_report, write_comparison
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.measuring import Asked, Column

Listed = list[str] | None


def _option(help: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(*names, help=help, metavar=metavar, show_default=False)
    return found


def measure(
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help="The table before: a file or a database URL.", show_default=False)
    ],
    releases: Annotated[
        list[str],
        typer.Argument(metavar="RELEASE...", help="Releases of it, by whatever tool; several are compared."),
    ],
    quasi: Annotated[
        Listed,
        _option(
            "A column that outsiders know, with the hierarchy of its labels where they come from one: age=age.csv; may "
            "be repeated. As the manifest beside a release says, when not given.",
            "COLUMN[=HIERARCHY]",
            "--quasi",
            "-q",
        ),
    ] = None,
    sensitive: Annotated[
        Listed, _option("A column that nobody may learn; may be repeated.", "COLUMN[=HIERARCHY]", "--sensitive", "-s")
    ] = None,
    hierarchy: Annotated[
        Listed, _option("The hierarchy of a column that a manifest names; may be repeated.", "COLUMN=HIERARCHY")
    ] = None,
    scale: Annotated[
        Listed,
        _option("All values of a column, lowest first: size=small,medium,large; may be repeated.", "COLUMN=VALUES"),
    ] = None,
    ranges: Annotated[
        Listed,
        _option(
            "What nobody may be found to be among, as ranges (income=0-9/90-99) or as a level of the column's "
            "hierarchy (disease=1); may be repeated.",
            "COLUMN=RANGES|LEVEL",
        ),
    ] = None,
    label: Annotated[str | None, _option("The column that a classifier is to predict.", "COLUMN")] = None,
    queries: Annotated[
        str | None,
        _option("Queries that are to be answered: a table with a row for each; an empty cell asks nothing.", "FILE"),
    ] = None,
    only: Annotated[Listed, _option("These yardsticks alone, comma-separated; may be repeated.", "YARDSTICKS")] = None,
    without: Annotated[Listed, _option("All yardsticks but these, comma-separated.", "YARDSTICKS")] = None,
    map_file: Annotated[
        str | None,
        _option("Draw the releases on a map of risk and utility, as SVG, PNG or HTML.", "FILE", "--map"),
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
    missing: Annotated[
        Listed, _option('A text that stands for missing in all tables, such as "?"; may be repeated.', "TEXT")
    ] = None,
    report: options.Report = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="What chance starts from.")] = 0,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """What are these releases worth, and how well do they protect?"""
    from incrowd.measuring import Given, beside, compare, read_release
    from incrowd.measuring.wording import details as told
    from incrowd.watch import Watch

    words = dict(locals())
    if report is not None:
        check_report(report)
    asked = _asked(words)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        given = [Given(each, read_release(each, missing or ()), beside(each)) for each in releases]
        found = compare(_read(original, missing), given, asked, watch)
        if map_file is not None:
            found.map(map_file, across, upwards)
        if report is not None:
            write_comparison(report, found)
    if as_json:
        print_json(found.to_dict())
    else:
        further = [told(found)] if details else []
        further += [f"The map is in {map_file}."] if map_file is not None else []
        print("\n\n".join([str(found), *further]))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def _read(location: str, missing: Listed) -> Any:
    from incrowd.api import read

    return read(location, missing=tuple(missing or ()))


def _asked(words: dict[str, Any]) -> Asked:
    from incrowd.measuring import Asked, chosen

    queries = words["queries"]
    return Asked(
        _columns(words),
        words["label"],
        None if queries is None else _read(queries, words["missing"]),
        chosen(_listed(words["only"]), _listed(words["without"])),
        words["seed"],
    )


def _listed(texts: Listed) -> list[str]:
    """Yardsticks named one by one or between commas; one with options is a text of its own."""
    return [name for text in texts or () for name in ([text] if ":" in text else text.split(",")) if name]


def _columns(words: dict[str, Any]) -> dict[str, Column]:
    """What the line says about columns."""
    from incrowd.hierarchies import parse
    from incrowd.jobs import names
    from incrowd.measuring import columns_of

    found: dict[str, dict[str, Any]] = {}
    for role in ("quasi", "sensitive"):
        for name, spec in _mentioned(words[role] or (), role):
            if "role" in found.setdefault(name, {}):
                raise UsageError.repeated_columns([name])
            found[name] |= {"role": role, "hierarchy": parse(spec)}
    for name, spec in _settings(words["hierarchy"], "hierarchy"):
        found.setdefault(name, {})["hierarchy"] = parse(spec)
    for name, values in _settings(words["scale"], "scale"):
        found.setdefault(name, {})["scale"] = names.listed(values) or [values]
    for name, values in _settings(words["ranges"], "ranges"):
        found.setdefault(name, {})["ranges"] = int(values) if values.isdecimal() else values.split("/")
    return columns_of(found)


def _mentioned(texts: Sequence[str], option: str) -> Iterator[tuple[str, str]]:
    from incrowd.jobs import names

    for text in texts:
        described, listed = names.split(text), names.listed(text)
        if described is None and listed is None:
            raise UsageError.senseless(f"--{option}", "a name cannot be read", "put it in double quotes")
        yield from [described] if described else [(name, "") for name in listed or ()]


def _settings(texts: Listed, option: str) -> Iterator[tuple[str, str]]:
    from incrowd.jobs import names

    for text in texts or ():
        said = names.split(text)
        if said is None:
            raise UsageError.senseless(
                f"--{option}", "it must be a column and a value", f"write it as --{option} COLUMN=VALUE"
            )
        yield said
