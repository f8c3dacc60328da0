"""Tables of counts and sums, and the records that stand out, as runs of the service."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from incrowd import api
from incrowd.errors import IncrowdError
from incrowd.service import Pool, Workspace
from service.spaces import done, upload

SALES = "\n".join(
    [
        "region,sector,amount",
        *(f"{'NSEW'[at % 4]},{'abc'[at % 3]},{(at * 37) % 90 + 1}" for at in range(60)),
        "N,d,5",
        "S,d,",
        "=x,d,7",
    ]
)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    space = Workspace.open(tmp_path_factory.mktemp("tables") / "space")
    with Pool(space, 1):
        yield space
    space.close()


def test_a_table_is_the_same_as_from_the_library(space: Workspace, tmp_path: Path) -> None:
    stored = upload(space, SALES, "table.csv")
    path = tmp_path / "sales.csv"
    path.write_text(SALES)
    asked = {"by": ["region", "sector"], "rules": ["threshold:n=4"], "seed": 3}
    run = done(space, "table", file=stored.id, **asked)
    found = api.table(path, **asked)  # type: ignore[arg-type]
    assert run.result is not None
    assert run.result["cells"] == [list(row) for row in found.rows()]
    assert run.result["suppressed"] == found.suppressed > 0
    assert [(each.name, each.kind) for each in run.artifacts] == [("table.csv", "table")]
    found.save(tmp_path / "again.csv")
    assert space.artifact(run.id, "table.csv").read_text() == (tmp_path / "again.csv").read_text()


def test_what_is_private_is_told_on_request_alone_and_is_in_no_file(space: Workspace) -> None:
    stored = upload(space, SALES, "sales.csv")
    asked = {"file": stored.id, "by": ["region"], "measure": "sum:amount", "output": "json"}
    public = done(space, "table", **asked)
    assert public.result is not None
    assert "private" not in public.result
    private = done(space, "table", **asked, details=True)
    assert private.result is not None
    assert private.result["private"]["rules"] == ["threshold", "p_percent"]
    assert {each["sensitive"] for each in private.result["private"]["ranges"]} == {True, False}
    published = json.loads(space.artifact(private.id, "table.json").read_text())
    assert "private" not in published


def test_subtotals_and_rounding(space: Workspace) -> None:
    stored = upload(space, SALES, "sales.csv")
    levels = upload(
        space, "N;north;*\nS;south;*\nE;north;*\nW;south;*\n=x;south;*\n", "levels.csv", purpose="hierarchy"
    )
    run = done(
        space,
        "table",
        file=stored.id,
        by=["region"],
        protect={"controlled_rounding": {"base": 5}},
        hierarchies={"region": levels.id},
    )
    assert run.result is not None
    labels = [row[0] for row in run.result["cells"]]
    assert {"north", "south", "Total"} <= set(labels)
    assert all(row[1] % 5 == 0 for row in run.result["cells"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rules": ["treshold"]}, "threshold"),
        ({"rules": ["p_percent"]}, "amounts"),
        ({"protect": "blur"}, "suppression"),
        ({"protect": 7}, "protection"),
        ({"measure": "mean"}, "count"),
        ({"by": []}, "by"),
        ({"output": "pdf"}, "pdf"),
        ({"hierarchies": {"region": "levels-of-nobody.csv"}}, "hierarchy"),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(space: Workspace, wrong: dict[str, Any], words: str) -> None:
    stored = upload(space, SALES, "sales.csv")
    with pytest.raises(IncrowdError, match=words):
        space.submit("table", {"file": stored.id, "by": ["region"], **wrong})


def test_records_that_stand_out_are_told_by_their_place(space: Workspace) -> None:
    stored = upload(space, SALES, "sales.csv")
    asked = {"file": stored.id, "quasi": ["region", "sector", "amount"]}
    plain = done(space, "risk", **asked)
    assert plain.result is not None
    assert "rows" not in plain.result
    listed = done(space, "risk", **asked, rows=True)
    assert listed.result is not None
    # The last record alone has its region: nothing else stands out as much.
    assert listed.result["rows"][0]["row"] == 62
    assert set(listed.result["rows"][0]) == {"row", "score"}
