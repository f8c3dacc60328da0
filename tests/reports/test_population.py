"""Risk before and after for who looks among all people, against independent counts."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.engines.source import count
from incrowd.errors import UsageError
from incrowd.release import Record
from incrowd.reports.risk_facts import published_alike
from incrowd.verification._population import people_by_class
from incrowd.watch import Watch
from reports.releases import ROWS, read_rows, released, written

QUASI = ("age", "town")
OTHERS = [{**row, "name": f"other {at}", "age": 20 + (at * 11) % 45} for at, row in enumerate(ROWS * 2)]
"""Some are of an age that nobody in the table has."""
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All people in a file."""
    return written(tmp_path_factory.mktemp("people"), [*ROWS, *OTHERS])


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in QUASI)


def published(record: Path) -> Callable[[dict[str, Any]], tuple[str | None, ...]]:
    """What the release shows of a person, by the rows of the hierarchies alone; intervals by their bounds."""
    quasi = json.loads(record.read_text())["quasi"]

    def cell(column: dict[str, Any], value: str) -> str | None:
        known = {row[0]: row[column["level"]] for row in column["rows"]}
        if value in known:
            return str(known[value])
        for label in set(known.values()):
            low, _, high = label.partition("-")
            if high and int(low) <= int(value) <= int(high):
                return str(label)
        return None

    return lambda row: tuple(cell(column, str(row[column["name"]])) for column in quasi)


def expected(rows: Rows, everybody: Rows, of_row: Any, of_person: Any) -> dict[str, Any]:
    there = Counter(map(of_person, everybody))
    risks = [1 / there[of_row(row)] for row in rows]
    return {
        "highest": max(risks),
        "average": pytest.approx(sum(risks) / len(risks)),
        "at_risk": sum(risk > 0.2 for risk in risks),
    }


@pytest.mark.parametrize("model", ["k_anonymity:k=4", "k_map:k=4"])
def test_counted(tmp_path: Path, people: Path, model: str) -> None:
    released(tmp_path, suppress=0.1, population=str(people), models=[model])
    facts = incrowd.report(tmp_path / "release.csv").to_dict()
    everybody, record = [*ROWS, *OTHERS], tmp_path / "release.csv.record.json"
    assert facts["risk_before"]["journalist"] == expected(ROWS, everybody, cells, cells)
    assert facts["risk_after"]["journalist"] == expected(
        read_rows(tmp_path / "release.csv"), everybody, cells, published(record)
    )
    assert facts["risk_after"]["population"] == len(everybody)
    assert facts["risk_after"]["estimated"] is False
    assert facts["no_population"] is None
    assert facts["risk_after"]["journalist"]["highest"] < facts["risk_after"]["highest"]
    told = incrowd.report(tmp_path / "release.csv").to_markdown()
    assert "| journalist | before |" in told
    assert "The population for journalist risk has 360 people." in told


def test_people_are_published_as_verification_publishes_them(tmp_path: Path, people: Path) -> None:
    released(tmp_path, population=str(people), models=["k_map:k=4"])
    record = Record.read(tmp_path / "release.csv.record.json")
    alike = published_alike(count(incrowd.read(people), QUASI, Watch()), record).project(QUASI)
    columns = [[None, *values.to_pylist()] for values in alike.values]
    found = {
        tuple(column[code] for column, code in zip(columns, codes, strict=True)): int(many)
        for codes, many in zip(alike.codes.T, alike.counts, strict=True)
    }
    assert found == dict(people_by_class(str(people), record))


def test_by_number(tmp_path: Path) -> None:
    released(tmp_path)
    facts = incrowd.report(tmp_path / "release.csv", population=10_000).to_dict()
    before, after = facts["risk_before"], facts["risk_after"]
    assert (after["population"], after["estimated"]) == (10_000, True)
    for each in (before, after):
        assert 0 < each["journalist"]["average"] <= each["average"]
    told = incrowd.risk(tmp_path / "release.csv", QUASI, population=10_000).to_dict()
    assert after["journalist"] == told["journalist"]
    assert "journalist risk is an estimate" in incrowd.report(tmp_path / "release.csv", population=10_000).to_markdown()


def test_none(tmp_path: Path) -> None:
    released(tmp_path)
    report = incrowd.report(tmp_path / "release.csv")
    assert report.to_dict()["risk_after"]["journalist"] is None
    assert report.to_dict()["risk_after"]["marketer"] == report.to_dict()["risk_after"]["average"]
    assert "Journalist risk cannot be computed without a population." in report.to_markdown()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"search": "mondrian"}, "cells differ between classes"),
        ({"nulls": "maybe"}, "missing values match everything"),
    ],
)
def test_where_it_cannot_be_counted(tmp_path: Path, people: Path, changes: dict[str, Any], why: str) -> None:
    released(tmp_path, population=str(people), **changes)
    report = incrowd.report(tmp_path / "release.csv")
    assert why in report.to_dict()["no_population"]
    assert "Journalist risk cannot be computed here" in report.to_markdown()


def test_people_that_do_not_contain_the_table(tmp_path: Path) -> None:
    released(tmp_path)
    (tmp_path / "few").mkdir()
    few = written(tmp_path / "few", ROWS[:50])
    report = incrowd.report(tmp_path / "release.csv", population=few)
    assert "does not contain the table" in report.to_dict()["no_population"]
    assert report.to_dict()["risk_before"]["journalist"] is None


def test_people_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    everybody = written(tmp_path / "all", [*ROWS, *OTHERS])
    released(tmp_path, population=str(everybody))
    everybody.unlink()
    report = incrowd.report(tmp_path / "release.csv")
    assert report.to_dict()["risk_after"]["journalist"] is None
    assert "The population was not found" in report.to_markdown()


def test_the_external_report_knows_no_people(tmp_path: Path, people: Path) -> None:
    released(tmp_path, population=str(people), models=["k_map:k=4"])
    facts = incrowd.report(tmp_path / "release.csv", "external").to_dict()
    assert facts["risk_after"]["journalist"] is None
    assert facts["risk_after"]["population"] is None


def test_only_for_a_release(people: Path) -> None:
    with pytest.raises(UsageError, match="population"):
        incrowd.report(people, population=10)
