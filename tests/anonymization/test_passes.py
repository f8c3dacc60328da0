"""How often a run parses its job, builds hierarchies, and reads its input and its release: as docs/design.md says."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import COLUMNS, MODELS, PATIENTS, ROLES, in_arrow, in_folder
from anonymization.runs import job, new_folder
from anonymization.visits import ROLES as VISITS
from anonymization.visits import in_arrow as visits_in_arrow
from anonymization.visits import visits
from cli.command import Command
from incrowd.anonymization import writing
from incrowd.engines import frames, lazy_release
from incrowd.engines.streams import StreamSource
from incrowd.families import members
from incrowd.formats import write
from incrowd.jobs import checks
from incrowd.verification import _fingerprint, _verify

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"
READ_SO_FAR = Path("/proc/self/io")

KINDS = {"tree": {"groups": {"short": ["flu", "cold"], "long": ["gout", "cancer"]}}}
MENTIONED: dict[str, Any] = {**ROLES, "disease": {"role": "sensitive", "hierarchy": KINDS}}
SEARCHES: dict[str, dict[str, Any]] = {
    "optimal": {"suppress": 6},
    "mondrian": {"search": "mondrian"},
    "k_members": {"search": "k_members"},
    "anatomy": {
        "search": "anatomy",
        "columns": {**MENTIONED, "ward": {"role": "drop"}},
        "models": ["frequency_l:l=2,column=disease"],
    },
}


def promised() -> dict[str, tuple[int, ...]]:
    """The table of the design, by the first cell of its rows."""
    lines = DESIGN.read_text(encoding="utf-8").split("| a run from and to | reads its input | reads its release |\n")[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.split("\n\n")[0].splitlines()[1:]]
    return {first: tuple(map(int, rest)) for first, *rest in rows}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What happens in a run, and how often."""
    found: Counter[str] = Counter()

    def watch(owner: Any, function: str, called: Callable[..., str]) -> None:
        honest = getattr(owner, function)

        def noted(*given: Any, **more: Any) -> Any:
            found[called(*given, **more)] += 1
            return honest(*given, **more)

        # Found by its signature.
        noted.__wrapped__ = honest  # type: ignore[attr-defined]
        monkeypatch.setattr(owner, function, noted)

    watch(checks, "note", lambda *_: "parsed")
    for module in members("hierarchies", "build").values():
        watch(module, "build", lambda values, name, **_: f"built {name} over {len(values)} values")
    watch(frames.FrameSource, "_batches", lambda *_: "input")
    for module in (frames, lazy_release):
        watch(module, "counted", lambda *_: "input")
        watch(module, "fetch_batches", lambda *_: "input")
    watch(lazy_release, "joined_by_maps", lambda *_: "joined")
    # Classes that were counted are repeated without any row.
    watch(lazy_release.Frozen, "freeze", lambda *_: "input" if found["joined"] else "repeated")
    watch(_verify, "tally", lambda *_: "release")
    watch(_fingerprint, "hash_of", lambda *_: "release")
    watch(writing, "hash_of", lambda *_: "release")
    watch(writing, "_waiting_records", lambda *_: "release")
    return found


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def described(**settings: Any) -> dict[str, Any]:
    return {**job(MENTIONED, *MODELS), "suppress": 6, **settings}


def over(*columns: str) -> dict[str, int]:
    """One hierarchy for each of the columns."""
    values = {name: len({person[name] for person in PATIENTS}) for name in columns}
    return {f"built {name} over {number} values": 1 for name, number in values.items()}


def builds(seen: Counter[str]) -> dict[str, int]:
    return {what: times for what, times in seen.items() if what.startswith("built")}


@pytest.mark.parametrize("search", SEARCHES)
def test_one_job_is_parsed_once_and_each_hierarchy_built_once(
    search: str, seen: Counter[str], tmp_path: Path, command: Command
) -> None:
    in_folder(tmp_path)
    plain = described(data="patients.csv", output="out.csv", **SEARCHES[search])
    if search != "optimal":
        del plain["suppress"]
    (tmp_path / "job.json").write_text(json.dumps(plain))
    for further in ((), ("-o", tmp_path / "other.csv", "--replace", "--time", "60")):
        seen.clear()
        assert command("anonymize", tmp_path / "job.json", *further).code == 0
        assert seen["parsed"] == 1
        # A local search needs no hierarchy of a column that has none.
        assert builds(seen) == over("age", "zip", "disease", *(["sex"] if search == "optimal" else []))


def test_codes_that_a_mask_hides_are_no_numbers(seen: Counter[str]) -> None:
    """A local search asks the hierarchy whether the values are a line, and then for the tree."""
    coded = [{**person, "zip": int(person["zip"])} for person in PATIENTS]
    made = incrowd.anonymize(in_arrow(coded), described(search="mondrian", suppress=0))
    assert builds(seen) == over("age", "zip", "disease")
    assert made.record.quasi[1].form == "ancestor"


def test_a_sensitive_column_by_a_rule(seen: Counter[str]) -> None:
    """The manifest tells the hierarchy over the published values alone."""
    visits = {"role": "sensitive", "hierarchy": {"intervals": {"widths": [3]}}}
    models = ({"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "visits"}})
    incrowd.anonymize(in_arrow(), {**job({**ROLES, "visits": visits}, *models), "suppress": 6})
    assert builds(seen) == {**over("age", "zip", "sex"), "built visits over 9 values": 2}


def test_a_job_is_checked_without_building(seen: Counter[str]) -> None:
    incrowd.Job.from_dict(described())
    assert seen == {"parsed": 1}


@pytest.mark.parametrize("searches", [["optimal"], ["optimal", "mondrian", "samarati", "set_partitioning"]])
def test_a_sweep_parses_once_a_search_and_builds_once(searches: list[str], seen: Counter[str]) -> None:
    given = incrowd.Job.from_dict({**job(ROLES, {"k_anonymity": {"k": 3}}), "suppress": 6})
    seen.clear()
    found = incrowd.frontier(in_arrow(), given, k=range(2, 7), searches=searches)
    assert len(found.runs) == 5 * len(searches)
    assert seen["parsed"] == len(searches)
    assert builds(seen) == over("age", "zip", "sex")
    assert seen["input"] == 1


# The input and the release.


def in_frames(kind: str) -> Any:
    if kind == "pandas frame":
        return in_arrow().to_pandas()
    if kind == "Polars frame":
        return pytest.importorskip("polars").from_arrow(in_arrow())
    return pytest.importorskip("duckdb").from_arrow(in_arrow())


@pytest.mark.parametrize("kind", ["pandas frame", "Polars frame", "DuckDB relation"])
def test_frames(kind: str, seen: Counter[str]) -> None:
    incrowd.anonymize(in_frames(kind), described())
    assert (seen["input"], seen["release"]) == promised()[kind]


def test_a_release_of_counted_columns_is_its_classes(seen: Counter[str]) -> None:
    quasi = {name: of for name, of in ROLES.items() if of["role"] == "quasi"}
    made = incrowd.anonymize(in_frames("DuckDB relation"), {**job(quasi, MODELS[0]), "suppress": 6})
    assert made.verdict.records > 50
    assert (seen["input"], seen["release"]) == promised()["DuckDB relation, quasi-identifiers alone"]
    assert (seen["joined"], seen["repeated"]) == (0, 1)


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_a_database(seen: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ibis")
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("hospital.db")) as connection:
        connection.execute(f"CREATE TABLE patients ({', '.join(COLUMNS)})")
        rows = [[person[name] for name in COLUMNS] for person in PATIENTS]
        connection.executemany(f"INSERT INTO patients VALUES ({', '.join('?' * len(COLUMNS))})", rows)
        connection.commit()
    data = {"source": "sqlite:///hospital.db", "table": "patients"}
    incrowd.anonymize(job=described(data=data, output={"to": "sqlite:///hospital.db", "table": "release"}))
    assert (seen["input"], seen["release"]) == promised()["SQLite table"]


RECORDS = 5_000
MARGIN = 0.3
"""Beginnings of files that are looked at, in parts of a pass."""


def large() -> pa.Table:
    """Records that are as good as all bytes of a file, in a column that is published as it is."""
    luck = Random(1)
    return pa.table(
        {
            "age": [str(20 + at % 40) for at in range(RECORDS)],
            "sex": ["mf"[at % 2] for at in range(RECORDS)],
            "note": [luck.randbytes(600).hex() for _ in range(RECORDS)],
        }
    )


def bytes_read() -> int:
    """How many bytes this process has read, whoever asked for them."""
    return int(READ_SO_FAR.read_text().splitlines()[0].partition(":")[2])


@pytest.mark.skipif(not READ_SO_FAR.exists(), reason="only Linux counts the bytes that a process reads")
@pytest.mark.parametrize(
    ("kind", "suffix"),
    [
        ("CSV file", ".csv"),
        ("CSV file with gzip", ".csv.gz"),
        ("Parquet file", ".parquet"),
        ("JSON lines file", ".jsonl"),
        ("XML file", ".xml"),
    ],
)
@pytest.mark.parametrize("order", ["sorted", "source"])
def test_files(kind: str, suffix: str, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = large()
    source, release = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    write(table.to_batches(), table.schema, source)
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}},
        "sex": {"role": "quasi"},
        "note": {"role": "keep"},
    }
    of_release = 0

    def reads_release(function: str) -> None:
        honest = getattr(writing, function)

        def noted(*given: Any) -> Any:
            nonlocal of_release
            before = bytes_read()
            found = honest(*given)
            of_release += bytes_read() - before
            return found

        monkeypatch.setattr(writing, function, noted)

    reads_release("verify")
    reads_release("hash_of")
    described = job(columns, data=str(source), output={"to": str(release), "replace": True}, order=order)
    for _ in range(2):
        # The first one imports modules, which are read as well.
        of_release, before = 0, bytes_read()
        incrowd.anonymize(job=described)
        of_input = bytes_read() - before - of_release
    passes = of_input / source.stat().st_size, of_release / release.stat().st_size
    of_input, of_release = promised()[kind]
    again = order == "source" and suffix in (".csv", ".csv.gz", ".parquet")
    assert tuple(map(round, passes)) == (of_input + again, of_release)
    assert all(abs(number - round(number)) < MARGIN for number in passes)


@pytest.mark.parametrize("most", [1, 4])
def test_people_are_counted_in_one_more_pass(most: int) -> None:
    """Of all columns that verification needs, or of the person alone if everybody has one record."""
    table = visits_in_arrow(visits(30, most=most))
    reads: list[tuple[str, ...]] = []

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        reads.append(tuple(columns))
        return iter(table.select(list(columns)).to_batches())

    source = StreamSource("visits", tuple(table.column_names), batches, kinds={f.name: f.type for f in table.schema})
    numbers = {}
    for role in ("person", "drop"):
        reads.clear()
        with new_folder() as folder:
            output = str(folder / "release.parquet")
            incrowd.anonymize(source, job({**VISITS, "patient": {"role": role}}, suppress=0.5, output=output))
        numbers[role] = list(reads)
    assert len(numbers["person"]) == len(numbers["drop"]) + 1
    assert ("patient",) in numbers["person"] if most == 1 else ("patient",) not in numbers["person"]
