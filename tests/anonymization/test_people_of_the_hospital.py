"""The hospital example: no search that counts people leaves a class with fewer than k of them, whatever is known."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars
import pytest

import incrowd
from incrowd.errors import UsageError
from incrowd.families import SEARCHES

K = 5
HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"
JOB: dict[str, Any] = {
    "columns": {
        "name": {"role": "person"},
        "birth_date": {"role": "quasi", "person": True, "hierarchy": "dates:levels=year/decade"},
        "sex": {"role": "quasi"},
        "postcode": {"role": "quasi", "hierarchy": "mask:steps=1/2"},
        "row": {"role": "keep"},
    },
    "models": [f"k_anonymity:k={K}"],
    "suppress": {"share": 0.02, "of": "people"},
}
QUASI = ("birth_date", "sex", "postcode")
LOSSES = {"optimal": 0.38, "mondrian": 0.11, "microaggregation": 0.13, "k_members": 0.08}
"""What a search loses at the most, if all records of a person are known."""


@cache
def hospital() -> polars.DataFrame:
    """The table, with a number of each record."""
    return polars.read_csv(HOSPITAL, infer_schema=False).with_row_index("row")


OPTIONS: dict[str, Any] = {
    "annealing": {"steps": 50},
    "genetic": {"population": 5, "generations": 3},
    "top_down_specialization": {"label": "diagnosis"},
}
"""Of searches that need some, or would take long."""
MANY_VALUES = ("k_optimize", "set_partitioning")
"""Searches that refuse a column of thousands of values."""


@pytest.mark.parametrize("search", LOSSES)
def test_every_history_has_enough_people(search: str) -> None:
    made = incrowd.anonymize(hospital(), {**JOB, "search": search, "knows": "history"})
    assert classes_below(made) == 0
    held: dict[Any, Counter[Any]] = defaultdict(Counter)
    for person, of in published(made):
        held[person][of] += 1
    histories = Counter(frozenset(mine.items()) for mine in held.values())
    assert sum(n < K for n in histories.values()) == 0
    assert made.figures.scores["loss"] <= LOSSES[search]


@pytest.mark.parametrize("search", sorted(name for name, of in SEARCHES.known().items() if of.counts_people))
def test_every_class_has_enough_people(search: str) -> None:
    columns = {**JOB["columns"], "diagnosis": {"role": "sensitive"}}
    options = {search: OPTIONS[search]} if search in OPTIONS else search
    job = {**JOB, "columns": columns, "suppress": 0.02, "search": options}
    if search in MANY_VALUES:
        with pytest.raises(UsageError, match=f"{search} with column 'birth_date'"):
            incrowd.anonymize(hospital(), job)
        return
    made = incrowd.anonymize(hospital(), job)
    assert made.verdict.holds
    assert classes_below(made) == 0


def test_by_records_some_classes_have_too_few_people() -> None:
    """So the count of these tests can fail."""
    roles = {"name": {"role": "identifier"}, "birth_date": {"role": "quasi", "hierarchy": "dates:levels=year/decade"}}
    made = incrowd.anonymize(hospital(), {**JOB, "columns": {**JOB["columns"], **roles}, "suppress": 0.02})
    assert classes_below(made) > 0


def published(made: Any) -> Iterator[tuple[Any, Any]]:
    """The person and the class of each published record."""
    who = hospital().select("name", "birth_date").rows()
    for row in made.frame.rows(named=True):
        yield who[row["row"]], tuple(row[name] for name in QUASI)


def classes_below(made: Any) -> int:
    people: dict[Any, set[Any]] = defaultdict(set)
    for person, of in published(made):
        people[of].add(person)
    assert people
    return sum(len(each) < K for each in people.values())
