"""Runs in worker processes: what they make, how they are stopped, what becomes of them when something dies."""

import errno
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from incrowd.errors import InUse, NotThere, UsageError
from incrowd.service import Limits, Pool, Run, Workspace, queue
from incrowd.service.failures import describe_error
from service.spaces import K_OF_WIDE, PEOPLE, everything_in, job_for, upload, wide_table

PATIENCE = 300


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace.open(tmp_path_factory.mktemp("space"), Limits(grace=5))


@pytest.fixture(scope="module")
def pool(space: Workspace) -> Iterator[Pool]:
    with Pool(space, workers=2) as pool:
        yield pool


def until(holds: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)


def until_running(space: Workspace, run: Run) -> Run:
    """A run of which something is known already."""
    until(lambda: space.run(run.id).progress["words"])
    return space.run(run.id)


@pytest.mark.usefixtures("pool")
def test_a_release_with_all_that_goes_with_it(space: Workspace) -> None:
    stored = upload(space)
    run = space.wait(space.submit("anonymize", {"job": job_for(stored.id, output="x.parquet")}).id, PATIENCE)
    assert (run.state, run.error) == ("done", None)
    assert run.result is not None
    assert run.result["verdict"] == "holds"
    assert {each.kind for each in run.artifacts} >= {"release", "manifest", "record", "job", "command", "script"}
    assert "release.parquet" in [each.name for each in run.artifacts]
    texts = {each.name: space.artifact(run.id, each.name).read_bytes() for each in run.artifacts}
    assert not [name for name, text in texts.items() if str(space.folder).encode() in text]
    assert str(space.folder) not in json.dumps(run.to_dict())
    assert texts["job.yaml"].startswith(b"data: people.csv\n")
    assert {oct(stat.S_IMODE(path.stat().st_mode) & 0o077) for path in everything_in(space.folder)} == {"0o0"}


@pytest.mark.usefixtures("pool")
def test_the_job_runs_again_beside_what_was_downloaded(space: Workspace, tmp_path: Path) -> None:
    """The table, what the run made, and nothing else: a hierarchy that was made in the browser is in no other place."""
    levels = "m;any\nf;any\n"
    stored, sexes = upload(space, name="Patients 2024 (1).csv"), upload(space, levels, "sex.csv", purpose="hierarchy")
    job = job_for(stored.id)
    job["columns"] |= {"sex": {"role": "quasi", "hierarchy": sexes.id}}
    run = space.wait(space.submit("anonymize", {"job": job}).id, PATIENCE)
    assert ("sex.csv", "hierarchy") in [(each.name, each.kind) for each in run.artifacts]
    (tmp_path / "Patients 2024 (1).csv").write_text(PEOPLE)
    for each in run.artifacts:
        if each.kind in ("hierarchy", "job", "script"):
            shutil.copy(space.artifact(run.id, each.name), tmp_path)
    subprocess.run([sys.executable, "script.py"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "release.csv").read_bytes() == space.artifact(run.id, "release.csv").read_bytes()
    assert space.file(sexes.id).name == "sex.csv"


@pytest.mark.usefixtures("pool")
def test_a_workload_is_an_uploaded_file(space: Workspace, tmp_path: Path) -> None:
    """It steers the search; beside a copy of it the job runs again."""
    queries = "age,sex\n,m\n,f\n"
    stored, asked = upload(space), upload(space, queries, "my queries.csv")
    job = {**job_for(stored.id), "metric": {"queries": {"workload": asked.id}}}
    run = space.wait(space.submit("anonymize", {"job": job}).id, PATIENCE)
    assert (run.state, run.error) == ("done", None)
    assert "my queries.csv" in space.artifact(run.id, "job.yaml").read_text()
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "my queries.csv").write_text(queries)
    for each in run.artifacts:
        if each.kind in ("job", "script"):
            shutil.copy(space.artifact(run.id, each.name), tmp_path)
    subprocess.run([sys.executable, "script.py"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "release.csv").read_bytes() == space.artifact(run.id, "release.csv").read_bytes()


@pytest.mark.usefixtures("pool")
def test_a_release_is_verified_and_measured_by_its_run(space: Workspace) -> None:
    stored = upload(space)
    made = space.wait(space.submit("anonymize", {"job": job_for(stored.id)}).id, PATIENCE)
    runs = [
        space.submit("verify", {"file": made.id}),
        space.submit("measure", {"original": stored.id, "releases": [made.id], "yardsticks": ["loss"]}),
        space.submit("frontier", {"job": job_for(stored.id), "k": [2, 5], "searches": ["optimal"]}),
        space.submit("apply", {"record": made.id, "file": stored.id}),
        space.submit("diagnose", {"file": made.id, "k": 5}),
        space.submit("risk", {"file": stored.id, "quasi": ["age", "sex"], "population": stored.id}),
        space.submit("hierarchy", {"file": stored.id, "column": "zip", "show_values": True}),
        space.submit("attack", {"release": made.id, "outside": stored.id, "other": made.id, "attacks": ["linkage"]}),
    ]
    over = [space.wait(run.id, PATIENCE) for run in runs]
    assert [(run.kind, run.state, run.error) for run in over] == [(run.kind, "done", None) for run in over]
    assert over[0].result is not None
    assert over[0].result["holds"] is True
    assert over[-1].result is not None
    assert over[-1].result["exposures"][0]["details"]["people whom fewer than 2 fit"] == 0


@pytest.mark.usefixtures("pool")
def test_a_failure_is_told_in_one_shape_and_leaves_nothing(space: Workspace) -> None:
    stored = upload(space)
    run = space.wait(space.submit("anonymize", {"job": job_for(stored.id, k=500, suppress=0)}).id, PATIENCE)
    assert run.state == "failed"
    assert run.error is not None
    assert set(run.error) == {"code", "message", "hint"}
    assert run.error["code"] == "infeasible"
    assert run.artifacts == ()
    assert not (space.folder / "runs" / run.id).exists()


@pytest.mark.usefixtures("pool")
def test_an_artefact_is_asked_for_by_its_name_alone(space: Workspace) -> None:
    run = space.wait(space.submit("anonymize", {"job": job_for(upload(space).id)}).id, PATIENCE)
    for name in ("../../../workspace.sqlite", "/etc/passwd", "", ".", "people.csv"):
        with pytest.raises(NotThere):
            space.artifact(run.id, name)


@pytest.mark.usefixtures("pool")
def test_a_cancelled_run_ends_with_what_it_has(space: Workspace) -> None:
    run = space.submit("diagnose", {"file": upload(space, wide_table()).id, "k": K_OF_WIDE})
    assert until_running(space, run).progress["words"]
    assert space.cancel(run.id).cancelling
    over = space.wait(run.id, PATIENCE)
    assert over.state == "done"
    assert over.result is not None
    assert over.result["stopped"] == "interrupted"


@pytest.mark.usefixtures("pool")
def test_a_run_that_is_cancelled_twice_is_killed(space: Workspace) -> None:
    run = space.submit("diagnose", {"file": upload(space, wide_table()).id, "k": K_OF_WIDE})
    until_running(space, run)
    space.cancel(run.id)
    space.cancel(run.id)
    over = space.wait(run.id, PATIENCE)
    assert over.state in ("cancelled", "done")


def test_a_worker_that_dies_fails_its_run_alone(space: Workspace, pool: Pool) -> None:
    run = space.submit("diagnose", {"file": upload(space, wide_table()).id, "k": K_OF_WIDE})
    until_running(space, run)
    (pid,) = [pid for pid, at in list(pool.pids.items()) if at == run.id]
    os.kill(pid, signal.SIGKILL)
    over = space.wait(run.id, PATIENCE)
    assert over.state == "failed"
    assert over.error is not None
    assert over.error["code"] == "worker_died"
    assert "\n" not in over.error["message"]
    after = space.wait(space.submit("inspect", {"file": upload(space).id}).id, PATIENCE)
    assert after.state == "done"


def test_a_worker_that_dies_while_it_waits_fails_nothing(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    with Pool(space, workers=1) as pool:
        assert space.wait(space.submit("inspect", {"file": upload(space).id}).id, PATIENCE).state == "done"
        (pid,) = list(pool.pids)
        os.kill(pid, signal.SIGKILL)
        over = space.wait(space.submit("inspect", {"file": upload(space).id}).id, PATIENCE)
    assert (over.state, over.error) == ("done", None)


def test_a_full_disk_leaves_no_run_behind(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    with Pool(space, workers=1) as pool:
        stored = upload(space)
        assert space.wait(space.submit("inspect", {"file": stored.id}).id, PATIENCE).state == "done"
        run = space.submit("anonymize", {"job": job_for(stored.id)})
        space.ledger.row(f"PRAGMA max_page_count = {space.ledger.number('PRAGMA page_count')}")
        refused = 0
        for _ in range(50):
            try:
                space.submit("head", {"file": stored.id, "missing": ["x" * 1000] * 100})
            except sqlite3.OperationalError as error:
                refused += describe_error(error)["code"] == "disk_full"
        assert refused
        until(lambda: space.run(run.id).is_over or run.id not in pool.pids.values())
        space.ledger.row("PRAGMA max_page_count = 1000000")
        over = space.wait(run.id, PATIENCE)
        assert over.is_over
        assert over.state == "done" or over.error == describe_error(OSError(errno.ENOSPC, "no room"))
        assert space.wait(space.submit("inspect", {"file": stored.id}).id, PATIENCE).state == "done"


def test_a_name_means_what_it_meant_when_it_was_accepted(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    old = upload(space)
    run = space.submit("head", {"file": "people.csv", "rows": 1})
    upload(space, "other\n1\n")
    with pytest.raises(InUse):
        space.delete_file(old.id)
    with Pool(space, workers=1):
        over = space.wait(run.id, PATIENCE)
    assert over.result is not None
    assert over.result["columns"] == ["age", "sex", "zip", "disease"]


def test_time_has_a_limit(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(seconds=4, grace=PATIENCE))
    with Pool(space, workers=1):
        # The worker imports what it needs; on a busy machine that alone may take the time.
        space.wait(space.submit("diagnose", {"file": upload(space).id, "time": 1}).id, PATIENCE)
        wide = upload(space, wide_table())
        over = space.wait(space.submit("diagnose", {"file": wide.id, "k": K_OF_WIDE}).id, PATIENCE)
    assert (over.state, over.error) == ("done", None)
    assert over.result is not None
    assert over.result["stopped"] == "interrupted"


def test_memory_has_a_limit(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(memory=800 << 20, upload=1 << 30))
    rows = upload(space, "a,b\n" + "\n".join(f"{at},{at * 7}" for at in range(1_500_000)), name="rows.csv")
    with Pool(space, workers=1):
        large = space.submit("inspect", {"file": rows.id})
        small = space.submit("inspect", {"file": upload(space).id})
        over = [space.wait(run.id, PATIENCE) for run in (large, small)]
    assert over[0].state == "failed"
    assert over[0].error is not None
    assert over[0].error["code"] in ("out_of_memory", "worker_died", "internal")
    assert over[1].state == "done"


def test_one_server_for_a_workspace(space: Workspace, pool: Pool) -> None:
    with pytest.raises(UsageError, match="another server"):
        Pool(Workspace.open(space.folder)).start()


def test_a_stopped_server_puts_its_runs_back(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    with Pool(space, workers=1):
        run = space.submit("diagnose", {"file": upload(space, wide_table()).id, "k": K_OF_WIDE, "time": 1})
        waiting = space.submit("inspect", {"file": upload(space).id})
        until_running(space, run)
    assert {space.run(each.id).state for each in (run, waiting)} == {"queued"}
    with Pool(space, workers=1):
        assert {space.wait(each.id, PATIENCE).state for each in (run, waiting)} == {"done"}


def test_a_run_that_kills_the_server_again_and_again_is_given_up(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(starts=2))
    run = space.submit("inspect", {"file": upload(space).id})
    space.ledger.change("UPDATE runs SET state = 'running', starts = 2, started = 1 WHERE id = ?", run.id)
    with Pool(space, workers=1):
        over = space.wait(run.id, PATIENCE)
    assert over.state == "failed"
    assert over.error is not None
    assert over.error["code"] == "given_up"


def test_a_run_that_no_worker_was_at_is_never_given_up(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(starts=2))
    run = space.submit("inspect", {"file": upload(space).id})
    for _ in range(3):
        # The server is killed before its workers have begun.
        assert queue.take(space) is not None
        assert space.run(run.id).started is None
        queue.recover(space)
    with Pool(space, workers=1):
        over = space.wait(run.id, PATIENCE)
    assert over.state == "done"
    assert over.started is not None
