"""The options that name the input, defined once for all commands."""

from __future__ import annotations

import csv
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from incrowd.cli import options
from incrowd.cli.output import STANDARD, input_file
from incrowd.errors import SourceError, UsageError

if TYPE_CHECKING:
    from incrowd.engines.source import Source
    from incrowd.jobs import Changes, Job

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet, JSON lines, Excel or XML file, or database URL; several are read as one table; - for "
        "standard input.",
        show_default=False,
    ),
]


def _option(help: str, metavar: str | None = None) -> Any:
    return typer.Option(help=help, metavar=metavar, show_default=False)


@dataclass(frozen=True)
class SourceOptions:
    """The options that describe the table to read."""

    files: Files
    missing: Annotated[list[str] | None, _option('Missing-value marker, such as "?"; may be repeated.', "TEXT")] = None
    delimiter: Annotated[str | None, _option("Field delimiter (default: detected).", "TEXT")] = None
    encoding: Annotated[str | None, _option("Encoding of a text file (default: detected).", "NAME")] = None
    header: options.Header = None
    names: options.Names = None
    widths: options.Widths = None
    prepare: options.Prepare = None
    table: Annotated[str | None, _option("Database table, or sheet of a workbook.", "NAME")] = None
    query: Annotated[str | None, _option("Database query whose result is the table.", "SQL")] = None
    normalize: options.Normalize = None
    missing_in: options.MissingIn = None

    @cached_property
    def source(self) -> Source:
        """Return the files as one source, its columns as they are read."""
        from incrowd.jobs.parts import reading_steps

        steps = reading_steps(self.steps["normalize"], self.steps["missing_in"])
        if not steps:
            return self.written
        column_faults = [name for name in steps if name not in self.written.columns]
        if column_faults:
            raise UsageError.unknown_columns(column_faults, self.written.columns)
        return self.written.normalized(steps)

    @property
    def steps(self) -> dict[str, dict[str, list[str]]]:
        """Return how columns are read, as `inspect` and `init` take it."""
        return {
            "normalize": by_column("--normalize", self.normalize, lambda text: text.split("/")),
            "missing_in": by_column("--missing-in", self.missing_in, listed_names),
        }

    @cached_property
    def written(self) -> Source:
        """Return the files as one source, its columns as they are written."""
        from incrowd.api import read

        delimiter = {r"\t": "\t", "tab": "\t"}.get(self.delimiter or "", self.delimiter)
        found = read(
            *map(input_file, self.files),
            missing=tuple(self.missing or ()),
            delimiter=delimiter,
            encoding=self.encoding,
            table=self.table,
            query=self.query,
            header=self.header,
            names=listed_names(self.names),
            widths=listed_widths(self.widths),
            prepare=prepare_text(self.prepare),
        )
        return replace(found, name="standard input") if self.files == [STANDARD] and is_dataclass(found) else found

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the arguments with which another command reads the same source; without a database's password."""
        named = [self.source.name] if any("://" in file for file in self.files) else self.files
        given = [("--missing", text) for text in self.missing or ()]
        for name in ("delimiter", "encoding", "names", "widths", "prepare", "table", "query"):
            value = getattr(self, name)
            given += [(f"--{name}", value)] if value is not None else []
        given += [("--normalize", text) for text in self.normalize or ()]
        given += [("--missing-in", text) for text in self.missing_in or ()]
        header = {None: (), True: ("--header",), False: ("--no-header",)}[self.header]
        return (*named, *(part for option in given for part in option), *header)

    def columns(self, words: Sequence[str] | None) -> list[str] | None:
        """Return the columns that an option names; None if it was not given."""
        return None if words is None else column_list(words, self.source.columns)


def job_at(location: str, changes: Changes | None = None) -> Job:
    """Return the job of a file, or of standard input for `-`, with what the command line changes in it."""
    from incrowd.jobs import Job

    if location != STANDARD:
        return Job.from_file(location, changes)
    try:
        return Job.from_text(sys.stdin.buffer.read().decode("utf-8-sig"), "standard input", changes)
    except UnicodeDecodeError:
        raise SourceError.of("standard input", "it is not in UTF-8", "save the job in that encoding") from None


def listed_names(text: str | None) -> list[str]:
    """Split column names given as `a,b,c`; a name with a comma is in double quotes."""
    return [] if text is None else _split(text)


def by_column(option: str, texts: Sequence[str] | None, read: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return what an option says by column, written as `age=9,99`."""
    from incrowd.jobs import names

    found = {}
    for text in texts or ():
        described = names.split(text)
        if described is None:
            raise UsageError.invalid(f"{option} {text}", "it must be a column and a value", "write it as age=9,99")
        found[described[0]] = read(described[1])
    return found


def listed_widths(text: str | None) -> list[int]:
    """Split column widths given as `4,8,2`."""
    parts = [] if text is None else [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise UsageError.invalid(f"--widths {text}", "these are not whole numbers from 1", "write it as 4,8,2")
    return [int(part) for part in parts]


def prepare_text(text: str | None) -> Any:
    """Return what --prepare says: JSON."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        wrong = "it is not JSON"
        raise UsageError.invalid("--prepare", wrong, 'write it as \'{"recode": {"sex": {"m": "male"}}}\'') from None


def column_list(words: Sequence[str], existing: Sequence[str]) -> list[str]:
    """Split columns given as `a,b,c` or one by one; a name with a comma may be given by itself or in double quotes."""
    names: list[str] = []
    for each in words:
        names += [each] if each in existing else _split(each)
    return [name for name in names if name]


def _split(words: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([words]), [])]
    except csv.Error:
        # Not a valid list; as the name of one column it is refused with a clear message.
        return [words]


def reads_table(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the command's parameter `given` by the options of SourceOptions."""
    hints = get_type_hints(SourceOptions, include_extras=True)
    reading = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, annotation=hints[each.name])
        if each.name == "files"
        else inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hints[each.name])
        for each in fields(SourceOptions)
    ]
    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(command, eval_str=True).parameters.items()
        if name != "given"
    ]

    def run(**words: Any) -> None:
        command(SourceOptions(**{each.name: words.pop(each.name) for each in reading}), **words)

    # Limits and form of the output, which every command has, come last.
    parameters = [reading[0], *own[:-2], *reading[1:], *own[-2:]]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run
