"""The numbers of the papers: FX-DIAG-1 (Diagnosis Centre, Figures 2 and 3), FX-ANON-3 (matching of missing cells)."""

from typing import Any

import pytest

from diagnosis.by_definition import all_sets, class_sizes, opened
from incrowd.diagnosis.diagnosis import Diagnosis
from strategies import Row
from worked_example import COLUMNS, ROWS

TABLE = """
V                              2  2 3 7            3   2
W X Y Z                        6  6 6              6   0
VW VY VZ                       1  1 2 2 3 4        2   5
VX                             1  1 2 3 6          2   3
WX WY XZ YZ                    3  3 3 3 3          3   0
WZ                             6  6 6              6   0
XY                             2  2 2 4 4          2   4
VWX VXZ VWXZ                   1  1 1 2 2 3 3      2   6
VWZ                            1  1 2 2 3 4        2   5
VXY                            1  1 1 2 2 2 4      2   8
WXZ WYZ                        3  3 3 3 3          3   0
VWY VYZ WXY XYZ VWYZ WXYZ      1  1 1 1 1 2 2 2 2  1  12
VWXY VXYZ VWXYZ                1  1 1 1 1 1 1 2 2 2  1  12
"""
"""Sets, k, class sizes, k with a share of 0.2 suppressed, records to remove for k = 3."""


def read_table() -> dict[str, tuple[int, list[int], int, int]]:
    """Each set with its numbers."""
    numbers: dict[str, tuple[int, list[int], int, int]] = {}
    for line in TABLE.strip().splitlines():
        words = line.split()
        sets = [word for word in words if word.isalpha()]
        k, *sizes, k_suppressed, gone = map(int, words[len(sets) :])
        numbers |= dict.fromkeys(sets, (k, sizes, k_suppressed, gone))
    return numbers


NUMBERS = read_table()


def sets(words: str) -> list[list[str]]:
    """'X; WZ' as lists of columns."""
    return [list(names.strip()) for names in words.split(";")] if words else []


@pytest.fixture(scope="module")
def figure() -> Diagnosis:
    return opened(ROWS, COLUMNS)


def test_the_table_of_the_digest_has_every_set() -> None:
    assert sorted(NUMBERS) == sorted("".join(names) for names in all_sets(COLUMNS))
    assert all(sum(sizes) == len(ROWS) for _, sizes, _, _ in NUMBERS.values())


@pytest.mark.parametrize("names", NUMBERS)
def test_numbers_of_each_set(figure: Diagnosis, names: str) -> None:
    k, sizes, k_suppressed, gone = NUMBERS[names]
    assert sorted(figure.frequencies(list(names)).classes(list(names)).sizes) == sizes == class_sizes(ROWS, names)
    assert figure.k(list(names)) == k
    assert figure.ask(quasi=list(names), suppress=0.2).answer == k_suppressed
    assert figure.ask(quasi=list(names), k=3, suppress="find").answer == {
        "suppress": gone / 12,
        "suppressed": gone,
        "remaining": 12 - gone,
    }
    for at_least in range(1, 9):
        assert figure.ask(quasi=list(names), k=at_least).answer is (k >= at_least)
        assert figure.ask(quasi=list(names), k=at_least, at_most=True).answer is (k <= at_least)
        assert figure.ask(quasi=list(names), k=at_least, suppress="0.2").answer is (k_suppressed >= at_least)


def test_numbers_of_all_sets_at_once(figure: Diagnosis) -> None:
    def by_set(answer: Any, *fields: str) -> dict[str, Any]:
        return {"".join(row["quasi"]): tuple(row[name] for name in fields) for row in answer}

    assert by_set(figure.ask().answer, "k") == {names: (k,) for names, (k, _, _, _) in NUMBERS.items()}
    assert by_set(figure.ask(suppress=0.2).answer, "k") == {names: (k,) for names, (_, _, k, _) in NUMBERS.items()}
    assert by_set(figure.ask(k=3, suppress="find").answer, "suppressed", "suppress") == {
        names: (gone, gone / 12) for names, (_, _, _, gone) in NUMBERS.items()
    }


@pytest.mark.parametrize(
    ("k", "suppress", "result", "calls"),
    [
        (1, None, "VWXYZ", 31),
        (2, None, "V; XY; WXZ; WYZ", 19),
        (3, None, "WXZ; WYZ", 13),
        (4, None, "X; Y; WZ", 11),
        (5, None, "X; Y; WZ", 11),
        (6, None, "X; Y; WZ", 11),
        (7, None, "", 5),
        (2, 0.2, "VXY; WYZ; VWXZ", 26),
        (3, 0.2, "V; WXZ; WYZ", 17),
    ],
)
def test_algorithm_2(figure: Diagnosis, k: int, suppress: float | None, result: str, calls: int) -> None:
    answer = figure.ask(k=k, suppress=suppress)
    assert answer.answer == sets(result)
    assert answer.evaluations <= calls


def test_the_printed_run_prunes_two_sets_without_counting_them(figure: Diagnosis) -> None:
    counted = figure.ask(k=3).evaluations
    assert counted <= 13 < 31
    assert figure.safe_sets(3) == sets("WXZ; WYZ")


@pytest.mark.parametrize(("suppress", "calls"), [(None, 19), (0, 19), (0.1, 25), (0.2, 26), (0.3, 26), (0.5, 31)])
def test_algorithm_3(figure: Diagnosis, suppress: float | None, calls: int) -> None:
    answer = figure.ask(suppress=suppress)
    assert len(answer.answer) == 31
    assert answer.evaluations <= calls


def test_smallest_sets_with_k_at_most_2(figure: Diagnosis) -> None:
    assert figure.ask(k=2, at_most=True).answer == sets("V; XY")
    assert figure.threats(2) == sets("V; XY")
    assert figure.threats() == sets("VW; VX; VY; VZ; WXY; XYZ")


def test_question_11_for_v(figure: Diagnosis) -> None:
    gone = [0, 0, 2, 5, 5, 5, 5, 12]
    assert figure.ask(quasi=["V"], suppress="find").answer == [
        {"k": at + 1, "suppress": suppressed / 12, "suppressed": suppressed} for at, suppressed in enumerate(gone)
    ]


MISSING: list[Row] = [
    {"A": "a", "B": "1"},
    {"A": "a", "B": None},
    {"A": "b", "B": "1"},
    {"A": None, "B": None},
    {"A": "a", "B": "1"},
]


@pytest.mark.parametrize(
    ("nulls", "k", "set_aside"), [("extended", 1, None), ("basic", 1, 2), ("maybe", 2, None), ("right_maybe", 1, None)]
)
def test_matching_of_missing_cells(nulls: str, k: int, set_aside: int | None) -> None:
    diagnosis = opened(MISSING, ["A", "B"], nulls)
    answer = diagnosis.ask(quasi=["A", "B"])
    assert (answer.answer, answer.set_aside, answer.records) == (k, set_aside, 5)
    assert diagnosis.ask().answer[-1] == {"quasi": ["A", "B"], "k": k}
    assert diagnosis.ask(quasi=["A", "B"], k=2).answer is (k >= 2)


def test_classes_of_missing_cells_go_smallest_first() -> None:
    assert opened(MISSING, ["A", "B"]).ask(quasi=["A", "B"], k=2, suppress="find").suppressed_rows == [1, 2, 3]
    basic = opened(MISSING, ["A", "B"], "basic").ask(quasi=["A", "B"], k=2, suppress="find")
    assert basic.answer == {"suppress": 1 / 3, "suppressed": 1, "remaining": 2}
    assert basic.suppressed_rows == [1, 2, 3]
