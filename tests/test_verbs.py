"""Python, the command line and the service have the same verbs, with the same parameters and defaults."""

import inspect
import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pydantic_core import PydanticUndefined

import incrowd
from cli.command import Command
from incrowd.cli.app import app
from incrowd.client import Client
from incrowd.service.kinds import kinds

COMMANDS: Mapping[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
VERBS = sorted(kinds())
DOORS = ("python", "cli", "rest")
REQUIRED = "must be given"

READING = {"delimiter", "encoding", "header", "names", "widths", "prepare", "table", "query", "normalize", "missing_in"}
"""How a table is read: in Python `incrowd.read` says so, and a service knows the query of a database it was given."""

NOT_VERBS = {
    "read": "Python opens a source with it; the other doors do so where they read one",
    "serve": "the command that opens the other doors",
}

JOB = "the job, of which Python has the keywords that are used most and the service a body"

ONLY: dict[tuple[str, str], dict[str, str]] = {
    ("*", "python"): {"progress": "a function; the command line shows a line, and a run has its progress"},
    ("*", "cli"): {
        "as_json": "the form of what is printed; other doors return data",
        "quiet": "nothing is printed elsewhere",
        "threads": "of the whole process: elsewhere the variable INCROWD_THREADS says so",
        "report": "a verb of its own elsewhere",
        "replace": "Python writes with methods of the result, the service into a folder of the run",
        "map_file": "Python draws with the method map",
    },
    ("anonymize", "cli"): dict.fromkeys(
        (
            *("bounds", "domain", "form", "generalize", "limit", "losses", "mapping", "minimum"),
            *(
                "missing",
                "missing_in",
                "normalize",
                "nulls",
                "order",
                "output_delimiter",
                "output_table",
                "population_query",
            ),
            *("population_table", "priority", "record", "scale", "show", "spreadsheet_safe", "uniform", "wiped"),
        ),
        JOB,
    ),
    ("apply", "python"): {"replace": "a frame has no place", "output_table": "runs write files alone"},
    ("apply", "cli"): {"output_table": "runs write files alone"},
    ("attack", "cli"): {"details": "text; other doors return every class"},
    ("attack", "rest"): {"manifest": "elsewhere it is in the folder of the release"},
    ("frontier", "python"): {"source": "a table in place of the one that the job names"},
    ("init", "cli"): {"output": "the job file; Python has the method write", "yes": "only a terminal asks"},
    ("hierarchy", "cli"): {"output": "Python has the method save; a run keeps the hierarchy"},
    ("measure", "python"): {"yardsticks": "the earlier name of metrics; the service takes it as one more spelling"},
    ("measure", "cli"): {
        **dict.fromkeys(("across", "upwards"), "Python draws with the method map"),
        "details": "text; other doors return every number",
    },
    ("costs", "python"): {"source": "a table in place of the one that the job names"},
    ("lattice", "python"): {"source": "a table in place of the one that the job names"},
    ("neighbors", "python"): {"source": "a table in place of the one that the job names"},
    ("report", "cli"): {
        "output": "Python has the method write; a run keeps the report",
        "among": "Python reports on diagnose(source, among)",
        "person": "Python reports on diagnose(source, person=...)",
        "missing": "Python reports on read(source, missing)",
    },
    ("report", "rest"): {
        "form": "elsewhere the ending of the file says it",
        "manifest": "elsewhere it is beside the release",
        "among": "Python reports on diagnose(source, among)",
        "person": "Python reports on diagnose(source, person=...)",
        "missing": "Python reports on read(source, missing)",
    },
    ("table", "cli"): {"output": "Python has the method save", "details": "Python's result has them"},
    ("table", "rest"): {"output": "the format of the file that is kept", "details": "Python's result has them"},
    ("verify", "python"): {"sensitive": "a second frame; a second file is beside the first"},
    **{
        key: {"rows": "Python's result lists them"}
        for key in (("diagnose", "cli"), ("diagnose", "rest"), ("risk", "cli"))
    },
    ("risk", "rest"): {
        "rows": "Python's result lists them",
        "manifest": "elsewhere it is in the folder of the release",
    },
}
"""Parameters that not every door has, with the reason; * is every verb."""

OTHER_DEFAULTS = {
    ("apply", "output"): "of a frame nothing is written, a command line must say where, a run names its file itself",
    ("apply", "source"): "on the command line --source may take its place",
    ("anonymize", "job"): "Python may describe it by keywords",
    ("frontier", "job"): "in Python a source comes first",
    ("costs", "job"): "in Python a source comes first",
    ("lattice", "job"): "in Python a source comes first",
    ("neighbors", "job"): "in Python a source comes first",
    ("neighbors", "levels"): "in Python a source comes first",
    ("attack", "release"): "a request names a file, or several by the names of their tables",
    ("measure", "original"): "of several tables a run has its own",
    ("report", "of"): "a request names a file, or several by the names of their tables",
    ("diagnose", "source"): "a request names a file, or has the job of several tables",
    ("verify", "location"): "a request names a file, or several by the names of their tables",
    ("report", "audience"): "the service keeps both reports, and shows the external one",
    ("table", "output"): "a run always keeps its table",
    ("risk", "source"): "a request names a file, or has the job of several tables",
    ("risk", "threshold"): "if it is given on the command line, the exit code depends on it",
}

NAMES: dict[tuple[str, str], dict[str, str]] = {
    ("attack", "cli"): {"only": "attacks", **dict.fromkeys(("quasi", "sensitive", "hierarchy"), "columns")},
    ("frontier", "cli"): {"search": "searches"},
    ("measure", "cli"): {
        **dict.fromkeys(("only", "without"), "metrics"),
        **dict.fromkeys(("quasi", "sensitive", "keep", "hierarchy", "scale", "ranges"), "columns"),
    },
    ("neighbors", "cli"): {"level": "levels"},
    ("report", "cli"): {"external": "audience", "files": "of"},
    ("apply", "rest"): {"tables": "source"},
    ("attack", "rest"): {"tables": "release"},
    ("report", "rest"): {"file": "of", "tables": "of"},
    ("table", "cli"): {"rule": "rules", "hierarchy": "hierarchies"},
    ("verify", "cli"): {"data": "location"},
    ("diagnose", "rest"): {"job": "source"},
    ("risk", "rest"): {"job": "source", "tables": "source"},
    ("verify", "rest"): {"file": "location", "tables": "location"},
}
"""Other names for the same: an option that may be repeated is in the singular, and a mapping has an option a part."""


def test_every_door_has_every_verb() -> None:
    functions = {name for name in incrowd.__all__ if inspect.isfunction(getattr(incrowd, name))}
    assert functions - NOT_VERBS.keys() == set(VERBS)
    assert COMMANDS.keys() - NOT_VERBS.keys() == set(VERBS)


def test_every_command_is_a_file_of_its_own() -> None:
    from incrowd.families import members

    assert members("cli", "ORDER").keys() == COMMANDS.keys()


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "anonymize"])
def test_every_door_has_the_same_parameters(verb: str) -> None:
    own = {door: set(parameters(verb, door)) - READING - _excused(verb, door) for door in DOORS}
    assert own["python"] == own["cli"] == own["rest"]


def test_the_keywords_of_anonymize_are_options_or_the_job() -> None:
    python, line = (set(parameters("anonymize", door)) - _excused("anonymize", door) for door in ("python", "cli"))
    assert python - {"job"} == line - READING
    assert set(parameters("anonymize", "rest")) == {"job"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_door_has_the_same_defaults(verb: str) -> None:
    by_door = [parameters(verb, door) for door in DOORS]
    for name in set().union(*by_door):
        defaults = {str(_plain(of[name])) for of in by_door if name in of}
        assert len(defaults) == 1 or (verb, name) in OTHER_DEFAULTS, f"{name}: {defaults}"


def test_no_exception_is_stale() -> None:
    for (verb, door), names in ONLY.items():
        known = set().union(*(parameters(each, door) for each in VERBS)) if verb == "*" else parameters(verb, door)
        assert names.keys() <= set(known), (verb, door)
    for verb, name in OTHER_DEFAULTS:
        assert len({str(_plain(of[name])) for door in DOORS if name in (of := parameters(verb, door))}) > 1
    for (verb, door), names in NAMES.items():
        assert set(names.values()) <= set(parameters(verb, door))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_described_in_the_imperative(verb: str) -> None:
    methods = [getattr(Client, verb).__doc__] if hasattr(Client, verb) else []
    for told in (getattr(incrowd, verb).__doc__, *methods, kinds()[verb].REQUEST.__doc__):
        first = told.split()[0]
        assert first not in {"What", "Who", "Whether", "How", "Which", "Does", "The", "A"}, told


# Records are counted from 0, as Python counts.

TABLE = "age,sex\n30,f\n30,f\n41,m\n30,f\n52,f\n"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return path


def run_of(verb: str, path: Path, **asked: Any) -> dict[str, Any]:
    """The result of a run of the service, as its worker makes it."""
    request = kinds()[verb].REQUEST(file=str(path), **asked).model_dump(exclude_none=True, exclude={"file"})
    reading = {"missing": request.pop("missing"), "names": request.pop("names"), "widths": request.pop("widths")}
    found: dict[str, Any] = kinds()[verb].run({**request, "data": {"source": str(path), **reading}}, lambda _: None)
    return found


def test_records_that_must_go_have_the_same_numbers_everywhere(
    people: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--quasi", "age,sex", "--k", "2", "--suppress", "find", "--rows"]
    line = Command(monkeypatch, capsys)("diagnose", people, *words, "--json")
    python = incrowd.diagnose(people).ask(quasi=["age", "sex"], k=2, suppress="find").suppressed_rows
    rest = run_of("diagnose", people, quasi=["age", "sex"], k=2, suppress="find", rows=True)["suppressed_rows"]
    assert python == rest == json.loads(line.out)["suppressed_rows"] == [2, 4]
    assert [incrowd.head(people).rows[at] for at in python] == [("41", "m"), ("52", "f")]


def test_records_at_risk_have_the_same_numbers_everywhere(
    people: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = Command(monkeypatch, capsys)("risk", people, "--quasi", "age,sex", "--rows", "--json")
    rest = run_of("risk", people, quasi=["age", "sex"], rows=True)["rows"]
    assert rest == json.loads(line.out)["rows"]
    assert sorted(each["row"] for each in rest) == [2, 4]


# A column may be given by its role alone.


def test_a_column_in_short_is_understood_everywhere(people: Path, tmp_path: Path) -> None:
    columns = {"age": "quasi", "sex": "sensitive"}
    made = incrowd.anonymize(people, {"columns": columns, "models": ["k_anonymity:k=2"], "output": tmp_path / "r.csv"})
    in_full = {name: {"role": role} for name, role in columns.items()}
    assert made.record.job["columns"] == in_full
    assert incrowd.Job.from_text(f"columns: {json.dumps(columns)}\nmodels: [k_anonymity:k=2]").columns["sex"].role
    for verb in (
        lambda given: incrowd.attack(made.output, given),
        lambda given: incrowd.measure(people, made.output, given),
    ):
        assert json.dumps(verb(columns).to_dict(), default=str) == json.dumps(verb(in_full).to_dict(), default=str)


def test_a_role_that_there_is_not(people: Path) -> None:
    with pytest.raises(incrowd.JobError, match=r"columns\.age\.role: it must be 'identifier'"):
        incrowd.anonymize(people, {"columns": {"age": "quasy"}, "models": ["k_anonymity:k=2"]})


def _excused(verb: str, door: str) -> set[str]:
    return {*ONLY.get(("*", door), ()), *ONLY.get((verb, door), ())}


def _plain(default: Any) -> Any:
    """A default as it means the same in every door: an empty list says as little as None."""
    if isinstance(default, Enum):
        return default.value
    return None if default in ((), [], {}) else default


def parameters(verb: str, door: str) -> dict[str, Any]:
    """The parameters of a verb with their defaults, by the name that all doors share."""
    found = {"python": of_python, "cli": of_cli, "rest": of_rest}[door](verb)
    renamed = {"files": "source", "file": "source", **NAMES.get((verb, door), {})}
    return {renamed.get(name, name): default for name, default in found.items()}


def of_python(verb: str) -> dict[str, Any]:
    functions = [getattr(incrowd, verb), *([incrowd.Diagnosis.ask] if verb == "diagnose" else [])]
    return {
        name: REQUIRED if each.default is inspect.Parameter.empty else each.default
        for function in functions
        for name, each in inspect.signature(function).parameters.items()
        if name != "self"
    }


def of_cli(verb: str) -> dict[str, Any]:
    return {each.name: REQUIRED if each.required else each.default for each in COMMANDS[verb].params}


def of_rest(verb: str) -> dict[str, Any]:
    fields = kinds()[verb].REQUEST.model_fields.items()
    return {
        name: REQUIRED if of.is_required() else of.get_default(call_default_factory=True)
        for name, of in fields
        if of.default is not PydanticUndefined or of.default_factory or of.is_required()
    }
