"""incrowd attack"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from incrowd.cli import options
from incrowd.cli.columns import Hierarchies, Listed, Missing, Quasi, Sensitive, listed, mentioned, option, settings
from incrowd.cli.output import input_file, print_json
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions

ORDER = 100


def attack(
    release: Annotated[
        str,
        typer.Argument(
            metavar="RELEASE",
            help="Release: a file or a database URL. Of several tables, their folder.",
            show_default=False,
        ),
    ],
    outside: Annotated[
        str | None, option("Table of people the attacker looks for: voters.csv.", "FILE", "--with")
    ] = None,
    name: Annotated[
        str | None, option("Column of that table with their names; re-identified people are listed.", "COLUMN")
    ] = None,
    renamed: Annotated[
        Listed,
        option(
            "Name in the release of a column of that table: DOB=birth_date; may be repeated.",
            "OUTSIDE=RELEASE",
            "--map",
        ),
    ] = None,
    person: Annotated[
        Listed,
        option(
            "Columns of that table that together tell the person, comma-separated, if it is the original table: people "
            "are counted.",
            "COLUMNS",
        ),
    ] = None,
    other: Annotated[str | None, option("Another release of the same people, at another time.", "FILE")] = None,
    knows: Annotated[
        Listed,
        option(
            "What the attacker knows: illness!=flu, illness in flu/asthma, or age=34,town=Graz: illness!=flu; may be "
            "repeated. Of several tables, how much of a person in each: record, a number of records, or history.",
            "STATEMENT",
        ),
    ] = None,
    shares: Annotated[
        Listed,
        option(
            "Shares of sensitive values in the population, for skewness: disease=diabetes:0.2,flu:0.05, or a file "
            "with the columns disease and share; may be repeated.",
            "SHARES",
        ),
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchy: Hierarchies = None,
    only: Annotated[
        Listed,
        option(
            "Run only these attacks, comma-separated, or one with options (linkage:k=5); may be repeated.", "ATTACKS"
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show the published cells of the worst class of each attack.")
    ] = False,
    missing: Missing = None,
    header: options.Header = None,
    names: options.Names = None,
    widths: options.Widths = None,
    table: Annotated[str | None, option("Database table.", "NAME")] = None,
    time: options.Time = None,
    as_json: options.Json = False,
) -> None:
    """Simulate attacks on a release and report what they disclose.

    Runs every attack that applies; --with, --other, --knows and --shares add what the attacker has. Exits with 1 if
    anyone is, or may be, exposed.
    """
    words = dict(locals())
    from incrowd.api.linked import refuse_jobs
    from incrowd.cli.linked import attack_linked, is_set

    refuse_jobs("attack", release)
    if is_set(release):
        attack_linked(release, {name: of for name, of in words.items() if name not in ("release", "as_json")}, as_json)
        return
    from incrowd.attacks import attack_release
    from incrowd.watch import Watch

    asked = _asked(words)
    with ProgressLine() as line, Watch(time, line.show) as watch:
        found = attack_release(input_file(release), asked, watch)
    if as_json:
        print_json(found.to_dict())
    else:
        print("\n\n".join([str(found), *([found.worst_classes()] if details else [])]))
    if found.stopped == "interrupted":
        raise typer.Exit(130)
    if found.exposed:
        raise typer.Exit(1)


def _asked(words: dict[str, Any]) -> Any:
    from incrowd.attacks import AttackOptions, Outside, chosen, given_shares
    from incrowd.comparison import columns_of
    from incrowd.errors import UsageError

    missing = tuple(words["missing"] or ())
    if words["outside"] is None and (words["name"] or words["renamed"] or words["person"]):
        raise UsageError.invalid(
            "--name, --map and --person", "they describe an outside table", "name it (--with FILE)"
        )
    how = {name: words[name] for name in ("missing", "header", "names", "widths")}
    outside = None
    if words["outside"] is not None:
        renamed = dict(settings(words["renamed"], "map"))
        given = SourceOptions([words["outside"]], **how)
        who = tuple(given.columns(words["person"]) or ())
        outside = Outside(given.source, words["name"], renamed, who)
    return AttackOptions(
        columns_of(mentioned(words)),
        tuple(chosen(listed(words["only"]))),
        outside,
        words["other"],
        tuple(words["knows"] or ()),
        missing,
        words["table"],
        words["header"],
        given_shares(words["shares"], lambda path: SourceOptions([path], missing=words["missing"]).source),
    )
