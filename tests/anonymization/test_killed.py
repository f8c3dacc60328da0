"""A run that is killed, at whatever moment, leaves the old release or the whole new one, and the next leaves nothing.

`scripts/kill_runs.py` does the same with a thousand kills.
"""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from anonymization.killing import FILES, TABLES, killed_often, target
from effort import effort
from formats.writing import own_database

KILLS = effort(2, 4)
KINDS = [*FILES, *TABLES]
RUNS = effort(
    [(kind, at % 2 == 0) for at, kind in enumerate(KINDS)], [(kind, at) for kind in KINDS for at in (True, False)]
)
"""Kinds of output; whether there was one already, in turn."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forked")
@pytest.mark.parametrize(("kind", "replacing"), RUNS)
def test_killed_runs(kind: str, replacing: bool, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with ExitStack() as stack:
        url = ""
        if kind == "postgres":
            url = stack.enter_context(own_database(request.getfixturevalue("postgres_url")))
        counts = killed_often(stack.enter_context(target(kind, tmp_path, url)), KILLS, replacing)
    assert not counts.faults
    assert counts.kills == counts.none + counts.old + counts.new == KILLS
