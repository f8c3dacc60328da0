"""The release of several tables: what is published, under which keys, and where."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
import incrowd.api
from incrowd.errors import Infeasible, JobError, SourceError, UsageError
from incrowd.files.together import Change
from incrowd.jobs import Job
from linked_sets import Frames, job_of, small_set


def written_set(folder: Path, seed: int = 1) -> tuple[Frames, dict[str, Any]]:
    """A set in CSV files, and its job."""
    frames = small_set(seed, people=40)
    job = job_of(frames, output={"to": "release"})
    for name, frame in frames.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
        job["tables"][name] = {"data": f"{name}.csv", **job["tables"][name]}
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    return frames, job


def test_people_who_are_left_out_are_in_no_table() -> None:
    """Every key leads to a person, and whoever stays has all records."""
    frames = small_set(2, people=40)
    made = incrowd.anonymize(frames, job_of(frames, knows="history"))
    people, visits, drugs = (made.frames[name] for name in ("people", "visits", "drugs"))
    assert 0 < len(people) < 40
    assert set(visits["id"]) <= set(people["id"])
    assert set(drugs["visit"]) <= set(visits["visit"])
    original = frames["visits"].groupby("id").size()
    assert set(visits.groupby("id").size()) <= set(original)


def test_keys_are_numbers_from_1_on() -> None:
    """Whatever the original keys are: texts here."""
    frames = small_set(2, people=40)
    for name in ("people", "visits", "tests"):
        frames[name] = frames[name].assign(id=lambda of: "p" + of["id"].astype(str))
    made = incrowd.anonymize(frames, job_of(frames))
    assert sorted(made.frames["people"]["id"]) == list(range(1, made.manifest.people + 1))
    assert sorted(made.frames["visits"]["visit"]) == list(range(1, len(made.frames["visits"]) + 1))


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_neither_order_nor_keys_of_the_input_have_a_part_in_the_release(seed: int) -> None:
    """Shuffled records under other keys give the same release, to the cell, and the same manifest."""
    rng = np.random.default_rng(seed)
    frames = small_set(seed % 7, people=20)
    other = {name: frame.sample(frac=1, random_state=seed).reset_index(drop=True) for name, frame in frames.items()}
    for key, tables in (("id", ("people", "visits", "tests")), ("visit", ("visits", "drugs"))):
        values = sorted(frames[tables[0]][key])
        fresh = dict(zip(values, rng.permutation(10 * len(values) + 1)[: len(values)], strict=True))
        for name in tables:
            other[name] = other[name].assign(**{key: other[name][key].map(fresh)})
    first, second = (incrowd.anonymize(each, job_of(each, knows="history")) for each in (frames, other))
    assert first.manifest.to_dict() == second.manifest.to_dict()
    for name, frame in first.frames.items():
        pd.testing.assert_frame_equal(frame, second.frames[name])


def test_another_seed_gives_other_keys() -> None:
    """The release is the same but for the numbers."""
    frames = small_set(2, people=40)
    one, other = (incrowd.anonymize(frames, job_of(frames, seed=seed)).frames["people"] for seed in (0, 1))
    assert not one.equals(other)
    assert one.drop(columns="id").value_counts().to_dict() == other.drop(columns="id").value_counts().to_dict()


def test_files_are_written_and_verified(tmp_path: Path) -> None:
    """A folder with the tables and the manifest; the private record beside it."""
    written_set(tmp_path)
    made = incrowd.anonymize(None, tmp_path / "job.json")
    assert sorted(os.listdir(tmp_path / "release")) == [
        "drugs.csv",
        "manifest.json",
        "people.csv",
        "tests.csv",
        "visits.csv",
    ]
    assert made.record_file == tmp_path / "release.record.json"
    assert made.record_file.stat().st_mode & 0o077 == 0
    verdict = incrowd.verify(tmp_path / "release", record=tmp_path / "release.record.json")
    assert verdict.value == "holds"
    assert verdict.to_dict() == {**made.verdict.to_dict(), "checks": verdict.to_dict()["checks"]}
    with (tmp_path / "release" / "visits.csv").open("a", encoding="utf-8") as file:
        file.write("1,a,flu,1\n")
    assert incrowd.verify(tmp_path / "release").value == "does not hold"


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_equal_jobs_give_equal_bytes(tmp_path: Path, ending: str) -> None:
    """In other formats too; the second run may replace the first."""
    _, job = written_set(tmp_path)
    job["output"] = {"to": "release", "format": ending, "replace": True}
    found = []
    for _ in range(2):
        incrowd.anonymize(None, incrowd.LinkedJob.from_dict(job, tmp_path))
        found.append({path.name: path.read_bytes() for path in (tmp_path / "release").iterdir()})
    assert found[0] == found[1]


def test_an_existing_release_is_not_replaced_unasked(tmp_path: Path) -> None:
    """Nothing is read before that is known."""
    written_set(tmp_path)
    incrowd.anonymize(None, tmp_path / "job.json")
    (tmp_path / "people.csv").unlink()
    with pytest.raises(UsageError, match="already exists"):
        incrowd.anonymize(None, tmp_path / "job.json")


def test_a_release_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    """Not even an empty folder."""
    _, job = written_set(tmp_path)
    job["models"], job["suppress"] = ["k_anonymity:k=41"], 0
    with pytest.raises(Infeasible, match="no release satisfies"):
        incrowd.anonymize(None, incrowd.LinkedJob.from_dict(job, tmp_path))
    assert not (tmp_path / "release").exists()


def test_a_killed_run_leaves_the_old_release_or_the_new_one(tmp_path: Path) -> None:
    """Killed after each file that it moves; what was moved is moved back before anybody looks."""
    _, job = written_set(tmp_path)
    job["output"] = {"to": "release", "replace": True}
    old = incrowd.anonymize(None, incrowd.LinkedJob.from_dict(job, tmp_path))
    job["models"] = ["k_anonymity:k=4"]
    fingerprints = set()
    for moved in range(6):
        if (child := os.fork()) == 0:
            _kill_after(moved, incrowd.LinkedJob.from_dict(job, tmp_path))
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        assert incrowd.verify(tmp_path / "release").value == "holds"
        manifest = json.loads((tmp_path / "release" / "manifest.json").read_text(encoding="utf-8"))
        fingerprints.add(manifest["models"][0]["k_anonymity"]["k"])
        assert incrowd.verify(tmp_path / "release", record=tmp_path / "release.record.json").value == "holds"
    assert fingerprints <= {2, 4}
    assert 2 in fingerprints
    assert old.manifest.models == ({"k_anonymity": {"k": 2}},)


def _kill_after(moved: int, job: Any) -> None:
    """Run in a process of its own, which is killed when so many files were moved."""
    seen, move = 0, Change._move

    def dying(self: Change, parts: Any) -> None:
        nonlocal seen
        for part in parts:
            if seen == moved:
                os.kill(os.getpid(), signal.SIGKILL)
            move(self, [part])
            seen += 1

    Change._move = dying  # type: ignore[method-assign]
    try:
        incrowd.anonymize(None, job)
    finally:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("table", "key", "words"),
    [
        ("visits", "id", "1 of .* records have a key .id. that table 'people' lacks"),
        ("drugs", "visit", "table 'visits' lacks"),
    ],
)
def test_dangling_keys_of_the_input_are_one_error_with_counts(table: str, key: str, words: str) -> None:
    """No value is quoted."""
    frames = small_set(2, people=20)
    frames[table].loc[0, key] = 987654
    with pytest.raises(SourceError, match=words) as caught:
        incrowd.anonymize(frames, job_of(frames))
    assert "987654" not in str(caught.value)


def test_a_person_twice_in_the_first_table_is_refused() -> None:
    """It must have one row per person."""
    frames = small_set(2, people=20)
    frames["people"] = pd.concat([frames["people"], frames["people"].head(1).assign(sex="x")])
    with pytest.raises(SourceError, match="one row per person"):
        incrowd.anonymize(frames, job_of(frames))


def test_keys_of_different_types_are_compared_as_text(tmp_path: Path) -> None:
    """Numbers in one table, texts in the other."""
    frames = small_set(2, people=20)
    texts = {**frames, "visits": frames["visits"].assign(id=lambda of: of["id"].astype(str))}
    one, other = (incrowd.anonymize(each, job_of(each)) for each in (frames, texts))
    assert one.manifest.to_dict() == other.manifest.to_dict()


def _with(job: dict[str, Any], table: str, **changes: Any) -> dict[str, Any]:
    return {**job, "tables": {**job["tables"], table: {**job["tables"][table], **changes}}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda job: _with(job, "visits", of="patients"), "tables.visits.of: there is no such table"),
        (lambda job: _with(job, "visits", of=None, on=None), "exactly one table must have no 'of'"),
        (lambda job: _with(job, "tests", on=None), "'on' is missing"),
        (lambda job: _with(job, "visits", on="visit"), "it needs a key of its own"),
        (lambda job: _with(job, "tests", columns={"id": "keep"}), "it is a key"),
        (lambda job: _with(job, "tests", columns={"kind": "person"}), "people are found through the keys"),
        (lambda job: _with(job, "people", columns={"age": "quasi"}), "one column or more with the role person"),
        (lambda job: _with(job, "tests", columns={"kind": "qausi"}), "tables.tests.columns.kind"),
        (lambda job: _with(job, "tests", keys="id"), "tables.tests.keys: there is no such key"),
        (lambda job: {**job, "search": "mondrian"}, "mondrian does not search several tables"),
        (lambda job: {**job, "suppress": "cell"}, "people are suppressed"),
        (lambda job: {**job, "nulls": "basic"}, "no such key in a job of several tables"),
        (
            lambda job: {**job, "models": ["t_closeness:t=0.2,column=visits.illness"]},
            "not supported for several tables",
        ),
        (lambda job: {**job, "models": ["distinct_l:l=2,column=illness"]}, "which the job does not mention"),
    ],
)
def test_faults_of_the_job_are_named(change: Any, words: str) -> None:
    """Each with its place."""
    frames = small_set(2, people=20)
    with pytest.raises(JobError, match=words):
        incrowd.anonymize(frames, change(job_of(frames)))


def test_every_fault_of_a_file_is_named_once_with_its_line(tmp_path: Path) -> None:
    """Of columns, of the tables and of the settings."""
    lines = [
        "tables:",
        "  people:",
        "    columns:",
        "      id: person",
        "      sex: qausi",
        "  visits:",
        "    of: people",
        "    on: id",
        "    colums: {}",
        "models: [{k_anonymity: {k: 0}}]",
    ]
    (tmp_path / "job.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(JobError) as caught:
        incrowd.anonymize(None, tmp_path / "job.yaml")
    found = [(fault.line, fault.where) for fault in caught.value.faults]
    assert found == [
        (5, "tables.people.columns.sex"),
        (9, "tables.visits.colums"),
        (10, "models[1]"),
    ]


def test_a_circle_of_tables_is_refused() -> None:
    """Two tables that hang on each other beside a root."""
    job = job_of(small_set(2))
    job = _with(_with(job, "tests", of="drugs", on={"t": "d"}), "drugs", of="tests", on={"d2": "t2"})
    with pytest.raises(JobError, match="in a circle"):
        incrowd.LinkedJob.from_dict(job)


def test_the_tables_that_are_given_must_be_those_of_the_job() -> None:
    """By name."""
    frames = small_set(2)
    job = job_of(frames)
    with pytest.raises(JobError, match="table 'drugs' is not given"):
        incrowd.anonymize({name: frame for name, frame in frames.items() if name != "drugs"}, job)
    with pytest.raises(UsageError, match="one source is given"):
        incrowd.anonymize(frames["people"], job)


def test_verbs_of_one_table_refuse_several(tmp_path: Path) -> None:
    """And those of a release refuse a job."""
    frames, _ = written_set(tmp_path)
    job: Any = tmp_path / "job.json"
    calls: list[Any] = [
        lambda: incrowd.report(job),
        lambda: incrowd.attack(job),
        lambda: incrowd.measure(frames["people"], job),
        lambda: incrowd.frontier(None, job),
        lambda: incrowd.neighbors(None, job),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="of several tables: it takes no such job"):
            call()
    with pytest.raises(JobError, match="a job of several tables is run by anonymize"):
        Job.from_file(job)


def test_a_recoding_is_applied_to_new_tables(tmp_path: Path) -> None:
    """On the levels of the earlier release, whether its record is a file or an object."""
    frames, _ = written_set(tmp_path)
    made = incrowd.anonymize(None, tmp_path / "job.json")
    new = small_set(5, people=60)
    new = {name: frame.assign(**({"age": 20} if name == "people" else {})) for name, frame in new.items()}
    applied = incrowd.apply(made.record, new)
    assert applied.levels == made.levels
    assert applied.verdict.holds
    assert applied.manifest.input_people == 60
    assert incrowd.apply(made.record, frames).manifest.suppressed == made.manifest.suppressed
    written = incrowd.apply(tmp_path / "release.record.json", new, tmp_path / "second")
    assert written.output == str(tmp_path / "second")
    assert incrowd.verify(tmp_path / "second").value == "holds"
    with pytest.raises(UsageError, match="one source is given"):
        incrowd.apply(tmp_path / "release.record.json", new["people"])


def test_a_value_that_the_earlier_tables_lack_is_refused(tmp_path: Path) -> None:
    """Its place in the hierarchy is not known, unless nothing of the column is published."""
    frames = small_set(1, people=40)
    made = incrowd.anonymize(frames, job_of(frames))
    new = {**frames, "people": frames["people"].assign(sex="x")}
    with pytest.raises(JobError, match=r"tables\.people\.columns\.sex\.hierarchy"):
        incrowd.apply(made.record, new)


def test_a_rule_labels_values_that_the_earlier_tables_lack() -> None:
    """As with one table: an age that nobody had is in its interval."""
    frames = small_set(1, people=40)
    job = job_of(frames)
    ages = {"intervals": {"widths": [10], "domain": [0, 99]}}
    job["tables"]["people"]["columns"]["age"] = {"role": "quasi", "hierarchy": ages, "minimum": 1, "limit": 1}
    made = incrowd.anonymize(frames, job)
    new = {**frames, "people": frames["people"].assign(age=frames["people"]["age"] + 20)}
    assert made.frames["people"]["age"].unique().tolist() == ["20-29"]
    applied = incrowd.apply(made.record, new)
    assert applied.frames["people"]["age"].unique().tolist() == ["40-49"]
    assert applied.record.figures.search.name == "applied"
    assert list(applied.record.figures.scores) == list(made.record.figures.scores)
    beyond = {**frames, "people": frames["people"].assign(age=frames["people"]["age"] + 90)}
    with pytest.raises(JobError, match="age"):
        incrowd.apply(made.record, beyond)


def test_a_recoding_is_applied_though_its_hierarchy_was_an_object() -> None:
    """The private record has its rows."""
    frames = small_set(1, people=40)
    job = job_of(frames)
    levels = pd.DataFrame({"sex": ["f", "m"], "both": ["either", "either"]})
    job["tables"]["people"]["columns"]["sex"] = {"role": "quasi", "hierarchy": levels}
    made = incrowd.anonymize(frames, job)
    assert incrowd.apply(made.record, frames).manifest.people == made.manifest.people


def test_a_recoding_that_does_not_fit_new_tables_is_refused() -> None:
    """More people would have to go than may."""
    frames = small_set(1, people=60)
    made = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=3"], suppress=0.6))
    few = {name: frame[frame["id"].isin(frames["people"]["id"][:6])] for name, frame in frames.items() if "id" in frame}
    few["drugs"] = frames["drugs"][frames["drugs"]["visit"].isin(few["visits"]["visit"])]
    with pytest.raises(Infeasible, match="the recoding does not fit the new data"):
        incrowd.apply(made.record, few)


def test_new_files_are_read_as_the_earlier_ones_were(tmp_path: Path) -> None:
    """A delimiter, and what stands for missing; as a folder, and as a mapping to files and frames."""
    frames = small_set(1, people=40)
    job = job_of(frames)
    for name, frame in frames.items():
        (tmp_path / name).mkdir()
        frame.to_csv(tmp_path / f"{name}.csv", index=False, sep="!")
        data = {"source": str(tmp_path / f"{name}.csv"), "delimiter": "!", "missing": ["?"]}
        job["tables"][name] = {"data": data, **job["tables"][name]}
    made = incrowd.anonymize(None, incrowd.LinkedJob.from_dict({**job, "output": str(tmp_path / "release")}))
    record: Any = made.record_file
    again = incrowd.apply(record, tmp_path, tmp_path / "again")
    assert again.manifest.people == made.manifest.people
    mixed = {**{name: str(tmp_path / f"{name}.csv") for name in frames}, "tests": frames["tests"]}
    assert incrowd.apply(record, mixed, tmp_path / "mixed").manifest.people == made.manifest.people
    assert incrowd.verify(tmp_path / "again", record=tmp_path / "again.record.json").value == "holds"
