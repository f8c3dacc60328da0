"""incrowd init"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from incrowd.cli import options
from incrowd.cli.output import STANDARD, print_data
from incrowd.cli.progress import ProgressLine
from incrowd.cli.reading import SourceOptions, listed_names, listed_widths, prepare_text, reads_table
from incrowd.cli.report_option import data_of
from incrowd.errors import Interrupted, UsageError
from incrowd.files.outputs import check_outputs

if TYPE_CHECKING:
    from incrowd.core.schema import Role
    from incrowd.diagnosis.inspection import ColumnReport, Inspection
    from incrowd.jobs import Job

ORDER = 50

Answer = TypeVar("Answer")


@reads_table
def init(
    given: SourceOptions,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Job file to write; - for standard output.")
    ] = "job.yaml",
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            "-k",
            metavar="NUMBER",
            help="The k of k-anonymity (default: 5, or as in the profile).",
            show_default=False,
        ),
    ] = None,
    suppress: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            help="Suppression limit: a share (0.02, 2%) or a number of records (1) (default: 1%, or the profile's).",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who gets the release: internal, research (under a contract) or public. Sets k, the suppression limit "
            "and the models of sensitive columns, with reasons.",
            show_default=False,
        ),
    ] = None,
    time: options.Time = None,
    yes: Annotated[bool, typer.Option("--yes", help="Accept all suggestions without asking.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an existing job file.")] = False,
) -> None:
    """Write a first job for a table, with suggested roles and hierarchies.

    On a terminal you can correct each suggestion at once; you can always edit the file.
    """
    from incrowd.anonymization.first_job import first_job
    from incrowd.api import inspect
    from incrowd.diagnosis.inspection import inspect as inspect_source
    from incrowd.jobs.parts import steps_of
    from incrowd.noticing import likely_settings, together
    from incrowd.profiles import profile as profile_of
    from incrowd.watch import Watch

    usual = profile_of(profile).k
    printed = output == STANDARD
    path = Path("job.yaml" if printed else output)
    if not printed:
        _refuse(path, given, replace)
    steps = given.steps
    with ProgressLine() as line:
        found = inspect(
            given.written,
            time=time,
            progress=line.show,
            normalize=steps["normalize"],
            missing_in=steps["missing_in"],
        )
    if found.stopped == "interrupted":
        raise Interrupted("interrupted; no job was written")
    asking = sys.stdin.isatty() and not yes
    readings = together(_confirmed(found) if asking else likely_settings(found.noticed), **steps)
    if readings:
        with ProgressLine() as line, Watch(time, line.show) as watch:
            found = inspect_source(given.written, watch, readings=steps_of(readings))
    asked = {column.name: _role(column) for column in found.unsure_first} if asking else {}
    roles = {column.name: asked.get(column.name, column.role) for column in found.columns}
    if k is None and asking:
        k = _asked(f"k, the smallest class size [{usual}]: ", lambda text: _whole(text or str(usual)))
    merged = [column.name for column in found.columns if asking and _is_merged(column, roles[column.name])]
    places = {"data": _data(given, path.parent), "output": _release(given.files[0])}
    with ProgressLine() as line, Watch(None, line.show) as watch:
        made = first_job(
            given.written, found, watch, roles, k, suppress, merged, places, path.parent, readings, profile
        )
    if printed:
        print_data(made.to_yaml(path.name))
        return
    made.write(path, replace)
    people = [] if found.people is None else [found.people.sentence()]
    models = ["\n".join(made.further.words)] if made.further.words else []
    print("\n\n".join([*people, *_noticed(found), *_spelled(found, made.job), *models, _what_next(made.job, path)]))
    if any(_nameable(file) != file for file in given.files):
        print("\nThe job names the database without password and parameters; add them, or let the driver find them.")


def _refuse(path: Path, given: SourceOptions, replace: bool) -> None:
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError.not_one_of("the extension of the job file", path.suffix, (".yaml", ".yml"))
    check_outputs([("the job", path)], data_of(given.files), replace)


def _role(column: ColumnReport) -> Role:
    """Ask for the role of a column."""
    from incrowd.anonymization.first_job import describe
    from incrowd.core.schema import Role
    from incrowd.text import printable

    def read(text: str) -> Role | None:
        fitting = [role for role in Role if role.startswith(text.lower())]
        return column.role if not text else fitting[0] if fitting else None

    print(f"\n{printable(column.name)}: {describe(column)}", file=sys.stderr)
    return _asked(f"role ({', '.join(Role)}) [{column.role}]: ", read)


def _confirmed(found: Inspection) -> dict[str, dict[str, list[str]]]:
    """Ask how columns are read of which something was noticed; return the settings of a job."""
    from incrowd.text import printable

    settings: dict[str, dict[str, list[str]]] = {}
    for notice in found.noticed:
        ways = [way for way in notice.choices if not _merges(way[1])]
        if not ways:
            continue
        print(f"\n{printable(notice.column)}: {printable(notice.what)}; {notice.assumed}.", file=sys.stderr)
        for at, (label, _) in enumerate(ways, 1):
            print(f"  {at}: {label}", file=sys.stderr)
        usual = 1 if notice.likely else 0
        answer = _asked(f"number, or 0 to leave it [{usual}]: ", _choice(len(ways), usual))
        for key, values in ways[answer - 1][1].items() if answer else ():
            settings.setdefault(notice.column, {}).setdefault(key, []).extend(values)
    return settings


def _merges(settings: Mapping[str, Sequence[str]]) -> bool:
    """Return whether settings merge spellings, which is asked when the role is known."""
    from incrowd.core.schema import Normalize

    return set(settings.get("normalize", ())) == {*Normalize}


def _choice(ways: int, usual: int) -> Callable[[str], int | None]:
    allowed = {str(at): at for at in range(ways + 1)}
    return lambda text: allowed.get(text or str(usual))


def _is_merged(column: ColumnReport, role: Role) -> bool:
    """Ask whether to merge all spellings of a value."""
    from incrowd.text import printable

    if not column.spellings or role not in ("quasi", "sensitive"):
        return False
    question = f"{printable(column.name)}: {_spellings(column)}. Merge them (yes, no) [no]: "
    return _asked(question, lambda text: {"": False, "no": False, "yes": True}.get(text.lower()))


def _spellings(column: ColumnReport) -> str:
    of = "1 value is another spelling" if column.spellings == 1 else f"{column.spellings:,} values are other spellings"
    return f"{of} of one (blanks, case, Unicode form, invisible characters)"


def _spelled(found: Inspection, job: Job) -> list[str]:
    """Return a note for each column in which spellings of a value count as different values."""
    from incrowd.core.schema import Normalize
    from incrowd.text import printable

    return [
        f"{printable(column.name)}: {_spellings(column)}, and would count as different values. To merge them, add to "
        f"the column: normalize: [{', '.join(Normalize)}]."
        for column in found.columns
        if column.spellings and (of := job.columns[column.name]).role in ("quasi", "sensitive") and not of.normalize
    ]


def _asked(question: str, read: Callable[[str], Answer | None]) -> Answer:
    """Ask until the answer is valid; return it."""
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


def _data(given: SourceOptions, folder: Path) -> dict[str, Any]:
    options = {
        "missing": list(given.missing or ()),
        "delimiter": given.delimiter,
        "encoding": given.encoding,
        "names": listed_names(given.names),
        "widths": listed_widths(given.widths),
        "prepare": prepare_text(given.prepare),
        "table": given.table,
        "query": given.query,
    }
    said: dict[str, Any] = {key: value for key, value in options.items() if value}
    if given.header is not None:
        said["header"] = given.header
    return {"source": [_seen_from(folder, file) for file in given.files], **said}


def _seen_from(folder: Path, file: str) -> str:
    """Return a source as a job in the folder names it."""
    if "://" not in file:
        return file if os.path.isabs(file) else os.path.relpath(file, folder)
    scheme, _, rest = file.partition("://")
    if scheme in ("sqlite", "duckdb") and rest.startswith("/") and not rest.startswith("//"):
        return f"{scheme}:///{os.path.relpath(rest[1:], folder)}"
    return _nameable(file)


def _nameable(file: str) -> str:
    """Return a source without the password and parameters of its URL, which do not belong in a job file."""
    from incrowd.formats.connections import without_secrets

    return without_secrets(file) if "://" in file else file


def _release(file: str) -> str:
    """Return the name of the release of a file; it is written beside the job."""
    table = Path(file.partition("?")[0])
    suffix = table.suffix.lower()
    return f"{table.stem or 'table'}-release{suffix if _keeps_suffix(suffix) else '.csv'}"


def _keeps_suffix(suffix: str) -> bool:
    """Return whether the release of a file has its format; others are CSV."""
    from incrowd.families import FORMATS
    from incrowd.formats import outputs
    from incrowd.formats.writing import written_format

    format = written_format(suffix) if suffix in outputs() else None
    return format is not None and getattr(FORMATS.module(format), "SAME_FOR_RELEASE", True)


def _noticed(found: Inspection) -> list[str]:
    """Return what was noticed of how values are written: what the job sets, and what it leaves to you."""
    from incrowd.noticing.wording import as_text

    shown = [notice for notice in found.noticed if notice.set_by or not all(_merges(of) for _, of in notice.choices)]
    return (
        [f"{as_text(shown)}\nThe keys missing and normalize of a column in the job say how it is read."]
        if shown
        else []
    )


def _what_next(job: Job, path: Path) -> str:
    from incrowd.core.schema import Role

    counts = {role: len(job.having(role)) for role in Role}
    columns = ", ".join(f"{number} {role}" for role, number in counts.items() if number)
    assert job.output is not None
    return (
        f"Wrote {path}: {columns}.\n\nReview and correct it, then run:\n\n"
        f"  {shlex.join(['incrowd', 'anonymize', str(path)])}\n"
        f"      finds the best release, writes it to {job.located(job.output.to)} and verifies it"
    )
