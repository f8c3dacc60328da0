"""All commands, under one name."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from incrowd.cli.anonymize import anonymize
from incrowd.cli.apply import apply
from incrowd.cli.attack import attack
from incrowd.cli.diagnose import diagnose
from incrowd.cli.frontier import frontier
from incrowd.cli.hierarchy import hierarchy
from incrowd.cli.init import init
from incrowd.cli.inspect import inspect
from incrowd.cli.measure import measure
from incrowd.cli.report import report
from incrowd.cli.risk import risk
from incrowd.cli.serve import serve
from incrowd.cli.table import table
from incrowd.cli.verify import verify
from incrowd.errors import Interrupted

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


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes an interruption and a reader who left in its stride, before Typer sees them."""

    @wraps(command)
    def run(**words: Any) -> None:
        try:
            command(**words)
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except BrokenPipeError:
            # Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from None

    return run


for command in (
    inspect,
    diagnose,
    risk,
    hierarchy,
    init,
    frontier,
    anonymize,
    verify,
    apply,
    attack,
    measure,
    report,
    table,
    serve,
):
    app.command()(guarded(command))
