"""All commands, under one name."""

import inspect as signatures
import os
import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import Annotated, Any

import typer

from incrowd.cli import function_of
from incrowd.cli.output import streams
from incrowd.errors import Interrupted
from incrowd.families import Family
from incrowd.threads import limited_threads

COMMANDS = Family("cli", "ORDER", "command")


def start(
    version: Annotated[bool, typer.Option("--version", "-V", help="Show the version and exit.")] = False,
) -> None:
    """Measure re-identification risk and publish anonymized data."""
    if version:
        from incrowd import __version__

        print(f"incrowd {__version__}")
        raise typer.Exit


Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors, and data or JSON if asked for.")]

Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="NUMBER",
        min=1,
        help="How many threads read, search and write at a time; results are the same (default: one per processor).",
        show_default=False,
    ),
]


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --quiet and --threads, and handle Ctrl-C and broken pipes before Typer does."""
    own = signatures.signature(command, eval_str=True).parameters.values()
    keyword = signatures.Parameter.KEYWORD_ONLY
    quietly = signatures.Parameter("quiet", keyword, default=False, annotation=Quiet)
    threaded = signatures.Parameter("threads", keyword, default=None, annotation=Threads)

    @wraps(command)
    def run(quiet: bool, threads: int | None, **words: Any) -> None:
        try:
            with streams(command.__name__, words, quiet), limited_threads(threads):
                command(**words)
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except BrokenPipeError:
            # Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from None

    parameters = [*(each.replace(kind=keyword) for each in own), threaded, quietly]
    run.__signature__ = signatures.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def commands() -> dict[str, Callable[..., None]]:
    """Return every command, the function that is named as its module, by the ORDER that the module declares."""
    modules = sorted(COMMANDS.modules().items(), key=lambda named: (named[1].ORDER, named[0]))
    return {name: function_of(module) for name, module in modules}


def _refusing(name: str) -> Callable[[], None]:
    """Return a command in place of an incomplete one of another package; it says why it is refused."""

    def refuse() -> None:
        COMMANDS.module(name)

    return refuse


def make_app(only: Callable[..., None] | None = None) -> typer.Typer:
    """Return the command line with every command, or with one of our own alone."""
    app = typer.Typer(
        name="incrowd",
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(start)
    if only is not None:
        app.command(only.__name__)(guarded(only))
        return app
    for name, command in commands().items():
        app.command(name)(guarded(command))
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    for name in COMMANDS.refused():
        app.command(name, hidden=True, context_settings=anything)(_refusing(name))
    return app


@cache
def asked_for(word: str) -> Any:
    """Return the command line that runs the command of that name; with all commands if it is not one of our own.

    To make all of them takes longer than many a command.
    """
    module = COMMANDS.own(word)
    return typer.main.get_command(make_app() if module is None else make_app(function_of(module)))


def __getattr__(name: str) -> Any:
    """Return the whole command line when it is first asked for."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()["app"] = make_app()
    return globals()["app"]
