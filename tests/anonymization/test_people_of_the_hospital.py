"""The hospital example: no search that counts people leaves a class with fewer than k of them, whatever is known."""

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import polars
import pytest

import incrowd

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


@pytest.mark.parametrize(
    ("search", "knows"),
    [
        *((search, "history") for search in LOSSES),
        *((search, "record") for search in ("mondrian", "k_members", "layered")),
    ],
)
def test_every_class_has_enough_people(search: str, knows: str) -> None:
    job = {**JOB, "suppress": 0.02} if search == "layered" else JOB
    made = incrowd.anonymize(hospital(), {**job, "search": search, "knows": knows})
    who = hospital().select("name", "birth_date").rows()
    people: dict[Any, set[Any]] = defaultdict(set)
    held: dict[Any, Counter[Any]] = defaultdict(Counter)
    for row in made.frame.rows(named=True):
        of = tuple(row[name] for name in QUASI)
        people[of].add(who[row["row"]])
        held[who[row["row"]]][of] += 1
    assert sum(len(each) < K for each in people.values()) == 0
    if knows == "history":
        histories = Counter(frozenset(mine.items()) for mine in held.values())
        assert sum(n < K for n in histories.values()) == 0
        assert made.figures.scores["loss"] <= LOSSES[search]
