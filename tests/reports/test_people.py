"""Reports on a release about people: figures of people count people, those of records count records, and say so."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.anonymization import AnonymizationResult
from reports.releases import COLUMNS, ROWS, read_rows, released

VISITS = [{**row, "name": f"p{at % 45}", "wage": at} for at, row in enumerate(ROWS)]
"""45 people with two or three records each; the wage is a number of the record."""

PEOPLE = {
    **COLUMNS,
    "name": {"role": "person"},
    "wage": {"role": "keep"},
}
QUASI = ("age", "town")


def made(folder: Path, **changes: Any) -> AnonymizationResult:
    """A release of the visits."""
    return released(folder, VISITS, columns=PEOPLE, suppress={"share": 0.3, "of": "people"}, **changes)


def risks(classes: "dict[str, set[tuple[str, ...]]]") -> dict[str, float]:
    """By person the highest risk, from the classes of each."""
    people = Counter(of for mine in classes.values() for of in mine)
    return {person: max(1 / people[of] for of in mine) for person, mine in classes.items()}


def held(rows: list[dict[str, Any]]) -> "dict[str, set[tuple[str, ...]]]":
    """The classes of each person, by the number of the record."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for row in rows:
        found[VISITS[int(row["wage"])]["name"]].add(tuple(str(row[name]) for name in QUASI))
    return found


@pytest.mark.parametrize(("search", "knows"), [("optimal", "record"), ("k_members", "record"), ("mondrian", "history")])
def test_people_are_counted_where_it_is_known_who_is_where(tmp_path: Path, search: str, knows: str) -> None:
    release = made(tmp_path, search=search, knows=knows)
    facts = incrowd.report(release).to_dict()
    rows = read_rows(tmp_path / "release.csv")
    for name, table in (("risk_before", VISITS), ("risk_after", rows)):
        expected, found = risks(held(table)), facts[name]
        assert (found["unit"], found["people"], found["records"]) == ("people", len(expected), len(table))
        assert found["unique"] == sum(risk == 1 for risk in expected.values())
        assert found["highest"] == pytest.approx(max(expected.values()))
        assert found["average"] == pytest.approx(sum(expected.values()) / len(expected))
        assert found["at_risk"] == sum(risk > 0.2 for risk in expected.values())
    classes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for person, mine in held(rows).items():
        for of in mine:
            classes[of].add(person)
    assert facts["sizes_in"] == "people"
    assert sum(each["classes"] for each in facts["sizes"]) == len(classes)
    assert sum(each["records"] for each in facts["sizes"]) == len(rows)
    for each in facts["sizes"]:
        assert each["classes"] == sum(each["low"] <= len(people) <= each["high"] for people in classes.values())
    assert min(each["low"] for each in facts["sizes"] if each["classes"]) <= min(map(len, classes.values()))


def test_every_form_says_what_it_counts(tmp_path: Path) -> None:
    report = incrowd.report(made(tmp_path))
    for text in (report.to_markdown(), report.to_html()):
        for words in ("people in a class", "unique people", "people above 20.0%", "sizes below are people"):
            assert words in text
        assert "unique records" not in text


def test_an_external_report_counts_records_and_says_so(tmp_path: Path) -> None:
    facts = incrowd.report(made(tmp_path), audience="external")
    assert facts.to_dict()["risk_after"]["unit"] == facts.to_dict()["sizes_in"] == "records"
    text = facts.to_markdown()
    for words in ("records in a class", "unique records", "These figures count records", "Counting people"):
        assert words in text


def test_if_everybody_has_one_record_records_are_people(tmp_path: Path) -> None:
    rows = [{**row, "wage": at} for at, row in enumerate(ROWS)]
    facts = incrowd.report(released(tmp_path, rows, columns=PEOPLE)).to_dict()
    assert facts["risk_after"]["unit"] == "records"
    assert facts["people"]["input"] == facts["input_records"]
