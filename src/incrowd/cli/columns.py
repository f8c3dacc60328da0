"""Command-line options that describe the columns of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from incrowd.errors import UsageError

Listed = list[str] | None


def option(help: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    """Return an option that shows no default."""
    found: typer.models.OptionInfo = typer.Option(*names, help=help, metavar=metavar, show_default=False)
    return found


Quasi = Annotated[
    Listed,
    option(
        "Quasi-identifier, with the hierarchy of its labels if they come from one: age=age.csv; may be repeated "
        "(default: from the manifest beside the release).",
        "COLUMN[=HIERARCHY]",
        "--quasi",
        "-q",
    ),
]
Sensitive = Annotated[Listed, option("Sensitive column; may be repeated.", "COLUMN[=HIERARCHY]", "--sensitive", "-s")]
Keep = Annotated[
    Listed,
    option("Kept column to measure beside those of the manifest; may be repeated.", "COLUMN", "--keep"),
]
Hierarchies = Annotated[
    Listed,
    option("Hierarchy of a column that the manifest names; may be repeated.", "COLUMN=HIERARCHY", "--hierarchy"),
]
Missing = Annotated[
    Listed, option('Missing-value marker of all tables, such as "?"; may be repeated.', "TEXT", "--missing")
]


def listed(texts: Listed) -> list[str]:
    """Return members given one by one or separated by commas; one with options must be given by itself."""
    return [name for text in texts or () for name in ([text] if ":" in text else text.split(",")) if name]


def mentioned(words: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the role and hierarchy of each column named by --quasi, --sensitive, --keep or --hierarchy."""
    from incrowd.hierarchies import parse

    found: dict[str, dict[str, Any]] = {}
    for role in ("quasi", "sensitive", "keep"):
        for name, spec in _named(words.get(role) or (), role):
            if "role" in found.setdefault(name, {}):
                raise UsageError.repeated_columns([name])
            found[name] |= {"role": role, "hierarchy": parse(spec)}
    for name, spec in settings(words["hierarchy"], "hierarchy"):
        found.setdefault(name, {})["hierarchy"] = parse(spec)
    return found


def settings(texts: Listed, option: str) -> Iterator[tuple[str, str]]:
    """Yield columns, each with its value."""
    from incrowd.jobs import names

    for text in texts or ():
        said = names.split(text)
        if said is None:
            raise UsageError.invalid(
                f"--{option}", "it must be a column and a value", f"write it as --{option} COLUMN=VALUE"
            )
        yield said


def _named(texts: Sequence[str], option: str) -> Iterator[tuple[str, str]]:
    from incrowd.jobs import names

    for text in texts:
        described, listed = names.split(text), names.listed(text)
        if described is None and listed is None:
            raise UsageError.invalid(f"--{option}", "a name cannot be parsed", "put it in double quotes")
        yield from [described] if described else [(name, "") for name in listed or ()]
