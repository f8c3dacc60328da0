"""Models of a first job: possible, cheap, and what has none is named, by init and beside the release."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.anonymization.first_models import MOST, first_models
from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from incrowd.engines.frames import FrameSource
from incrowd.watch import Watch


def counted(name: str, *counts: int) -> FrequencySet:
    values = pa.array([str(at) for at in range(len(counts))])
    codes = np.arange(1, len(counts) + 1, dtype=np.int32).reshape(1, -1)
    return FrequencySet((name,), (values,), codes, np.array(counts, dtype=np.int64))


def test_a_model_is_added_while_few_classes_would_break_it() -> None:
    found = first_models([counted("even", 50, 50), counted("skewed", 95, 5), counted("constant", 100)], 5)
    assert found.models == [{"distinct_l": {"l": 2, "column": "even"}}]
    assert (found.costly, found.constant) == (["skewed"], ["constant"])
    assert found.expected == pytest.approx(2 * 0.5**5)
    assert "About 6%" in found.words[1]
    assert "skewed" in found.words[2]
    assert "constant" in found.words[3]


def test_many_columns_cost_no_more_together_than_is_said() -> None:
    found = first_models([counted(f"c{at}", 55, 45) for at in range(20)], 5)
    assert 0 < len(found.models) < 20
    assert found.expected <= MOST
    assert len(found.models) + len(found.costly) == 20


def test_a_sensitive_column_without_a_model_is_warned_of() -> None:
    table = pa.table({"age": [1, 1, 2, 2], "ill": list("abab"), "pay": [1, 2, 3, 4]})
    columns = {"age": "quasi", "ill": "sensitive", "pay": "sensitive"}
    made = incrowd.anonymize(table, {"columns": columns, "models": ["k_anonymity:k=2", "distinct_l:l=2,column=ill"]})
    [warning] = [each for each in made.warnings if "no privacy model protects" in each]
    assert "'pay'" in warning
    assert "'ill'" not in warning
    assert warning in str(made)
    every = ["distinct_l:l=2,column=ill", "distinct_l:l=2,column=pay"]
    again = incrowd.anonymize(table, {"columns": columns, "models": every})
    assert not any("no privacy model protects" in each for each in again.warnings)


def test_numbers_that_are_nearly_all_different_get_ranges_that_say_what_they_cost() -> None:
    found = first_models([counted("pay", *[1] * 100), counted("ill", 50, 50)], 5)
    ranges, plain = found.models
    assert plain == {"distinct_l": {"l": 2, "column": "ill"}}
    options = ranges["range_diversity"]
    assert (options["column"], options["p"], options["domain"]) == ("pay", 0.8, [0, 100])
    assert options["ranges"] == [[0, 19], [20, 39], [40, 59], [60, 79], [80, 100]]
    # All of 5 records in one fifth: 1/5**4.
    assert found.chances["pay"] == pytest.approx(0.0016, abs=0.0015)
    assert "pay" in found.words[1]
    assert f"About {found.expected:.0%}" in found.words[2]


def test_ranges_are_for_numbers_alone_of_which_few_repeat() -> None:
    texts = FrequencySet(
        ("note",),
        (pa.array([f"n{at}" for at in range(100)]),),
        np.arange(1, 101, dtype=np.int32).reshape(1, -1),
        np.ones(100, dtype=np.int64),
    )
    for given in (texts, counted("age", *[3] * 40), counted("few", *[1] * 9)):
        assert list(first_models([given], 5).models[0]) == ["distinct_l"]
    # Two records are in the same fifth too often, and a single record breaks every bound.
    assert list(first_models([counted("pay", *[1] * 100)], 2).models[0]) == ["distinct_l"]
    assert list(first_models([counted("pay", *[1] * 100)], 1).models) == []


def test_ranges_of_numbers_with_all_digits_that_a_float_has_do_not_overlap() -> None:
    table = pa.table({"age": [30 + at % 20 for at in range(200)], "pay": [50_000 + at * 1000 / 7 for at in range(200)]})
    [model] = first_models([FrequencySet.of_table(_encoded(table, "pay"))], 5).models
    ranges = model["range_diversity"]["ranges"]
    assert all(high < low for (_, high), (low, _) in pairwise(ranges))
    assert all(sum(low <= pay <= high for low, high in ranges) == 1 for pay in table["pay"].to_pylist())
    columns = {"age": {"role": "quasi"}, "pay": {"role": "sensitive"}}
    made = incrowd.anonymize(table, {"columns": columns, "models": ["k_anonymity:k=5", model]})
    assert incrowd.verify(made.frame, made.manifest).holds


def test_a_release_with_first_ranges_is_verified_from_itself_and_keeps_them_apart() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({"age": rng.integers(20, 60, 300), "pay": rng.permutation(300) * 7 / 4 + 900.25})
    drafted = incrowd.init(table, k=5)
    job = drafted.job.to_dict()
    job["columns"]["pay"] = {"role": "sensitive"}
    drawn = first_models([FrequencySet.of_table(_encoded(table, "pay"))], 5)
    # The page of the columns has them from the inspection.
    assert {**incrowd.inspect(table).to_dict()["ranges"]["pay"], "column": "pay"} == drawn.models[0]["range_diversity"]
    made = incrowd.anonymize(table, {**job, "models": ["k_anonymity:k=5", *drawn.models]})
    assert made.verdict.holds
    assert "range_diversity" in str(made.verdict)
    # Verified by the manifest alone: the ranges are those of the job.
    assert incrowd.verify(made.frame, made.manifest).holds
    [[low, _], *_] = drawn.models[0]["range_diversity"]["ranges"]
    assert low <= 900.25


def _encoded(table: pa.Table, name: str) -> Table:
    source = FrameSource(table)
    with Watch() as watch:
        return source.table([name], watch)
