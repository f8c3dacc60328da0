"""What a report says about a table, against independent counts."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import incrowd
from reports.releases import ROWS, sizes_of, written

AMONG = ["age", "town", "disease"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("table"))


def alone(names: tuple[str, ...]) -> int:
    """Records that some columns single out."""
    return sum(size == 1 for size in sizes_of(ROWS, list(names)))


def test_classes_and_suppression(table: Path) -> None:
    facts = incrowd.report(incrowd.diagnose(table, among=AMONG)).to_dict()
    sizes = sizes_of(ROWS, AMONG)
    assert (facts["k"], facts["unique"], facts["classes"]) == (min(sizes), alone(tuple(AMONG)), len(sizes))
    assert sum(each["records"] for each in facts["sizes"]) == len(ROWS)
    for k, gone in facts["suppression"]:
        assert gone == sum(size for size in sizes if size < k)


def test_everybody_would_have_to_go(tmp_path: Path) -> None:
    text = incrowd.report(written(tmp_path, [{"number": at} for at in range(9)])).to_markdown()
    assert "For k = 5 over these columns, 9 of 9 records (100" in text
    assert "must be suppressed if nothing is generalized." in text


def test_sets_that_single_people_out(table: Path) -> None:
    facts = incrowd.report(table).to_dict()
    names = list(ROWS[0])
    threats = {frozenset(each["columns"]): each["unique"] for each in facts["threats"]}
    expected: dict[frozenset[str], int] = {}
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            if alone(chosen) and not any(set(chosen) > smaller for smaller in expected):
                expected[frozenset(chosen)] = alone(chosen)
    assert threats == expected


def test_contributions(table: Path) -> None:
    facts = incrowd.report(incrowd.diagnose(table, among=AMONG)).to_dict()
    for column in facts["columns"]:
        name = column["name"]
        assert column["distinct"] == len(Counter(row[name] for row in ROWS))
        assert column["unique"] == alone((name,))
        others = [each for each in AMONG if each != name]
        sets = [set_ for size in (1, 2) for set_ in combinations(others, size)]
        gains = [alone((*set_, name)) - alone(set_) for set_ in sets]
        assert column["unique_gain"] == pytest.approx(sum(gains) / len(gains))


@pytest.mark.parametrize(
    "question",
    [{"k": 5}, {"quasi": ["age", "town"]}, {"quasi": ["town"], "k": 3}, {"k": 2, "quasi": ["age"], "suppress": "find"}],
)
def test_an_answer_by_itself(table: Path, question: dict[str, Any]) -> None:
    answer = incrowd.diagnose(table, among=AMONG).ask(**question)
    report = incrowd.report(answer)
    assert report.to_dict()["answer"]["question"] == answer.question
    assert answer.sentence in report.to_markdown().replace("\\", "")
    assert report.to_html()


def test_a_frontier(table: Path) -> None:
    job = {
        "data": str(table),
        "columns": {"age": {"role": "quasi"}, "town": {"role": "quasi"}},
        "models": ["k_anonymity:k=3"],
    }
    found = incrowd.frontier(None, job, k=[2, 5], searches=["optimal", "mondrian"])
    report = incrowd.report(found)
    facts = report.to_dict()
    assert len(facts["runs"]) == len(found.runs)
    assert sum(run["is_recommended"] for run in facts["runs"]) == (found.recommended is not None)
    assert "<svg" in report.to_html()
    assert str(table) not in incrowd.report(found, "external").to_html()
