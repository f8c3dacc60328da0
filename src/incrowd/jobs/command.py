"""A job as a command line, and the options of a command line as a job.

An option that says something about a column is `name=value`. A name that holds a comma, an equals sign or a quote, or
that begins or ends with a blank, stands in double quotes, a quote within doubled: `--priority '"a,b"=2'`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from incrowd import hierarchies, models
from incrowd.core.schema import Role
from incrowd.errors import UsageError, close_to
from incrowd.formats.options import OF_FILES
from incrowd.jobs import families, names, origins, preparation
from incrowd.jobs.document import Place, Written
from incrowd.jobs.families import METRICS, SEARCHES, spell
from incrowd.jobs.frozen import number, plain
from incrowd.jobs.model import Job
from incrowd.jobs.parts import Column, Data
from incrowd.jobs.shorthand import PROPOSED
from incrowd.jobs.suppression import spell_suppression


@dataclass(frozen=True)
class Options:
    """Options of a command line, by their names."""

    files: Sequence[Any] = ()
    source: Sequence[str] = ()
    quasi: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    keep: Sequence[str] = ()
    identifier: Sequence[str] = ()
    person: Sequence[str] = ()
    drop: Sequence[str] = ()
    model: Sequence[str] = ()
    knows: str | None = None
    generalize: str | None = None
    suppress: str | None = None
    search: str | None = None
    metric: str | None = None
    priority: Sequence[str] = ()
    limit: Sequence[str] = ()
    minimum: Sequence[str] = ()
    losses: Sequence[str] = ()
    form: Sequence[str] = ()
    scale: Sequence[str] = ()
    domain: Sequence[str] = ()
    normalize: Sequence[str] = ()
    missing_in: Sequence[str] = ()
    bounds: Sequence[str] = ()
    nulls: str | None = None
    order: str | None = None
    wiped: str | None = None
    population: Sequence[str] = ()
    population_table: str | None = None
    population_query: str | None = None
    missing: Sequence[str] = ()
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    names: str | None = None
    widths: str | None = None
    prepare: str | None = None
    table: str | None = None
    query: str | None = None
    output: str | None = None
    output_table: str | None = None
    output_delimiter: str | None = None
    replace: bool = False
    spreadsheet_safe: bool = False
    record: str | None = None
    mapping: str | None = None
    seed: int | None = None
    time: float | None = None


SHORT = {"quasi": "-q", "sensitive": "-s", "model": "-m", "output": "-o"}
"""Options that have a letter."""

_DATA = {"source": "files", **{key: key for key in (*OF_FILES, "table", "query")}}
_POPULATION = {"source": "population", "table": "population_table", "query": "population_query"}
_OUTPUT = {
    "to": "output",
    "table": "output_table",
    "delimiter": "output_delimiter",
    **{key: key for key in ("replace", "spreadsheet_safe", "record", "mapping")},
}
_SETTINGS = {
    key: key
    for key in ("nulls", "order", "wiped", "knows", "generalize", "suppress", "search", "metric", "seed", "time")
}
"""Which option says what, by the keys of each part of a job."""
_OF_COLUMNS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("priority", "limit", "minimum", "bounds"), number),
    **dict.fromkeys(("losses", "domain"), lambda text: [number(each) for each in text.split("/")]),
    "form": str,
    "normalize": lambda text: text.split("/"),
    "scale": lambda text: names.listed(text) or text,
    "missing": lambda text: names.listed(text) or text,
}
"""Options about a column, and how their text is read."""
_CALLED = {"missing": "missing_in"}
"""Options whose name is that of another setting."""
_LISTS: dict[str, Callable[[str], Any]] = {
    "names": lambda text: names.listed(text) or text,
    "widths": lambda text: [number(each.strip()) for each in text.split(",")],
    "prepare": preparation.parse,
}
"""Options about the data that hold several values in one text."""


def job_from_options(options: Options) -> Job:
    """Return the job that a command line describes; all its faults are told at once."""
    written = Written("the command line")
    columns = _columns(options, written)
    settings = _part(options, _SETTINGS, (), written)
    parts = {
        "data": _data(options, written),
        "population": _part(options, _POPULATION, ("population",), written),
        "output": _part(options, _OUTPUT, ("output",), written),
    }
    given = {key: part for key, part in parts.items() if part}
    written.plain = {**given, **settings, "columns": columns, "models": list(options.model)}
    written.names |= {("columns",): "--quasi", ("models",): "--model"}
    return Job.from_written(written, Path())


def _data(options: Options, written: Written) -> dict[str, Any]:
    """Return the options about the data; False is kept for the header alone, where it means none."""
    described = [origins.parse(text) for text in options.source]
    said = _part(replace(options, files=[*options.files, *described]), _DATA, ("data",), written)
    lists = {key: read(said[key]) for key, read in _LISTS.items() if key in said}
    return {**said, **lists, **({} if options.header is None else {"header": options.header})}


def _part(options: Options, keys: Mapping[str, str], place: Place, written: Written) -> dict[str, Any]:
    """Return what the options say about a part of a job."""
    given = {key: getattr(options, option) for key, option in keys.items()}
    said = {
        key: value for key, value in given.items() if value is not False and (value or isinstance(value, int | float))
    }
    calls = {key: "FILE" if option == "files" else _long(option) for key, option in keys.items()}
    written.names |= {(*place, key): called for key, called in calls.items()}
    # The first option of a part is what the others speak of.
    needed = next(iter(keys))
    if place and said and needed not in said:
        written.fault((*place, needed), f"it is missing, and {calls[next(iter(said))]} refers to it")
        return {}
    return said


def _columns(options: Options, written: Written) -> dict[str, dict[str, Any]]:
    columns: dict[str, dict[str, Any]] = {}
    # What tells the person comes last: it may be a quasi-identifier too.
    for role in sorted(Role, key=lambda each: each == Role.PERSON):
        written.names[(role,)] = _long(role)
        for text in getattr(options, role):
            for name, hierarchy in _mentioned(text, role, written):
                if role == Role.PERSON and columns.get(name, {}).get("role") == Role.QUASI:
                    columns[name]["person"] = True
                    continue
                if name in columns:
                    first = written.names["columns", name]
                    written.fault((role,), f"column {name!r} is mentioned by {first} already; keep one of them")
                    continue
                written.names["columns", name] = _long(role)
                usual = PROPOSED if role == Role.QUASI else ""
                columns[name] = {"role": role, **({"hierarchy": hierarchy or usual} if hierarchy or usual else {})}
    for setting in _OF_COLUMNS:
        _set(columns, setting, getattr(options, _CALLED.get(setting, setting)), written)
    return columns


def _mentioned(text: str, role: Role, written: Written) -> list[tuple[str, str]]:
    """Return the columns that a text names, each with the short form of its hierarchy."""
    described = names.split(text)
    if described is not None:
        return [described]
    listed = names.listed(text)
    if listed is None:
        written.fault((role,), "a name cannot be read; put names with commas, equals signs or quotes in double quotes")
    return [(name, "") for name in listed or ()]


def _set(columns: Mapping[str, dict[str, Any]], setting: str, texts: Sequence[str], written: Written) -> None:
    option = _long(_CALLED.get(setting, setting))
    written.names[(setting,)] = option
    for text in texts:
        said = names.split(text)
        if said is None:
            written.fault((setting,), "it must be a column and a value, as age=2")
        elif said[0] not in columns:
            what = f"no other option mentions column {said[0]!r}; declare its role{close_to(said[0], columns)}"
            written.fault((setting,), what)
        elif setting in columns[said[0]]:
            written.fault((setting,), f"column {said[0]!r} has two; keep one")
        else:
            written.names["columns", said[0], setting] = option
            columns[said[0]][setting] = _OF_COLUMNS[setting](said[1])


def to_command(job: Job) -> str:
    """Return the command line that does what the job describes, from the present folder."""
    job = at_present(job)
    assert job.data is not None
    files, described = _in_order(job.data)
    words = [_words(option, value) for option, value in [*(("source", each) for each in described), *_said(job)]]
    flat = [word for each in words for word in each]
    # What begins with a dash is a file only behind two of them.
    dashed = any(file.startswith("-") for file in files)
    return shlex.join(["incrowd", "anonymize", *([] if dashed else files), *flat, *(["--", *files] if dashed else [])])


def _in_order(data: Data) -> tuple[list[str], list[str]]:
    """Return the sources that are named by themselves, and those from the first described one on as options."""
    sources = data.moved(str)
    first = next((at for at, each in enumerate(sources) if not isinstance(each, str)), len(sources))
    return sources[:first], [origins.spell(each) for each in sources[first:]]


def _words(option: str, value: str | None) -> list[str]:
    if value is None:
        return [_long(option)]
    # A value that begins with a dash could be taken for an option.
    return [f"{_long(option)}={value}"] if value.startswith("-") else [SHORT.get(option, _long(option)), value]


def _said(job: Job) -> Iterator[tuple[str, str | None]]:
    """Yield every option with its value; None for one that takes none."""
    for name, column in job.columns.items():
        yield column.role, names.quoted(name) + _hierarchy(column)
        if column.person:
            yield Role.PERSON, names.quoted(name)
    for model in job.models:
        yield "model", models.spell(model)
    given = job.to_dict()
    spelled = {
        "search": SEARCHES.spell(job.search),
        "metric": METRICS.spell(job.metric),
        "suppress": spell_suppression(job.suppress),
    }
    for key in _SETTINGS:
        if key in given:
            yield key, spelled.get(key, str(given[key]))
    for setting in _OF_COLUMNS:
        for name, column in job.columns.items():
            value = column.to_dict().get(setting)
            if value is not None:
                yield _CALLED.get(setting, setting), f"{names.quoted(name)}={_spelled(setting, value)}"
    for part, keys in ((job.population, _POPULATION), (job.data, _DATA), (job.output, _OUTPUT)):
        for key, option in keys.items() if part is not None else ():
            value = getattr(part, key)
            if option == "header" and value is not None:
                yield option if value else "no_header", None
            if option in ("files", "header") or not value:
                continue
            if option == "prepare":
                yield option, preparation.spell(value)
                continue
            if option in _LISTS:
                yield option, ",".join(names.quoted(str(each)) for each in value)
                continue
            for each in value if isinstance(value, tuple) else (value,):
                yield option, None if each is True else "tab" if each == "\t" else each


def _hierarchy(column: Column) -> str:
    """Return the hierarchy behind the name of a column: a name alone means what the table proposes."""
    if column.hierarchy is None:
        return f"={families.NONE}" if column.role == Role.QUASI else ""
    return "" if column.role == Role.QUASI and column.hierarchy == PROPOSED else f"={spell(column.hierarchy)}"


def _spelled(setting: str, value: Any) -> str:
    if setting in ("scale", "missing"):
        return ",".join(map(names.quoted, value))
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)


def at_present(job: Job) -> Job:
    """Return the job with all its paths as the present folder sees them."""
    if job.data is None:
        raise UsageError.invalid(
            "the job",
            "it names no data, which a command or script needs",
            "add data to the job, or pass them in Python",
        )
    return job if job.base == Path() else Job.from_dict(_moved(job))


def _moved(job: Job) -> dict[str, Any]:
    moved = job.to_dict()
    for key in ("data", "population"):
        part = getattr(job, key)
        if part is not None:
            moved[key] = {**part.to_dict(), "source": part.moved(job.located)}
    if job.output is not None:
        paths = {key: getattr(job.output, key) for key in ("to", "record", "mapping")}
        moved["output"] = {**job.output.to_dict(), **{key: job.located(path) for key, path in paths.items() if path}}
    workload = getattr(job.metric, "workload", None)
    if workload is not None:
        [(metric, options)] = moved["metric"].items()
        moved["metric"] = {metric: {**options, "workload": job.located(workload)}}
    for name, column in job.columns.items():
        builder, options = hierarchies.settled(plain(column.hierarchy), name)
        if "path" in options:
            moved["columns"][name]["hierarchy"] = {builder: {**options, "path": job.located(options["path"])}}
    return moved


def _long(option: str) -> str:
    return f"--{option.replace('_', '-')}"
