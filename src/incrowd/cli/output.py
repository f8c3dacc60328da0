"""Standard output, and `-` in place of a file.

Requested data and JSON always go there; text does not with --quiet, nor if data goes there.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from warnings import catch_warnings, simplefilter

from incrowd.errors import UsageError

STANDARD = "-"
"""Standard input or output, in place of a file."""

_NAMES = {"report": "report.md"}
"""Output names of the commands that do not write a table."""


class _State:
    """The state of the running command; a terminal has one at a time."""

    quiet = False
    answers: TextIO | None = None
    """Standard output, while text does not go there."""
    folder: "TemporaryDirectory[str] | None" = None
    """The private folder with a copy of standard input."""


def print_json(plain: dict[str, Any]) -> None:
    """Print one JSON document, readable if the output can hold every character and escaped if it cannot."""
    from incrowd import __version__

    out = _State.answers or sys.stdout
    readable = "utf" in (out.encoding or "").lower()
    print(json.dumps({"version": __version__, **plain}, ensure_ascii=not readable), file=out)


def print_data(text: str) -> None:
    """Print the data that a command makes, even with --quiet."""
    print(text, end="", file=_State.answers or sys.stdout)


def is_quiet() -> bool:
    """Return whether only errors and requested data may be shown."""
    return _State.quiet


@contextmanager
def streams(command: str, words: dict[str, Any], quiet: bool) -> Iterator[None]:
    """Run a command with standard output as its options say, and delete the copy of standard input afterwards."""
    # A job begins at the folder that it is written to, so init prints it itself.
    prints_data = str(words.get("output")) == STANDARD and not words.get("show") and command != "init"
    try:
        _State.quiet = quiet
        if prints_data:
            with _data_on_output(command, words, quiet):
                yield
        elif quiet:
            with _without_text():
                yield
        else:
            yield
    finally:
        _State.quiet = False
        if _State.folder is not None:
            _State.folder.cleanup()
            _State.folder = None


def input_file(location: str) -> str:
    """Return the path of a file to read: a copy of standard input for `-`, because tables are read more than once."""
    if location != STANDARD:
        return location
    if _State.folder is None:
        _State.folder = TemporaryDirectory(prefix="incrowd-")
        with (Path(_State.folder.name) / "standard-input").open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
    return str(Path(_State.folder.name) / "standard-input")


@contextmanager
def _without_text() -> Iterator[TextIO]:
    """Keep text off standard output, and with --quiet warnings off standard error; yield standard output."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, catch_warnings():
        if _State.quiet:
            simplefilter("ignore")
        _State.answers = sys.stdout
        try:
            with redirect_stdout(nowhere):
                yield _State.answers
        finally:
            _State.answers = None


@contextmanager
def _data_on_output(command: str, words: dict[str, Any], quiet: bool) -> Iterator[None]:
    """Let a command write into a private folder, and print its output once it is complete."""
    if words.get("as_json"):
        raise UsageError.invalid("--json and -o -", "both would go to standard output", "name a file (-o FILE)")
    with TemporaryDirectory(prefix="incrowd-") as folder:
        path = Path(folder) / _NAMES.get(command, "release.csv")
        words["output"] = type(words["output"])(path)
        try:
            with _without_text():
                yield
        finally:
            if path.exists():
                with path.open("rb") as file:
                    sys.stdout.flush()
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()
                if command in ("anonymize", "apply") and not quiet:
                    record = "" if command == "apply" else ", and no private record unless --record names a file"
                    print(f"incrowd: verified before printing; with -o - no manifest is kept{record}", file=sys.stderr)
