"""The 30,162 complete training records of Adult with their hierarchies, where the shared data are at hand."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.histograms import Domain, Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.table import Table

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "adult"
TRAIN = FOLDER / "adult-train.csv"

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
SENSITIVE = "occupation"

needs_adult = pytest.mark.skipif(not TRAIN.exists(), reason="the Adult data are not beside the project")


@cache
def records() -> list[dict[str, str]]:
    """The records without a question mark."""
    with TRAIN.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if "?" not in row.values()]


@cache
def frequencies() -> FrequencySet:
    """The distinct combinations of the quasi-identifiers and the occupation."""
    names = [*QUASI, SENSITIVE]
    batch = pa.record_batch([pa.array([row[name] for row in records()]) for name in names], names=names)
    return FrequencySet.of_table(Table.from_batches(names, [batch]))


@cache
def ladder(name: str) -> EncodedHierarchy:
    """The hierarchy of a column along its values."""
    with (FOLDER / "hierarchies" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        hierarchy = Hierarchy.from_rows(csv.reader(file, delimiter=";"))
    return hierarchy.along(name, frequencies().values[frequencies().names.index(name)])


def node(levels: tuple[int, ...], times: int = 1) -> Classes:
    """The classes on the given levels, every record repeated so many times."""
    found = frequencies()
    counts = found.counts * times
    steps = [ladder(name).up[level] for name, level in zip(QUASI, levels, strict=True)]
    codes = [up[of].astype(np.int32) for up, of in zip(steps, found.codes, strict=False)]
    owner, n = number_combinations(codes, [int(up.max()) + 1 for up in steps])
    values = found.codes[-1].astype(np.int64)
    width = found.cardinalities[-1]
    pairs, of = np.unique(owner * np.int64(width) + values, return_inverse=True)
    whole = np.bincount(values, weights=counts, minlength=width).astype(np.int64)
    histogram = Histogram(
        Domain((SENSITIVE,), whole, found.values[-1], ladder(SENSITIVE)),
        np.searchsorted(pairs, np.arange(n + 1, dtype=np.int64) * width).astype(np.int64),
        (pairs % width).astype(np.int32),
        np.bincount(of, weights=counts).astype(np.int64),
    )
    sizes = np.bincount(owner, weights=counts, minlength=n).astype(np.int64)
    return Classes(sizes, {(SENSITIVE,): histogram})
