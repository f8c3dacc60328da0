"""The queue of runs, from accepted to ended. Every step is durable before it is visible."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from incrowd.errors import NotThere, QueueFull, TooLarge, UsageError
from incrowd.service.failures import describe_error, failure, faults
from incrowd.service.kinds import kind as kind_of
from incrowd.service.ledger import Row, packed
from incrowd.service.references import References
from incrowd.service.resources import State

if TYPE_CHECKING:
    from incrowd.service.workspace import Workspace

_NEXT = """
SELECT * FROM runs AS mine WHERE state = 'queued' ORDER BY
    (SELECT count(*) FROM runs AS other WHERE other.state = 'running' AND other.owner = mine.owner), number
LIMIT 1
"""
"""The oldest, but first of those owners who have fewest running."""


_DEEPEST = 100
"""Levels of a request."""


@dataclass(frozen=True)
class Task:
    """A run that a worker can do."""

    id: str
    kind: str
    request: dict[str, Any]
    """As the folder of the run sees it."""
    folder: Path
    links: dict[str, str]
    secrets: dict[str, str] = field(repr=False)
    starts: int = 1
    """Number of starts, this one included."""

    def line(self) -> str:
        """Return the line for the pipe to the worker."""
        plain = {"kind": self.kind, "request": self.request, "folder": str(self.folder)}
        return packed({**plain, "links": self.links, "secrets": self.secrets})


def check(space: Workspace, kind: str, request: Mapping[str, Any], owner: str) -> None:
    """Refuse a request that `submit` would refuse."""
    _prepared(space, kind, checked(kind, request), owner)


def submit(space: Workspace, kind: str, request: Mapping[str, Any], owner: str) -> str:
    """Check a request and append it; return its id."""
    plain = checked(kind, request)
    size = len(packed(plain).encode())
    if size > space.limits.request:
        raise TooLarge.beyond("the request", f"{space.limits.request:,} bytes", "put long lists into files")
    uses = _prepared(space, kind, plain, owner)[1].uses
    id = f"r{token_hex(8)}"
    with space.ledger.all_or_nothing():
        _refuse_more(space, owner)
        space.refuse_more_bytes(owner, size)
        for each in uses:
            if not space.ledger.row(
                "SELECT 1 FROM files WHERE id = ? UNION SELECT 1 FROM runs WHERE id = ?", each, each
            ):
                raise NotThere.of("file")
        space.ledger.insert(
            "runs",
            {
                "id": id,
                "owner": owner,
                "kind": kind,
                "state": "queued",
                "request": packed(plain),
                "uses": packed(uses),
                "submitted": time.time(),
                "size": size,
            },
        )
    return id


def is_deep(plain: Any) -> bool:
    """Return whether data are nested too deeply to read or write, without recursion."""
    level = [plain]
    for _ in range(_DEEPEST):
        inside = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = list(chain.from_iterable(inside))
    return bool(level)


def checked(kind: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as plain data; raise UsageError if it is not one of its kind."""
    from pydantic import ValidationError

    if is_deep(request):
        raise UsageError.invalid(f"the request for {kind}", "it is nested too deeply", "write it flatter")
    try:
        made = kind_of(kind).REQUEST.model_validate(dict(request))
    except ValidationError as error:
        raise UsageError.invalid(
            f"the request for {kind}", faults(error.errors(include_input=False)), "correct what is named"
        ) from None
    plain: dict[str, Any] = made.model_dump(exclude_unset=True)
    try:
        packed(plain).encode()
    except (TypeError, ValueError):
        raise UsageError.invalid(
            f"the request for {kind}", "it holds a number or a text that JSON does not have", "leave it out"
        ) from None
    return plain


def _prepared(
    space: Workspace, kind: str, plain: dict[str, Any], owner: str, uses: list[str] | None = None
) -> tuple[dict[str, Any], References]:
    """Return a request as a worker needs it; names keep the meaning they had when it was accepted."""
    files = References(lambda text: space.held(text, owner, uses))
    known = kind_of(kind)
    return known.prepare(known.REQUEST.model_validate(plain), files), files


def _refuse_more(space: Workspace, owner: str) -> None:
    limits, number = space.limits, space.ledger.number
    space.refuse_more_runs(owner)
    if (
        number("SELECT count(*) FROM runs WHERE state = 'queued'") >= limits.waiting
        or number("SELECT count(*) FROM runs WHERE state = 'queued' AND owner = ?", owner) >= limits.waiting_each
    ):
        raise QueueFull("too many runs are waiting; ask again in a moment")


def cancel(space: Workspace, id: str) -> None:
    """Cancel a run: a waiting one ends at once, a running one is asked to stop, then killed."""
    now = time.time()
    change = space.ledger.change
    if not change("UPDATE runs SET state = 'cancelled', ended = ? WHERE id = ? AND state = 'queued'", now, id):
        change("UPDATE runs SET cancelled = min(cancelled + 1, 2) WHERE id = ? AND state = 'running'", id)


def cancelled(space: Workspace, id: str) -> int:
    """Return how often a run was asked to stop."""
    return space.ledger.number("SELECT cancelled FROM runs WHERE id = ?", id)


def take(space: Workspace) -> Task | None:
    """Take the next run, which is running from now on; None if none waits."""
    task = None
    while task is None:
        # Where not even this can be written, the run goes on waiting.
        with space.ledger.all_or_nothing():
            row = space.ledger.row(_NEXT)
            if row is None:
                return None
            task = _begun(space, row)
    space.tell()
    return task


def _begun(space: Workspace, row: Row) -> Task | None:
    """Return the task of a run; None if it ends before it begins, because its files are gone."""
    space.ledger.change("UPDATE runs SET state = 'running', starts = starts + 1 WHERE id = ?", row["id"])
    try:
        # What ran since it was accepted may have made more than there is room for.
        space.refuse_more_bytes(row["owner"])
        return _task(space, {**row, "starts": row["starts"] + 1})
    except Exception as error:
        end(space, row["id"], "failed", error=describe_error(error))
        return None


def _task(space: Workspace, row: Row) -> Task:
    plain, files = _prepared(space, row["kind"], json.loads(row["request"]), row["owner"], json.loads(row["uses"]))
    folder = space.folder / "runs" / row["id"] / str(row["starts"])
    # What an earlier start left behind.
    shutil.rmtree(folder.parent, ignore_errors=True)
    folder.parent.mkdir(mode=0o700)
    folder.mkdir(mode=0o700)
    return Task(row["id"], row["kind"], plain, folder, files.links, files.secrets, row["starts"])


def end(
    space: Workspace,
    id: str,
    state: State,
    result: dict[str, Any] | None = None,
    error: dict[str, str] | None = None,
    artefacts: list[dict[str, Any]] | None = None,
) -> None:
    """End a run; remove the folder of one without result first."""
    if not artefacts:
        shutil.rmtree(space.folder / "runs" / id, ignore_errors=True)
    found = None if result is None else packed(result)
    space.ledger.change(
        "UPDATE runs SET state = ?, result = ?, error = ?, artefacts = ?, ended = ?, size = size + ? WHERE id = ?",
        state,
        found,
        None if error is None else packed(error),
        packed(artefacts or []),
        time.time(),
        len((found or "").encode()) + sum(each["size"] for each in artefacts or []),
        id,
    )
    space.live.pop(id, None)
    space.tell()


def put_back(space: Workspace, id: str) -> None:
    """Requeue a run whose worker was stopped with the server, in its old place."""
    space.ledger.change(
        "UPDATE runs SET state = 'queued', started = NULL, starts = starts - 1 WHERE id = ? AND state = 'running'", id
    )
    space.live.pop(id, None)


def begins(space: Workspace, id: str) -> None:
    """Note that a worker has begun the run."""
    space.ledger.change("UPDATE runs SET started = ? WHERE id = ?", time.time(), id)


def wait_again(space: Workspace, id: str) -> None:
    """Requeue a run that could not be begun, in its old place."""
    space.ledger.change("UPDATE runs SET state = 'queued', started = NULL WHERE id = ? AND state = 'running'", id)
    space.live.pop(id, None)


def recover(space: Workspace) -> None:
    """Requeue the runs of a killed server, unless that has happened too often."""
    for row in space.ledger.rows("SELECT id, starts, started, cancelled FROM runs WHERE state = 'running'"):
        if row["cancelled"]:
            end(space, row["id"], "cancelled")
        elif row["started"] is None:
            # No worker was at it yet, so the server did not die of it.
            put_back(space, row["id"])
        elif row["starts"] >= space.limits.starts:
            again = failure(
                "given_up",
                f"the server ended {row['starts']} times while it ran",
                "ask for less, or look at the server",
            )
            end(space, row["id"], "failed", error=again)
        else:
            wait_again(space, row["id"])
    space.tell()
