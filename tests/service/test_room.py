"""How much one owner may keep: files and runs together have a limit, and lists do not load what may be long."""

import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from incrowd.errors import TooLarge
from incrowd.rest.app import make_app
from incrowd.service import Limits, Pool, Run, Workspace
from service.spaces import PEOPLE, job_for, upload

LONG = ["x" * 1000] * 100
"""Hundred thousand bytes of a request."""


def asked_in_vain(space: Workspace, file: str) -> Run:
    """A run that is over and made nothing, but was asked for at length."""
    return space.cancel(space.submit("head", {"file": file, "missing": LONG}).id)


def test_requests_count_as_files_do(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(stored=350_000))
    stored = upload(space)
    runs = [asked_in_vain(space, stored.id) for _ in range(3)]
    with pytest.raises(
        TooLarge, match=r"your files and runs: .* 350,000 bytes in total is exceeded; delete files or runs"
    ):
        asked_in_vain(space, stored.id)
    with pytest.raises(TooLarge, match="your files and runs"):
        upload(space, PEOPLE + "\n" * 50_000)
    # Everybody has a room of their own.
    upload(space, owner="other")
    space.delete_run(runs[0].id)
    assert asked_in_vain(space, stored.id).state == "cancelled"


def test_what_was_made_counts_too(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(stored=100_000))
    stored = upload(space)
    first, second = (space.submit("anonymize", {"job": job_for(stored.id)}) for _ in range(2))
    with Pool(space, workers=1):
        made, refused = space.wait(first.id, 300), space.wait(second.id, 300)
    assert made.state == "done"
    assert space.ledger.number("SELECT size FROM runs WHERE id = ?", made.id) > sum(
        each.size for each in made.artifacts
    )
    # It was accepted, but no room is left for it.
    assert refused.error is not None
    assert (refused.state, refused.error["code"]) == ("failed", "too_large")
    with pytest.raises(TooLarge):
        space.submit("head", {"file": stored.id})
    space.delete_run(made.id)
    space.submit("head", {"file": stored.id})


def test_the_number_of_runs_has_a_limit(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(runs=2))
    stored = upload(space)
    runs = [space.cancel(space.submit("head", {"file": stored.id}).id) for _ in range(2)]
    with pytest.raises(TooLarge, match=r"your runs: .*; delete runs"):
        space.submit("head", {"file": stored.id})
    space.delete_run(runs[0].id)
    space.submit("head", {"file": stored.id})


def test_a_list_of_runs_is_short_whatever_was_asked(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    stored = upload(space)
    for _ in range(30):
        asked_in_vain(space, stored.id)
    tracemalloc.start()
    runs = space.runs()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000
    assert [(run.request, run.uses) for run in runs] == [({}, (stored.id,))] * 30
    assert space.run(runs[0].id).request["missing"] == LONG


def test_who_waits_for_a_run_does_not_read_its_request_again_and_again(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    run = space.submit("head", {"file": upload(space).id, "missing": LONG})
    read: list[str] = []
    with monitored(space, read):
        TestClient(make_app(space), "http://127.0.0.1").get(f"/v1/runs/{run.id}?wait=1")
        space.wait(run.id, 1)
    assert len(read) >= 5
    # To tell what became of it: once by the service, once here.
    assert sum("*" in statement for statement in read) == 2


@contextmanager
def monitored(space: Workspace, read: list[str]) -> Iterator[None]:
    """All statements about runs meanwhile."""
    space.ledger._connection.set_trace_callback(read.append)
    yield
    space.ledger._connection.set_trace_callback(None)


BEFORE = """
DROP TABLE runs;
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL,
    state TEXT NOT NULL, request TEXT NOT NULL, uses TEXT NOT NULL,
    result TEXT, error TEXT, artefacts TEXT NOT NULL DEFAULT '[]', submitted REAL NOT NULL, started REAL, ended REAL,
    starts INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_of ON runs (owner, number);
CREATE INDEX runs_in ON runs (state, number);
INSERT INTO runs (id, owner, kind, state, request, uses, result, artefacts, submitted) VALUES
    ('r1', '', 'anonymize', 'done', '{"job": 1}', '["f1"]', '{}',
     '[{"name": "a", "kind": "release", "size": 70}, {"name": "b", "kind": "job", "size": 8}]', 1.0),
    ('r2', '', 'apply', 'queued', '{"file": "f2"}', '["r1", "f2"]', NULL, '[]', 2.0);
"""


def test_a_workspace_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "space").close()
    with closing(sqlite3.connect(tmp_path / "space" / "workspace.sqlite")) as ledger:
        ledger.executescript(BEFORE)
    for _ in range(2):
        space = Workspace.open(tmp_path / "space")
        assert [(run.id, run.state, run.uses) for run in space.runs()] == [
            ("r2", "queued", ("f2", "r1")),
            ("r1", "done", ("f1",)),
        ]
        assert space.run("r1").request == {"job": 1}
        assert [row["size"] for row in space.ledger.rows("SELECT size FROM runs ORDER BY number")] == [90, 14]
        indexes = "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE 'runs\\_%' ESCAPE '\\'"
        assert space.ledger.number(indexes) == 3
        space.close()
