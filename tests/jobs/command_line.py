"""A command line with the options of `anonymize`, as the command has them."""

from dataclasses import fields
from inspect import Parameter, Signature
from typing import Annotated, Any, get_type_hints

import typer
from typer.testing import CliRunner

from incrowd.jobs import Options
from incrowd.jobs.command import SHORT


def options_of(words: list[str]) -> Options:
    """What the words say, read by the library that reads all command lines here."""
    read: list[Options] = []
    app = typer.Typer()
    app.command()(_command(read))
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return read[0]


def _command(read: list[Options]) -> Any:
    def anonymize(**given: Any) -> None:
        read.append(Options(**{name: value for name, value in given.items() if value is not None}))

    parameters = [_parameter(name, hint) for name, hint in get_type_hints(Options).items()]
    anonymize.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    anonymize.__annotations__ = {each.name: each.annotation for each in parameters}
    return anonymize


def _parameter(name: str, hint: Any) -> Parameter:
    if name == "files":
        annotation: Any = Annotated[list[str] | None, typer.Argument()]
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=None)
    repeated = "Sequence" in str(hint)
    default = next(field.default for field in fields(Options) if field.name == name)
    flag = f"--{name.replace('_', '-')}"
    # A word that may be unsaid has a form for no.
    either = f"{flag}/--no-{flag[2:]}" if hint == bool | None else flag
    option = typer.Option(either, *([SHORT[name]] if name in SHORT else []))
    kind: Any = list[str] | None if repeated else bool if default is False else hint
    return Parameter(
        name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, option], default=None if repeated else default
    )
