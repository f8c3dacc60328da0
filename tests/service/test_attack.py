"""Attacks on releases as runs of the service."""

from collections.abc import Iterator

import pytest

from incrowd.errors import IncrowdError
from incrowd.service import Pool, Run, Workspace
from service.spaces import PEOPLE, done, job_for, upload


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    space = Workspace.open(tmp_path_factory.mktemp("attacks") / "space")
    with Pool(space, 1):
        yield space
    space.close()


def exposed(run: Run) -> dict[str, int]:
    assert run.result is not None
    return {each["attack"]: each["records"] for each in run.result["exposures"]}


def test_a_release_hides_whom_the_table_shows(space: Workspace) -> None:
    people = upload(space)
    voters = upload(space, "age,sex,zip\n20,m,1000\n99,m,1000\n", "voters.csv")
    made = done(space, "anonymize", job=job_for(people.id))
    roles = {"age": "quasi", "sex": "quasi", "zip": "quasi", "disease": "sensitive"}
    table = done(space, "attack", release=people.id, columns=roles, outside=voters.id)
    release = done(space, "attack", release=made.id, outside=voters.id)
    assert exposed(release)["linkage"] == 0 < exposed(table)["linkage"]


def test_another_release_and_statements_are_brought_along(space: Workspace) -> None:
    people = upload(space)
    first = done(space, "anonymize", job=job_for(people.id))
    second = done(space, "anonymize", job=job_for(people.id, k=9))
    run = done(space, "attack", release=first.id, other=second.id, knows=["disease!=a"])
    assert {"intersection", "statements"} <= {name.partition(":")[0] for name in exposed(run)}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"release": "nobody"}, "release"), ({"outside": "nobody.csv"}, "outside")],
)
def test_what_makes_no_sense_is_refused_at_once(space: Workspace, wrong: dict[str, object], words: str) -> None:
    stored = upload(space, PEOPLE)
    with pytest.raises(IncrowdError, match=words):
        space.submit("attack", {"release": stored.id, "columns": ["age"], **wrong})


def test_shares_of_the_population_are_brought_along(space: Workspace) -> None:
    block = "race,disease\n" + "".join(
        f"black,{each}\n" for each in ("diabetes", "short breath", "diabetes", "diabetes")
    )
    release = upload(space, block, "block.csv")
    shares = upload(space, "disease,share\ndiabetes,0.2\nshort breath,0.8\n", "shares.csv")
    roles = {"race": "quasi", "disease": "sensitive"}
    for given in (shares.id, {"disease": {"diabetes": 0.2}}, "disease=diabetes:0.2"):
        run = done(space, "attack", release=release.id, columns=roles, attacks=["skewness"], shares=[given])
        assert exposed(run) == {"skewness": 4}
    with pytest.raises(IncrowdError, match="table of shares"):
        space.submit("attack", {"release": release.id, "columns": roles, "shares": ["nobody.csv"]})
