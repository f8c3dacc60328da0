"""Yardsticks that fit a model to the data: regression and classification."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.release_metrics import classifier_accuracy
from incrowd.release_metrics.classifier_accuracy import ClassifierAccuracy
from incrowd.release_metrics.regression_change import RegressionChange
from metrics.pages import Example, Told, reading

NUMBERS, SET = Told("numbers"), Told("set")


def people(n: int = 90, seed: int = 1, size: int = 6) -> Example:
    """Incomes that rise with age and schooling, and a job that depends on both; neighbours in age form groups."""
    chance = Random(seed)
    rows = []
    for _ in range(n):
        age, town = chance.randint(20, 60), chance.choice("abc")
        income = 3 * age + (40 if town == "a" else 0) + chance.randint(-9, 9)
        rows.append((age, chance.randint(8, 20), town, income, "yes" if income > 140 else "no"))
    rows.sort()
    groups = [at // size if at % 17 else -1 for at in range(n)]
    quasi = {"age": NUMBERS, "school": NUMBERS, "town": SET}
    return Example(quasi, rows, groups, {"income": NUMBERS, "job": SET}, label="job")


def test_regression_is_the_textbook_s() -> None:
    value = reading(RegressionChange(), people())
    assert value is not None
    assert 0 < value < 1
    found = RegressionChange().measure(people().released())
    assert found.parts.keys() == {"age", "school"}


@settings(max_examples=25)
@given(n=st.integers(40, 120), seed=st.integers(0, 10_000), size=st.integers(2, 30))
def test_regression_is_the_textbook_s_whatever_the_release(n: int, seed: int, size: int) -> None:
    assert reading(RegressionChange(), people(n, seed, size)) is not None


@settings(max_examples=6)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 30))
def test_a_classifier_is_the_textbook_s_whatever_the_release(seed: int, size: int) -> None:
    assert reading(ClassifierAccuracy("logistic"), people(90, seed, size)) is not None


def test_regression_of_the_original_as_it_is() -> None:
    example = people()
    alone = replace(example, groups=list(range(len(example.rows))))
    assert reading(RegressionChange(), alone) == pytest.approx(0, abs=1e-9)


def test_a_column_that_is_all_hidden_explains_nothing() -> None:
    example = people()
    hidden = replace(example, groups=[0] * len(example.rows))
    assert reading(RegressionChange(), hidden) is not None


def test_regression_without_numbers() -> None:
    example = Example({"town": SET}, [("a", 1), ("b", 2)], [0, 0], {"income": NUMBERS})
    assert reading(RegressionChange(), example) is None


@pytest.mark.parametrize("learner", ["logistic", "trees"])
def test_a_classifier_is_the_textbook_s(learner: str) -> None:
    example = people()
    value = reading(ClassifierAccuracy(learner), example)
    assert value is not None
    found = ClassifierAccuracy(learner).measure(example.released())
    assert found.parts["always the most frequent label"] < value
    assert found.parts["taught by the original"] > 0.8


def test_nothing_to_predict() -> None:
    example = people()
    assert ClassifierAccuracy().measure(replace(example, label=None).released()).value is None
    same = [(*row[:4], "yes") for row in example.rows]
    assert "two labels" in ClassifierAccuracy().measure(replace(example, rows=same).released()).why


def test_an_unknown_learner() -> None:
    with pytest.raises(UsageError, match="learner is 'magic'; it may be logistic, trees"):
        ClassifierAccuracy("magic")


def test_a_large_table_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more records than a limit a classifier sees a sample, the same one whenever it is asked."""
    released = people(600).released()
    whole = ClassifierAccuracy().measure(released)
    assert "records in the sample" not in whole.parts
    monkeypatch.setattr(classifier_accuracy, "_MOST_RECORDS", 300)
    first, second = (ClassifierAccuracy().measure(people(600).released()) for _ in range(2))
    assert first == second
    assert first.parts["records in the sample"] == 300
    assert first.value == pytest.approx(whole.value, abs=0.15)


def test_a_column_of_many_values_is_no_label() -> None:
    rows = [(at % 7, f"v{at % 150}") for at in range(300)]
    example = Example({"age": NUMBERS}, rows, [at // 5 for at in range(300)], {"job": SET}, label="job")
    assert reading(ClassifierAccuracy(), example) is None
    assert "more than 100 values" in ClassifierAccuracy().measure(example.released()).why
