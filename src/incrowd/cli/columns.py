"""What a command line says about the columns of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from incrowd.errors import UsageError

Listed = list[str] | None


def option(help: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    """An option that has no default to show."""
    found: typer.models.OptionInfo = typer.Option(*names, help=help, metavar=metavar, show_default=False)
    return found


Quasi = Annotated[
    Listed,
    option(
        "A column that outsiders know, with the hierarchy of its labels where they come from one: age=age.csv; may "
        "be repeated. As the manifest beside a release says, when not given.",
        "COLUMN[=HIERARCHY]",
        "--quasi",
        "-q",
    ),
]
Sensitive = Annotated[
    Listed, option("A column that nobody may learn; may be repeated.", "COLUMN[=HIERARCHY]", "--sensitive", "-s")
]
Hierarchies = Annotated[
    Listed,
    option("The hierarchy of a column that a manifest names; may be repeated.", "COLUMN=HIERARCHY", "--hierarchy"),
]
Missing = Annotated[
    Listed, option('A text that stands for missing in all tables, such as "?"; may be repeated.', "TEXT", "--missing")
]


def listed(texts: Listed) -> list[str]:
    """Members named one by one or between commas; one with options is a text of its own."""
    return [name for text in texts or () for name in ([text] if ":" in text else text.split(",")) if name]


def mentioned(words: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By column its role and its hierarchy, from --quasi, --sensitive and --hierarchy."""
    from incrowd.hierarchies import parse

    found: dict[str, dict[str, Any]] = {}
    for role in ("quasi", "sensitive"):
        for name, spec in _named(words[role] or (), role):
            if "role" in found.setdefault(name, {}):
                raise UsageError.repeated_columns([name])
            found[name] |= {"role": role, "hierarchy": parse(spec)}
    for name, spec in settings(words["hierarchy"], "hierarchy"):
        found.setdefault(name, {})["hierarchy"] = parse(spec)
    return found


def settings(texts: Listed, option: str) -> Iterator[tuple[str, str]]:
    """Columns with a value each."""
    from incrowd.jobs import names

    for text in texts or ():
        said = names.split(text)
        if said is None:
            raise UsageError.senseless(
                f"--{option}", "it must be a column and a value", f"write it as --{option} COLUMN=VALUE"
            )
        yield said


def _named(texts: Sequence[str], option: str) -> Iterator[tuple[str, str]]:
    from incrowd.jobs import names

    for text in texts:
        described, listed = names.split(text), names.listed(text)
        if described is None and listed is None:
            raise UsageError.senseless(f"--{option}", "a name cannot be read", "put it in double quotes")
        yield from [described] if described else [(name, "") for name in listed or ()]
