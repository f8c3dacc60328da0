"""Columns whose values repeat are found beside what is counted, in every engine."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import ENGINES
from incrowd import read
from incrowd.engines.repeating import repeating
from incrowd.watch import Watch

TABLE = pa.table(
    {
        "town": ["a", "a", "b", "b"],
        "one_each": ["p", "q", "r", "s"],
        "twice": ["p", "q", "p", "s"],
        "holes": ["p", None, None, "s"],
        "number": pa.array([1, 2, 3, 3]),
    }
)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.filterwarnings("ignore")
def test_every_engine(build: Callable[[str, pa.Table], Any], engine: str) -> None:
    source = read(build(engine, TABLE))
    columns = ("one_each", "twice", "holes", "number")
    with Watch() as watch:
        [counted], found = source.count_and_compare([("town",)], columns, watch)
    assert found == ("twice", "number")
    assert sorted(counted.counts.tolist()) == [2, 2]


def test_batches_of_other_types_are_left_open() -> None:
    texts, numbers = pa.record_batch({"id": ["1"]}), pa.record_batch({"id": [2]})
    assert repeating([texts, numbers], ["id"]) == ("id",)
    assert repeating([texts, pa.record_batch({"id": pa.nulls(2)})], ["id"]) == ()
    assert repeating([], ["id"]) == ()


def test_categories_of_batches_are_compared_by_value() -> None:
    first, second = (pa.record_batch({"id": pa.array([text]).dictionary_encode()}) for text in ("x", "y"))
    assert repeating([first, second], ["id"]) == ()
    assert repeating([first, first], ["id"]) == ("id",)
