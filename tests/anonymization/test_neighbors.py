"""The nodes around a release, against the searches that count all of them."""

import polars
import pytest

from incrowd import api
from incrowd.errors import UsageError

TABLE = polars.DataFrame({"age": [21, 22, 23, 24, 31, 32, 33, 38], "sex": list("fmfmfmfm")})
JOB = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}},
        "sex": {"role": "quasi"},
    },
    "models": [{"k_anonymity": {"k": 2}}],
    "search": "optimal",
}


def at(levels: dict[str, int]) -> dict[str, object]:
    """The job that allows one node alone."""
    columns = {
        name: {**column, "limit": levels[name], "minimum": levels[name]} for name, column in JOB["columns"].items()
    }
    return {**JOB, "columns": columns}


def test_each_is_what_a_search_finds_there() -> None:
    made = api.anonymize(TABLE, JOB)
    levels = {name: level for name, level in made.levels.items() if level is not None}
    found = api.neighbors(TABLE, JOB, levels)
    assert [each.step for each in found].count("chosen") == 1
    assert found[0].levels == levels
    for each in found:
        differing = {name for name in levels if levels[name] != each.levels[name]}
        assert differing == ({each.column} if each.column else set())
        plain = each.to_dict()
        if plain["feasible"]:
            there = api.anonymize(TABLE, at(each.levels))
            assert plain["score"] == pytest.approx(there.figures.scores["loss"])
            assert plain["smallest"] == there.manifest.smallest
            assert plain["suppressed"] == there.manifest.suppressed
        else:
            assert plain["score"] is None


def test_the_best_has_no_better_neighbor() -> None:
    made = api.anonymize(TABLE, JOB)
    found = api.neighbors(TABLE, JOB, {name: level or 0 for name, level in made.levels.items()})
    scores = [each.node.score for each in found if each.node.feasible]
    assert scores[0] == min(scores)


@pytest.mark.parametrize("levels", [{}, {"age": 1}, {"age": 9, "sex": 0}, {"age": -1, "sex": 0}])
def test_levels_that_are_no_node(levels: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="not a node"):
        api.neighbors(TABLE, JOB, levels)


def test_a_local_search_has_no_lattice() -> None:
    with pytest.raises(UsageError, match="not choose a level per column"):
        api.neighbors(TABLE, {**JOB, "search": "mondrian"}, {"age": 0, "sex": 0})
