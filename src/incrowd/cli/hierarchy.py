"""incrowd hierarchy"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
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
    import pyarrow as pa

    from incrowd.hierarchies.overview import Overview

_NAMED = 5
"""So many of the values at fault are named when one asks to see them."""


@reads_table
def hierarchy(
    given: SourceOptions,
    column: Annotated[str, typer.Option(metavar="COLUMN", help="The column to generalise.", show_default=False)],
    spec: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="HIERARCHY",
            help="How: 'intervals:widths=5/10/20', 'mask', 'dates:levels=month/year', or a file such as age.csv, which "
            "is checked against the data; proposed from the values when not given.",
            show_default=False,
        ),
    ] = None,
    losses: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="The information loss of each level, from the values to the top, such as 0,0.2,0.5,1.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Save it as a level table; - for standard output.",
            show_default=False,
        ),
    ] = None,
    replace: options.Replace = False,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show values of the data too, also those that do not fit.")
    ] = False,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """How can the values of a column be made coarser, step by step?

    Builds the hierarchy of a column, shows its levels and saves it.
    """
    from incrowd.engines.source import chosen_columns, count
    from incrowd.files.outputs import check_outputs
    from incrowd.hierarchies import build, files_of, parse
    from incrowd.hierarchies.levels import save
    from incrowd.hierarchies.overview import overview
    from incrowd.watch import Watch

    (name,) = chosen_columns([column], given.source.columns, "--column")
    if output is not None:
        named = files_of({name: parse(spec or "")})
        check_outputs([("the hierarchy", output)], [*data_of(given.files), *named], replace)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        frequencies = count(given.source, [name], watch)
        builder, chosen = _described(spec, frequencies.values[0], name)
        per_level = chosen.pop("losses", None) if losses is None else _numbers(losses)
        try:
            built = build(
                {builder: {**chosen, "losses": per_level}}, frequencies.values[0], name, missing=given.missing or ()
            )
            facts = overview(built, frequencies, show_values)
        except HierarchyError as error:
            raise _naming(error) if show_values and error.offending else error from None
    if output is not None:
        save(built, output, replace)
        builder, chosen = "levels", {"path": str(output)}
    words = _spelled(builder, chosen)
    if as_json:
        print_json({**facts.to_dict(), "hierarchy": words, "saved": None if output is None else str(output)})
    else:
        print(_text(facts, show_values))
        print()
        print(_next(given, facts, words, None if per_level is None else built.losses, is_table=builder == "levels"))


def _described(spec: str | None, values: pa.Array, name: str) -> tuple[str, dict[str, Any]]:
    """The builder and the options that are asked for; what is proposed takes the place of the automatic one."""
    from incrowd.hierarchies import automatic, parse, settled

    builder, chosen = settled(parse(spec or ""), name)
    proposed = automatic.propose(values) if builder == "automatic" else None
    if proposed is not None:
        ((builder, by_itself),) = proposed.items()
        chosen = {**by_itself, **chosen}
    return builder, chosen


def _numbers(words: str) -> list[float]:
    try:
        return [float(word) for word in words.split(",")]
    except ValueError:
        raise UsageError.senseless("--losses", "not all of them are numbers", "write them as 0,0.2,0.5,1") from None


def _naming(error: HierarchyError) -> UsageError:
    """The error with the first few values at fault, for a user who asked to see them."""
    from incrowd.errors import listed
    from incrowd.text import printable

    return UsageError(f"{error}; the values are {listed(map(printable, error.offending), _NAMED)}")


def _spelled(builder: str, chosen: dict[str, Any]) -> str:
    """How another command names this hierarchy, as short as can be."""
    from incrowd.hierarchies import BY_SUFFIX, spell

    if not chosen:
        return "" if builder == "automatic" else builder
    path = str(chosen.get("path", ""))
    alone = chosen.keys() == {"path"} and BY_SUFFIX.get(Path(path).suffix.lower()) == builder
    return spell(path if alone else {builder: chosen})


def _text(facts: Overview, show_values: bool) -> str:
    from incrowd import text

    def examples(level: int, labels: tuple[str, ...]) -> str:
        if level == 0 and not show_values:
            return "(values of the data: --show-values)"
        return ", ".join(labels)

    rows = [
        (at.level, at.labels, at.covers, at.loss, at.smallest_class, examples(at.level, at.examples))
        for at in facts.levels
    ]
    headers = ("level", "labels", "values per label, at most", "loss", "smallest class", "for example")
    missing = "no cell is missing"
    if facts.missing:
        listed = facts.labelled < len(facts.levels) - 1
        stay = (
            f"; such cells have a label from level {facts.labelled} on"
            if listed
            else "; such cells stay missing until the top"
        )
        missing = f"{text.count(facts.missing, 'cell')} {'is' if facts.missing == 1 else 'are'} missing{stay}"
    return (
        f"{text.printable(facts.column)}: {text.count(facts.records, 'record')} with "
        f"{text.count(facts.values, 'different value')}; {missing}.\n"
        f"The hierarchy has {text.count(facts.domain, 'base value')} and "
        f"{text.count(len(facts.levels) - 1, 'level')} above them.\n\n{text.table(headers, rows)}"
    )


def _next(given: SourceOptions, facts: Overview, words: str, losses: Sequence[float] | None, is_table: bool) -> str:
    from incrowd.commands import steps
    from incrowd.jobs.names import quoted

    column, numbers = quoted(facts.column), [repr(loss).removesuffix(".0") for loss in losses or ()]
    described = ["--column", facts.column, *(["--as", words] if words else [])]
    kept = ["--losses", ",".join(numbers)] if numbers else []
    here = ["incrowd", "hierarchy", *given.arguments, *described, *kept, "-o", "hierarchy.csv"]
    quasi = ["-q", f"{column}={words}" if words else column]
    lost = ["--losses", f"{column}={'/'.join(numbers)}"] if numbers else []
    publish = ["incrowd", "anonymize", *given.arguments, *quasi, *lost, "-m", "k_anonymity:k=5", "-o", "release.csv"]
    save = (shlex.join(here), "saves it as a table of levels that you can edit")
    return steps(
        [*([] if is_table else [save]), (shlex.join(publish), "publishes the table with this column generalised")]
    )
