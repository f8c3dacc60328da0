"""Models of a first job: possible, cheap, and what has none is named, by init and beside the release."""

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.anonymization.first_models import MOST, first_models
from incrowd.core.frequencies import FrequencySet


def counted(name: str, *counts: int) -> FrequencySet:
    values = pa.array([str(at) for at in range(len(counts))])
    codes = np.arange(1, len(counts) + 1, dtype=np.int32).reshape(1, -1)
    return FrequencySet((name,), (values,), codes, np.array(counts, dtype=np.int64))


def test_a_model_is_added_while_few_classes_would_break_it() -> None:
    found = first_models([counted("even", 50, 50), counted("skewed", 95, 5), counted("constant", 100)], 5)
    assert found.models == [{"distinct_l": {"l": 2, "column": "even"}}]
    assert (found.costly, found.constant) == (["skewed"], ["constant"])
    assert found.expected == pytest.approx(2 * 0.5**5)
    assert "About 6%" in found.words[0]
    assert "skewed" in found.words[1]
    assert "constant" in found.words[2]


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
