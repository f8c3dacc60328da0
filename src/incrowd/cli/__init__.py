"""The command line: one command a file. Nothing heavy is imported before a command runs."""

import sys
from io import TextIOWrapper

from incrowd.errors import IncrowdError, SourceError


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character of some column's name shows its number instead.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(sys.argv[1:] or ["--help"]))


def _run(words: list[str]) -> int:
    from incrowd.cli.app import app

    try:
        return app(words, prog_name="incrowd", standalone_mode=False) or 0
    except IncrowdError as error:
        print(f"incrowd: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        # The system's own refusal is no fault of Incrowd, wherever it comes to light.
        print(f"incrowd: {SourceError.of_system(error)}", file=sys.stderr)
        return SourceError.exit_code
    except Exception as error:
        print(f"incrowd: {_misuse(error) or _internal(error)}", file=sys.stderr)
        return 2 if _misuse(error) else 4


def _misuse(error: Exception) -> str:
    """The command line's own complaint about its words, in one line; nothing where it is another error."""
    # Typer's releases raise this from different modules; all of them have this method.
    if not hasattr(error, "format_message"):
        return ""
    words = " ".join(str(error.format_message()).split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{words}; see {context.command_path if context else 'incrowd'} --help"


def _internal(error: Exception) -> str:
    """An unforeseen error. Its message may quote a record, so only its kind and place are told."""
    return f"internal error, {_place(error)}; please report it"


def _place(error: BaseException) -> str:
    """The kind of an error and the line of Incrowd that raised it or called what did."""
    trace, place = error.__traceback__, "unknown"
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if name.startswith("incrowd"):
            place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} in {place}"
