"""incrowd hierarchy"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.output import print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, reads_table
from incrowd.cli.report_option import data_of
from incrowd.errors import HierarchyError, UsageError

if TYPE_CHECKING:
    from incrowd.hierarchies.column import ColumnHierarchy

ORDER = 40

_NAMED = 5
"""Number of values at fault that are shown on request."""


@reads_table
def hierarchy(
    given: SourceOptions,
    column: Annotated[str, typer.Option(metavar="COLUMN", help="Column to generalize.", show_default=False)],
    spec: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="HIERARCHY",
            help="Hierarchy: 'intervals:widths=5/10/20', 'mask', 'dates:levels=month/year', or a file such as age.csv, "
            "which is checked against the data (default: proposed from the values).",
            show_default=False,
        ),
    ] = None,
    losses: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Information loss of each level, from the values to the top: 0,0.2,0.5,1.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to save the hierarchy: a level table (.csv), or a tree (.yaml); - for standard output.",
            show_default=False,
        ),
    ] = None,
    replace: options.Replace = False,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show values of the data, including those that do not fit.")
    ] = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Build the hierarchy of a column, show its levels and save it."""
    from incrowd.api import hierarchy as build_hierarchy
    from incrowd.files.outputs import check_outputs
    from incrowd.hierarchies import by_suffix, files_of, parse

    described = parse(spec or "")
    if output is not None:
        named = files_of({column: described})
        check_outputs([("the hierarchy", output)], [*data_of(given.files), *named], replace)
    per_level = None if losses is None else _numbers(losses)
    with ProgressLine() as line:
        try:
            found = build_hierarchy(
                given.source,
                column,
                described,
                per_level,
                show_values,
                missing=given.missing or (),
                time=time,
                progress=line.show,
            )
        except HierarchyError as error:
            raise _naming(error) if show_values and error.offending else error from None
    builder, chosen = found.builder, found.options
    if output is not None:
        found.save(output, replace)
        builder, chosen = by_suffix().get(output.suffix.lower(), "levels"), {"path": str(output)}
    words = _spelled(builder, chosen)
    if as_json:
        saved = None if output is None else str(output)
        print_json({**found.overview.to_dict(), "hierarchy": words, "reason": found.reason, "saved": saved})
    else:
        print(found)
        print()
        print(_next(given, found, words, is_saved="path" in chosen))


def _numbers(words: str) -> list[float]:
    try:
        return [float(word) for word in words.split(",")]
    except ValueError:
        raise UsageError.invalid("--losses", "not all of them are numbers", "write them as 0,0.2,0.5,1") from None


def _naming(error: HierarchyError) -> UsageError:
    """Return the error with the first few values at fault, if the user asked to see them."""
    from incrowd.errors import listed
    from incrowd.text import printable

    return UsageError(f"{error}; the values are {listed(map(printable, error.offending), _NAMED)}")


def _spelled(builder: str, chosen: dict[str, Any]) -> str:
    """Return the shortest text that names this hierarchy in another command."""
    from incrowd.hierarchies import by_suffix, spell

    if not chosen:
        return "" if builder == "automatic" else builder
    path = str(chosen.get("path", ""))
    alone = chosen.keys() == {"path"} and by_suffix().get(Path(path).suffix.lower()) == builder
    return spell(path if alone else {builder: chosen})


def _next(given: SourceOptions, found: ColumnHierarchy, words: str, is_saved: bool) -> str:
    from incrowd.commands import steps
    from incrowd.jobs.names import quoted

    name = found.overview.column
    losses = found.hierarchy.losses if found.has_own_losses else ()
    column, numbers = quoted(name), [repr(loss).removesuffix(".0") for loss in losses]
    # A tree is too long for a command: it is saved first, and its file is named.
    is_tree = found.builder == "tree" and not is_saved
    file = "hierarchy.yaml" if is_tree else "hierarchy.csv"
    words, described = (file, []) if is_tree else (words, ["--as", words] if words else [])
    kept = ["--losses", ",".join(numbers)] if numbers else []
    here = ["incrowd", "hierarchy", *given.arguments, "--column", name, *described, *kept, "-o", file]
    quasi = ["-q", f"{column}={words}" if words else column]
    lost = ["--losses", f"{column}={'/'.join(numbers)}"] if numbers else []
    publish = ["incrowd", "anonymize", *given.arguments, *quasi, *lost, "-m", "k_anonymity:k=5", "-o", "release.csv"]
    what = (
        "saves the groups as a tree that you can edit" if is_tree else "saves the levels as a table that you can edit"
    )
    save = (shlex.join(here), what)
    return steps([*([] if is_saved else [save]), (shlex.join(publish), "publishes the table with this hierarchy")])
