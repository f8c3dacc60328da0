"""The command line: one command per file. Nothing heavy is imported before a command runs.

A module declares ORDER, its place in the help, and a function that is named as the module. Another package adds a
command through an entry point in the group `incrowd.cli`.
"""

import gc
import os
import sys
import warnings
from io import TextIOWrapper
from typing import Any

from incrowd.errors import IncrowdError, SourceError, UsageError

_usual_form = warnings.formatwarning

_LIBRARIES = {"OPENBLAS_NUM_THREADS": "1", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""Settings of libraries that spare a command threads for linear algebra, which takes no time here, and a look at
all packages for plugins. Who sets these variables is asked first."""
_SELDOM = (50_000, 20, 20)
"""When to look for garbage: what modules are made of is many objects, and none of it."""


def main() -> None:
    """Run the command line and exit with its code."""
    for variable, value in _LIBRARIES.items():
        os.environ.setdefault(variable, value)
    gc.set_threshold(*_SELDOM)
    warnings.formatwarning = _in_one_line
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character of some column's name shows its number instead.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(sys.argv[1:] or ["--help"]))


def function_of(module: Any) -> Any:
    """Return the function of a command; None if its module has none."""
    return getattr(module, module.__name__.rpartition(".")[2], None)


def faults(module: Any) -> list[str]:
    """Return what a command lacks."""
    return ["it has no function that is named as the module"] * (not callable(function_of(module)))


def _run(words: list[str]) -> int:
    from incrowd.cli.app import asked_for

    try:
        return asked_for(words[0])(words, prog_name="incrowd", standalone_mode=False) or 0
    except IncrowdError as error:
        return _ended(error, words, str(error))
    except OSError as error:
        # The system's own refusal is not a fault of Incrowd, wherever it surfaces.
        refused = SourceError.of_system(error)
        return _ended(refused, words, str(refused))
    except Exception as error:
        misuse = _misuse(error)
        return _ended(UsageError(misuse) if misuse else error, words, misuse or _internal(error))


def _ended(error: Exception, words: list[str], line: str) -> int:
    """Report an error, in one line and with --json as the service does, and return its exit code."""
    code = error.exit_code if isinstance(error, IncrowdError) else IncrowdError.exit_code
    if "--json" in words:
        from incrowd.cli.output import print_json
        from incrowd.service.failures import describe_error

        found = error.to_dict() if hasattr(error, "to_dict") else {}
        print_json({**found, "error": describe_error(error), "exit_code": code})
    print(f"incrowd: {line}", file=sys.stderr)
    return code


def _in_one_line(message: Any, category: type[Warning], *where: Any, **more: Any) -> str:
    """Return a warning as it is printed: one of Incrowd's own without the place in its code."""
    if category.__module__.startswith("incrowd"):
        return f"incrowd: {message}\n"
    return _usual_form(message, category, *where, **more)


def _misuse(error: Exception) -> str:
    """Return Typer's own usage error in one line; empty if it is another error."""
    # Typer's releases raise this from different modules; all of them have this method.
    if not hasattr(error, "format_message"):
        return ""
    words = " ".join(str(error.format_message()).split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{words}; see {context.command_path if context else 'incrowd'} --help"


def _internal(error: Exception) -> str:
    """Describe an unforeseen error by its type and place; its message may quote a record."""
    return f"internal error, {_place(error)}; please report it"


def _place(error: BaseException) -> str:
    """Return the type of an error and the line of Incrowd that raised it or called what did."""
    trace, place = error.__traceback__, "unknown"
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if name.startswith("incrowd"):
            place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} in {place}"
