"""Delete a table and all that was made from it, whoever asked for that and by whichever name."""

from pathlib import Path
from typing import Any

import pytest

from incrowd.errors import InUse
from incrowd.service import Pool, Run, Workspace
from incrowd.web.pages import releases
from incrowd.web.parts.background import forget
from service.spaces import PEOPLE, done, job_for, upload


def kept(space: Workspace) -> set[str]:
    """All files of the workspace that hold a value of the first table."""
    return {path.name for path in space.folder.rglob("*") if path.is_file() and b"rarest" in path.read_bytes()}


def test_runs_that_were_asked_for_by_name_go_too(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    first = upload(space, PEOPLE.replace(",a", ",rarest"))
    with Pool(space, workers=1):
        by_name = done(space, "anonymize", job=job_for("people.csv"))
        by_id = done(space, "head", file=first.id)
        told = done(space, "report", file=by_name.id, form="json")
        # The same name means another table from now on.
        second = upload(space)
        others = done(space, "anonymize", job=job_for("people.csv"))
        recoded = done(space, "apply", record=by_name.id, file=second.id)
    assert [each.id for each in releases.runs_from_table(space, "", first.id)] == [told.id, by_id.id, by_name.id]
    assert releases.table_of(space, "", others) == (second.id, "people.csv")
    assert [each.id for each in releases.releases(space, "", second.id)] == [recoded.id, others.id]
    assert kept(space)
    releases.delete_all(space, "", first.id)
    assert {each.id for each in space.runs()} == {others.id, recoded.id}
    assert kept(space) == set()
    releases.delete_all(space, "", second.id)
    assert (space.runs(), space.files(), kept(space)) == ([], [], set())


def test_nothing_goes_while_a_release_is_made(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    stored = upload(space)
    waiting: Run = space.submit("anonymize", {"job": job_for("people.csv")})
    with pytest.raises(InUse, match="a release of this table is being created"):
        releases.delete_all(space, "", stored.id)
    space.cancel(waiting.id)
    releases.delete_all(space, "", stored.id)
    assert (space.runs(), space.files()) == ([], [])


def test_a_page_that_is_being_left_does_not_keep_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may delete its own run first, and ask for another one after the runs were listed."""
    space = Workspace.open(tmp_path / "space")
    stored = upload(space)
    space.submit("head", {"file": stored.id})
    listed = releases.runs_from_table
    late = iter([lambda: space.submit("head", {"file": stored.id})])

    def list_before_the_page_acts(*which: Any) -> list[Run]:
        found = listed(*which)
        for act in late:
            forget(space, found[0].id)
            act()
        return found

    monkeypatch.setattr(releases, "runs_from_table", list_before_the_page_acts)
    releases.delete_all(space, "", stored.id)
    assert (space.runs(), space.files()) == ([], [])
