"""incrowd init"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from incrowd.cli.output import STANDARD, print_data
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, listed_names, listed_widths, reads_table
from incrowd.cli.report_option import data_of
from incrowd.errors import Interrupted, UsageError, listed
from incrowd.files.outputs import check_outputs

if TYPE_CHECKING:
    from incrowd.core.schema import Role
    from incrowd.diagnosis.inspection import ColumnReport, Inspection
    from incrowd.jobs import Job

_K = 5
_SUPPRESS = 0.01
_SAME_FORMAT = (".csv", ".tsv", ".parquet")
"""Releases of other files are CSV."""

Answer = TypeVar("Answer")


@reads_table
def init(
    given: SourceOptions,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The job file that is written; - for standard output.")
    ] = "job.yaml",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; take what is suggested.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a job file that is there already.")] = False,
) -> None:
    """Write a first job for a table: what each column is probably for, and how it can be generalised.

    On a terminal every suggestion can be corrected at once, and always in the file.
    """
    from incrowd.api import inspect
    from incrowd.files.whole import PUBLIC, write_text

    printed = output == STANDARD
    path = Path("job.yaml" if printed else output)
    if not printed:
        _refuse(path, given, replace)
    with ProgressLine() as line:
        found = inspect(given.source, progress=line.show)
    if found.stopped == "interrupted":
        raise Interrupted("interrupted; no job was written")
    asking = sys.stdin.isatty() and not yes
    roles = {column.name: _role(column) if asking else column.role for column in found.columns}
    k = _asked(f"k, how many records must be alike [{_K}]: ", lambda text: _whole(text or str(_K))) if asking else _K
    merged = [column.name for column in found.columns if asking and _is_merged(column, roles[column.name])]
    job = _job(given, path, roles, k, merged)
    if printed:
        print_data(_text(job, found, path))
        return
    write_text(path, _text(job, found, path), PUBLIC, replace)
    print("\n\n".join([*_placeholders(found), *_spelled(found, job), _what_next(job, path)]))
    if any(_nameable(file) != file for file in given.files):
        print("\nThe job names the database without password and parameters; add them, or have the driver find them.")


def _refuse(path: Path, given: SourceOptions, replace: bool) -> None:
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError.not_one_of("the ending of the job file", path.suffix, (".yaml", ".yml"))
    check_outputs([("the job", path)], data_of(given.files), replace)


def _role(column: ColumnReport) -> Role:
    """What the person at the terminal says that a column is for."""
    from incrowd.core.schema import Role
    from incrowd.text import printable

    def read(text: str) -> Role | None:
        fitting = [role for role in Role if role.startswith(text.lower())]
        return column.role if not text else fitting[0] if fitting else None

    print(f"\n{printable(column.name)}: {_described(column)}", file=sys.stderr)
    return _asked(f"role ({', '.join(Role)}) [{column.role}]: ", read)


def _is_merged(column: ColumnReport, role: Role) -> bool:
    """Whether the person at the terminal wants all spellings of a value to be one."""
    from incrowd.text import printable

    if not column.spellings or role not in ("quasi", "sensitive"):
        return False
    question = f"{printable(column.name)}: {_spellings(column)}. Merge them (yes, no) [no]: "
    return _asked(question, lambda text: {"": False, "no": False, "yes": True}.get(text.lower()))


def _spellings(column: ColumnReport) -> str:
    of = "1 value is another spelling" if column.spellings == 1 else f"{column.spellings:,} values are other spellings"
    return f"{of} of one (blanks, case, Unicode form, invisible characters)"


def _spelled(found: Inspection, job: Job) -> list[str]:
    """Columns in which spellings of a value count as values."""
    from incrowd.core.schema import Normalize
    from incrowd.text import printable

    return [
        f"{printable(column.name)}: {_spellings(column)}, and would count as values. To merge them, add to the column: "
        f"normalize: [{', '.join(Normalize)}]."
        for column in found.columns
        if column.spellings and (of := job.columns[column.name]).role in ("quasi", "sensitive") and not of.normalize
    ]


def _asked(question: str, read: Callable[[str], Answer | None]) -> Answer:
    """An answer that can be read; asked again until there is one."""
    while True:
        print(question, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise Interrupted("no answer; no job was written")
        answer = read(line.strip())
        if answer is not None:
            return answer


def _whole(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) >= 1 else None


def _job(given: SourceOptions, path: Path, roles: Mapping[str, Role], k: int, merged: Collection[str]) -> Job:
    from incrowd.core.schema import Normalize, Role
    from incrowd.jobs import Job

    quasi = [name for name, role in roles.items() if role == Role.QUASI]
    if not quasi:
        raise UsageError.senseless(
            "no job was written", "no column is quasi", "a job needs at least one column that outsiders may know"
        )
    ladders = _hierarchies(given, quasi)
    return Job.from_dict(
        {
            "data": _data(given, path.parent),
            "output": _release(given.files[0]),
            "columns": {
                name: {"role": role, **ladders.get(name, {}), **({"normalize": [*Normalize]} if name in merged else {})}
                for name, role in roles.items()
            },
            "models": [{"k_anonymity": {"k": k}}],
            "suppress": _SUPPRESS,
        },
        path.parent,
    )


def _hierarchies(given: SourceOptions, quasi: list[str]) -> dict[str, dict[str, Any]]:
    """What can be proposed for the quasi columns."""
    from incrowd.engines.source import count
    from incrowd.hierarchies.automatic import propose
    from incrowd.watch import Watch

    with ProgressLine() as line, Watch(None, line.show) as watch:
        counted = count(given.source, quasi, watch)
    proposed = {name: propose(values) for name, values in zip(counted.names, counted.values, strict=True)}
    return {name: {"hierarchy": spec} for name, spec in proposed.items() if spec is not None}


def _data(given: SourceOptions, folder: Path) -> dict[str, Any]:
    options = {
        "missing": list(given.missing or ()),
        "delimiter": given.delimiter,
        "encoding": given.encoding,
        "names": listed_names(given.names),
        "widths": listed_widths(given.widths),
        "table": given.table,
        "query": given.query,
    }
    said: dict[str, Any] = {key: value for key, value in options.items() if value}
    if given.header is not None:
        said["header"] = given.header
    return {"source": [_seen_from(folder, file) for file in given.files], **said}


def _seen_from(folder: Path, file: str) -> str:
    """A source as a job in the folder names it."""
    if "://" not in file:
        return file if os.path.isabs(file) else os.path.relpath(file, folder)
    scheme, _, rest = file.partition("://")
    if scheme in ("sqlite", "duckdb") and rest.startswith("/") and not rest.startswith("//"):
        return f"{scheme}:///{os.path.relpath(rest[1:], folder)}"
    return _nameable(file)


def _nameable(file: str) -> str:
    """A source without the password and parameters of a URL, which no job file should hold."""
    from incrowd.formats.connections import without_secrets

    return without_secrets(file) if "://" in file else file


def _release(file: str) -> str:
    """What the release of a file is called; it lies beside the job."""
    table = Path(file.partition("?")[0])
    suffix = table.suffix.lower()
    return f"{table.stem or 'table'}-release{suffix if suffix in _SAME_FORMAT else '.csv'}"


def _text(job: Job, found: Inspection, path: Path) -> str:
    notes = {
        "data": f"A first job; correct it by what you know, then run: incrowd anonymize {shlex.quote(path.name)}",
        "columns": "identifier and drop: not published, as columns that are not listed. quasi: known to outsiders, "
        "generalised.\nsensitive: what nobody may learn. keep: published as it is.",
        "models": _about_models(job),
        "suppress": "The share of the records that may be left out, so that the others need less generalisation.",
        **{f"columns.{column.name}": _described(column) for column in found.columns},
    }
    return job.to_yaml(notes)


def _about_models(job: Job) -> str:
    from incrowd.core.schema import Role

    lines = ["What must hold for every group of records that look alike."]
    # A name that needs quotes would need them here too.
    plain = [name for name in job.having(Role.SENSITIVE) if name.isidentifier()]
    lines += [f"Where all of a group share their {name}, it is known; against that: {_diverse(name)}" for name in plain]
    return "\n".join(lines)


def _diverse(column: str) -> str:
    return f"- {{distinct_l: {{l: 2, column: {column}}}}}"


def _described(column: ColumnReport) -> str:
    values = "1 value" if column.distinct == 1 else f"{column.distinct:,} different values"
    return f"{column.type}, {values}; suggested {column.role}: {column.reason}"


def _placeholders(found: Inspection) -> list[str]:
    """What may stand for missing, and would count as a value."""
    return [
        f"{text!r} is in {listed(names)}. If it stands for missing, run this again with --missing {shlex.quote(text)}."
        for text, names in found.placeholders.items()
    ]


def _what_next(job: Job, path: Path) -> str:
    from incrowd.core.schema import Role

    counts = {role: len(job.having(role)) for role in Role}
    columns = ", ".join(f"{number} {role}" for role, number in counts.items() if number)
    assert job.output is not None
    return (
        f"Wrote {path}: {columns}.\n\nLook through it, correct what is wrong, then run:\n\n"
        f"  {shlex.join(['incrowd', 'anonymize', str(path)])}\n"
        f"      finds the best release, writes it to {job.located(job.output.to)} and verifies it"
    )
