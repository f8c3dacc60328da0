"""All commands, under one name."""

from typing import Annotated

import typer

from incrowd.cli.diagnose import diagnose
from incrowd.cli.inspect import inspect
from incrowd.cli.risk import risk

app = typer.Typer(
    name="incrowd",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def start(version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False) -> None:
    """Who stands out in this table, and through which columns?"""
    if version:
        from importlib.metadata import version as installed

        print(f"incrowd {installed('incrowd')}")
        raise typer.Exit


for command in (inspect, diagnose, risk):
    app.command()(command)
