"""How a question may be put from Python: kinds of values, the question that they make, and refusals in one line."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from diagnosis.by_definition import QUESTIONS, opened
from incrowd import FIND, Nulls
from incrowd.api import diagnose
from incrowd.errors import UsageError
from strategies import Row
from worked_example import COLUMNS, ROWS


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_given_makes_the_question(question: str) -> None:
    given: dict[str, dict[str, Any]] = {
        "k": {"k": 2},
        "quasi": {"quasi": ["V"]},
        "share": {"suppress": 0.1},
        "find": {"suppress": FIND},
    }
    arguments: dict[str, Any] = {}
    for word in QUESTIONS[question]:
        arguments |= given[word]
    assert opened(ROWS, COLUMNS).ask(**arguments).question == question


@pytest.mark.parametrize(
    "columns",
    [list, tuple, iter, dict.fromkeys, np.array, pd.Index, pd.Series],
    ids=["list", "tuple", "iterator", "dict", "numpy", "pandas index", "pandas series"],
)
def test_columns_in_any_kind_of_list(columns: Callable[[list[str]], Iterable[str]]) -> None:
    diagnosis = opened(ROWS, COLUMNS)
    answer = diagnosis.ask(quasi=columns(["V", "W"]))  # type: ignore[arg-type]
    assert (answer.question, answer.answer) == ("Q2", 1)
    assert answer.to_dict()["quasi"] == ["V", "W"]
    fewer = diagnose(diagnosis.source, among=columns(["W", "Z"]))  # type: ignore[arg-type]
    assert fewer.ask(k=6).answer == [["W", "Z"]]


def test_one_column_by_its_name_alone() -> None:
    assert opened(ROWS, COLUMNS).ask(quasi="V").answer == 2


@pytest.mark.parametrize("k", [2, np.int64(2), np.uint8(2)])
def test_k_of_any_whole_type(k: int) -> None:
    answer = opened(ROWS, COLUMNS).ask(k=k, quasi=["V"])
    assert answer.answer is True
    assert type(answer.to_dict()["k"]) is int


@pytest.mark.parametrize(
    "arguments",
    [
        {"k": 0},
        {"k": -1},
        {"k": 2.0},
        {"k": "2"},
        {"k": True},
        {"quasi": []},
        {"quasi": ["V", "V"]},
        {"quasi": ["v"]},
        {"quasi": [1]},
        {"quasi": "V,W"},
        {"suppress": "tenth"},
        {"suppress": -0.1},
        {"suppress": True},
        {"at_most": True},
        {"at_most": True, "quasi": ["V"]},
        {"at_most": True, "k": 2, "suppress": FIND},
        {"max_size": 0},
        {"max_size": 1.5},
        {"max_size": 2, "quasi": ["V"]},
        {"up_to": 0, "suppress": FIND},
        {"up_to": None, "suppress": FIND},
        {"time": float("nan")},
        {"time": -1},
    ],
)
def test_refused_in_one_line(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as refused:
        opened(ROWS, COLUMNS).ask(**arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe", Nulls.MAYBE])
@pytest.mark.parametrize("suppress", [0, 0.1, FIND])
def test_wildcards_with_suppression_are_refused(nulls: str, suppress: Any) -> None:
    with pytest.raises(UsageError, match="suppression with nulls="):
        opened(ROWS, COLUMNS, nulls).ask(suppress=suppress)


@pytest.mark.parametrize("nulls", ["", "EXTENDED", "sometimes", None, 3])
def test_nulls_that_are_none_of_the_four(nulls: Any) -> None:
    with pytest.raises(UsageError, match="it may be extended, basic, maybe, right_maybe"):
        opened(ROWS, COLUMNS, nulls)


def test_methods_for_the_common_questions() -> None:
    diagnosis = opened(ROWS, COLUMNS)
    assert diagnosis.k(["V"]) == 2
    assert diagnosis.safe_sets(3) == [["W", "X", "Z"], ["W", "Y", "Z"]]
    assert diagnosis.threats(2) == [["V"], ["X", "Y"]]
    assert diagnosis.least_suppression(3, ["V"]).answer == {"suppress": 2 / 12, "suppressed": 2, "remaining": 10}


def test_a_set_outside_the_columns_asked_among() -> None:
    diagnosis = diagnose(opened(ROWS, COLUMNS).source, among=["W"])
    assert diagnosis.k(["V"]) == 2
    assert diagnosis.ask().answer == [{"quasi": ["W"], "k": 6}]


def test_missing_texts() -> None:
    rows: list[Row] = [{"a": "?"}, {"a": None}, {"a": "x"}]
    frame = pd.DataFrame(rows)
    assert diagnose(frame).ask(quasi=["a"], suppress="find").answer[-1]["k"] == 2
    assert diagnose(frame, missing=["?"]).ask(quasi=["a"], suppress="find").answer[-1]["k"] == 3


def test_every_k_is_listed_up_to_50_unless_said_otherwise() -> None:
    rows: list[Row] = [{"a": "x"}] * 60
    diagnosis = opened(rows, ["a"])
    assert [row["k"] for row in diagnosis.ask(quasi=["a"], suppress=FIND).answer] == list(range(1, 51))
    assert len(diagnosis.ask(suppress=FIND).answer) == 50
    assert len(diagnosis.ask(quasi=["a"], suppress=FIND, up_to=100).answer) == 61
    assert len(diagnosis.ask(suppress=FIND, up_to=100).answer) == 61
