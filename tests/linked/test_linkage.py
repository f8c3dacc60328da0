"""An exhaustive attack on small sets: whatever is known of anybody, at least k people of the release fit."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

import incrowd
from linked_sets import Frames, job_of, small_set

Tree = tuple[Any, ...]


def rows(frames: Frames, name: str, key: str, columns: list[str]) -> dict[Any, list[tuple[Any, Tree]]]:
    """The records of a table by their key: their cells, and their own key."""
    frame = frames[name]
    own = frame["visit"] if name == "visits" and "visit" in frame else frame.index
    found: dict[Any, list[tuple[Any, Tree]]] = {}
    for at, of, cells in zip(own, frame[key], frame[columns].itertuples(index=False, name=None), strict=True):
        found.setdefault(of, []).append((at, tuple(map(str, cells))))
    return found


def persons(frames: Frames) -> Iterator[tuple[Tree, dict[str, list[Tree]], Tree]]:
    """Of each person the own record, the records of each table with what they hang on, and everything as a tree."""
    visits, tests = rows(frames, "visits", "id", ["ward"]), rows(frames, "tests", "id", ["kind"])
    drugs = rows(frames, "drugs", "visit", ["drug"]) if "drugs" in frames else {}
    for key, *cells in frames["people"][["id", "age", "sex"]].itertuples(index=False, name=None):
        own = tuple(map(str, cells))
        lists = {
            "visits": [cells for _, cells in visits.get(key, [])],
            "tests": [cells for _, cells in tests.get(key, [])],
            "drugs": [(visit, drug) for at, visit in visits.get(key, []) for _, drug in drugs.get(at, [])],
        }
        tree = (
            own,
            tuple(sorted(lists["tests"])),
            tuple(
                sorted(
                    (visit, tuple(sorted(drug for _, drug in drugs.get(at, [])))) for at, visit in visits.get(key, [])
                )
            ),
        )
        yield own, lists, tree


def knowledge(frames: Frames, knows: str | int) -> "Counter[Any]":
    """Everything that may be known of anybody, with the number of people of whom it is true."""
    found: Counter[Any] = Counter()
    for own, lists, tree in persons(frames):
        if knows == "history":
            found[tree] += 1
            continue
        most = 1 if knows == "record" else int(knows)
        choices = [
            {tuple(sorted(chosen)) for size in range(most + 1) for chosen in combinations(sorted(records), size)}
            for records in lists.values()
        ]
        found.update({(own, *chosen) for chosen in product(*choices)})
    return found


@pytest.mark.parametrize("knows", ["record", 2, "history"])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_found_below_k(seed: int, nested: bool, knows: str | int) -> None:
    """The original set has people who are alone; in the release nobody is."""
    frames = small_set(seed, nested=nested)
    assert min(knowledge(frames, knows).values()) == 1
    made = incrowd.anonymize(frames, job_of(frames, knows=knows, models=["k_anonymity:k=3"]))
    if made.manifest.people:
        assert min(knowledge(dict(made.frames), knows).values()) == made.manifest.smallest >= 3


def largest_safe(frames: Frames, knows: str | int, k: int) -> int:
    """How many people can be published as they are, by trying all sets of them, the largest first."""
    everybody = list(frames["people"]["id"])
    for size in range(len(everybody), 0, -1):
        for chosen in combinations(everybody, size):
            rest = {name: frame[frame["id"].isin(chosen)] for name, frame in frames.items()}
            if min(knowledge(rest, knows).values()) >= k:
                return size
    return 0


@pytest.mark.parametrize("knows", ["record", 2, "history"])
@pytest.mark.parametrize("seed", range(4))
def test_as_few_go_as_can(seed: int, knows: str | int) -> None:
    """Where nothing is generalized, no larger set of people could be published."""
    frames = small_set(seed, people=7, nested=False)
    job = job_of(frames, knows=knows)
    for table in job["tables"].values():
        for name, column in table["columns"].items():
            if "quasi" in (column, column["role"] if isinstance(column, dict) else None):
                table["columns"][name] = {**(column if isinstance(column, dict) else {"role": column}), "limit": 0}
    made = incrowd.anonymize(frames, job)
    assert made.manifest.people == largest_safe(frames, knows, 2)


@pytest.mark.parametrize("search", ["exhaustive", "best_first", "incognito", "samarati"])
@pytest.mark.parametrize("knows", ["record", "history"])
def test_every_search_finds_a_release_that_holds(search: str, knows: str) -> None:
    """Exhaustive search finds no better one than optimal, and the others none that is better."""
    frames = small_set(3, people=30)
    best = incrowd.anonymize(frames, job_of(frames, knows=knows, suppress=0.5))
    other = incrowd.anonymize(frames, job_of(frames, knows=knows, suppress=0.5, search=search))
    scores = [made.record.figures.scores["loss"] for made in (best, other)]
    assert scores[1] == pytest.approx(scores[0]) if search == "exhaustive" else scores[1] >= scores[0] - 1e-12
    assert other.verdict.holds


@pytest.mark.parametrize(
    "model",
    [
        "distinct_l:l=2,column=visits.illness",
        "entropy_l:l=1.5,column=visits.illness",
        "recursive_cl:c=3,l=2,column=visits.illness",
        "alpha_k:alpha=0.8,k=2,column=visits.illness",
        "p_sensitive:p=2,k=2,column=visits.illness",
    ],
)
@pytest.mark.parametrize("knows", ["record", 2, "history"])
@pytest.mark.parametrize("seed", range(3))
def test_models_of_sensitive_values_are_verified_by_code_of_its_own(seed: int, knows: str | int, model: str) -> None:
    """The search and the verifier agree, or nothing would be published."""
    frames = small_set(seed, people=25)
    made = incrowd.anonymize(frames, job_of(frames, knows=knows, models=["k_anonymity:k=2", model]))
    assert made.verdict.holds
