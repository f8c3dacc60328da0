"""Which columns of which tables single people out: against counting by hand."""

from itertools import combinations, product
from typing import Any

import pandas as pd
import pytest

import incrowd
from linked_sets import Frames, job_of, small_set

COLUMNS = ("people.age", "people.sex", "visits.ward", "tests.kind", "drugs.drug")


def by_hand(frames: Frames, knows: str | int, columns: tuple[str, ...], k: int) -> set[Any]:
    """The people of whom something may be known in these columns that is true of fewer than k."""
    return {who for who, people in fewest(frames, knows, columns).items() if people < k}


def by_key(frame: pd.DataFrame) -> dict[Any, list[dict[Any, Any]]]:
    """The records of each person."""
    found: dict[Any, list[dict[Any, Any]]] = {}
    for row in frame.to_dict("records"):
        found.setdefault(row["id"], []).append(row)
    return found


def fewest(frames: Frames, knows: str | int, columns: tuple[str, ...]) -> dict[Any, int]:
    """Of each person the fewest people of whom something is true that may be known of the person."""
    visits, tests = by_key(frames["visits"]), by_key(frames["tests"])
    chosen = {name: [each.split(".")[1] for each in columns if each.startswith(f"{name}.")] for name in frames}
    known = {name: bool(of) for name, of in chosen.items()}
    known["visits"] |= known["drugs"]
    drugs: dict[Any, list[Any]] = {}
    for row in frames["drugs"].to_dict("records"):
        drugs.setdefault(row["visit"], []).append(tuple(row[each] for each in chosen["drugs"]))
    true_of: dict[Any, set[Any]] = {}
    for row in frames["people"].to_dict("records"):
        own = tuple(row[each] for each in chosen["people"])
        lists: dict[str, list[Any]] = {"visits": [], "tests": [], "drugs": []}
        tree = []
        for visit in visits.get(row["id"], []):
            cells = tuple(visit[each] for each in chosen["visits"])
            below = drugs.get(visit["visit"], [])
            lists["visits"].append(cells)
            lists["drugs"] += [(cells, drug) for drug in below]
            tree.append((cells, tuple(sorted(below)) if known["drugs"] else ()))
        for test in tests.get(row["id"], []):
            lists["tests"].append(tuple(test[each] for each in chosen["tests"]))
        if knows == "history":
            seen = {
                (
                    own,
                    tuple(sorted(tree)) if known["visits"] else (),
                    tuple(sorted(lists["tests"])) if known["tests"] else (),
                )
            }
        else:
            most = 1 if knows == "record" else int(knows)
            choices = [
                {tuple(sorted(some)) for size in range(most + 1) for some in combinations(sorted(of), size)}
                if known[name]
                else {()}
                for name, of in lists.items()
            ]
            seen = {(own, *each) for each in product(*choices)}
        for view in seen:
            true_of.setdefault(view, set()).add(row["id"])
    sizes = [(who, len(people)) for people in true_of.values() for who in people]
    return dict(sorted(sizes, key=lambda pair: -pair[1]))


@pytest.mark.parametrize("knows", ["record", 2, "history"])
@pytest.mark.parametrize("seed", range(3))
def test_people_are_singled_out_as_counted_by_hand(seed: int, knows: str | int) -> None:
    """By every set of up to three columns, and by all."""
    frames = small_set(seed, people=16)
    job = incrowd.LinkedJob.from_dict(job_of(frames, knows=knows)).reading(frames)
    answer = incrowd.diagnose(job).ask(k=3, max_size=3)
    assert answer.all_columns is not None
    assert answer.all_columns.people == len(by_hand(frames, knows, COLUMNS, 3))
    sizes = fewest(frames, knows, COLUMNS)
    assert answer.highest_risk == 1 / min(sizes.values())
    assert answer.average_risk == pytest.approx(sum(1 / size for size in sizes.values()) / 16)
    assert len(answer.sets) == 5 + 10 + 10
    for each in answer.sets:
        exposed = by_hand(frames, knows, each.columns, 3)
        assert each.people == len(exposed)
        if len(each.columns) > 1:
            before = [by_hand(frames, knows, fewer, 3) for fewer in combinations(each.columns, len(each.columns) - 1)]
            assert each.only_together == len(exposed.difference(*before))


def test_what_is_only_known_together_is_said() -> None:
    """Nobody is alone by the ward or by the kind of test, and everybody by both."""
    frames = {
        "people": pd.DataFrame({"id": range(4), "age": 20, "sex": "f"}),
        "visits": pd.DataFrame({"id": range(4), "ward": list("aabb"), "illness": "flu", "visit": range(4)}),
        "tests": pd.DataFrame({"id": range(4), "kind": list("xyxy")}),
    }
    answer = incrowd.diagnose(incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames)).ask()
    [found] = answer.together
    assert (found.columns, found.people, found.only_together) == (("visits.ward", "tests.kind"), 4, 4)
    assert "visits.ward + tests.kind" in str(answer)


def test_a_time_limit_gives_a_part_of_the_answer() -> None:
    """It says so."""
    frames = small_set(1)
    answer = incrowd.diagnose(incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames)).ask(time=0)
    assert answer.stopped == "time"
    assert "not all sets" in str(answer)
