"""Verify what the workspace made: its private record and its table are there, so nothing is left open."""

from pathlib import Path

from incrowd.service import Pool, Workspace
from service.spaces import PEOPLE, done, job_for, upload

VISITS = "\n".join([f"{'who' if at == 0 else at % 150},{row}" for at, row in enumerate(PEOPLE.splitlines())])


def test_people_are_counted_again_in_the_table_that_the_run_read(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    stored, other = upload(space, VISITS), upload(space, VISITS.replace("\n7,", "\n8,"), "other.csv")
    job = job_for(stored.id)
    job["columns"] |= {"who": {"role": "person"}}
    with Pool(space, workers=1):
        made = done(space, "anonymize", job=job)
        verdict = done(space, "verify", file=made.id).result
        against = done(space, "verify", file=made.id, original=other.id).result
        space.delete_file(stored.id)
        without = done(space, "verify", file=made.id).result
    assert verdict is not None
    assert verdict["verdict"] == "holds", verdict["text"]
    assert against is not None
    assert against["verdict"] == "does not hold", against["text"]
    # Nobody can count people in a table that is gone.
    assert without is not None
    assert without["verdict"] == "not proven", without["text"]


def test_the_private_record_of_a_run_is_used(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    stored = upload(space)
    with Pool(space, workers=1):
        made = done(space, "anonymize", job=job_for(stored.id))
        verdict = done(space, "verify", file=made.id).result
    assert verdict is not None
    assert verdict["verdict"] == "holds"
    assert "record" in {each["name"] for each in verdict["checks"]}
