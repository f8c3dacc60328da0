"""The command line: one command a file. Nothing heavy is imported before a command runs."""

import os
import sys
from typing import TYPE_CHECKING

from incrowd.errors import IncrowdError

if TYPE_CHECKING:
    from typer import Typer


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _app()()
    except IncrowdError as error:
        print(f"incrowd: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("incrowd: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of the output has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except Exception as error:
        # The message of an unforeseen error may quote a record, so only its kind and place are shown.
        print(f"incrowd: internal error, {_place(error)}; please report it", file=sys.stderr)
        sys.exit(4)


def _app() -> "Typer":
    import typer

    from incrowd.cli.diagnose import diagnose
    from incrowd.cli.inspect import inspect
    from incrowd.cli.risk import risk

    app = typer.Typer(
        name="incrowd",
        help="Who stands out in this table, and through which columns?",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_version)
    for command in (inspect, diagnose, risk):
        app.command()(command)
    return app


def _version(version: bool = False) -> None:
    if version:
        from importlib.metadata import version as installed

        import typer

        print(f"incrowd {installed('incrowd')}")
        raise typer.Exit


def _place(error: BaseException) -> str:
    """The kind of an error and the line of Incrowd that raised it or called what did."""
    trace, place = error.__traceback__, "unknown"
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if name.startswith("incrowd"):
            place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} in {place}"
