"""Releases and tables of every shape have a report: empty, local, apart, wide, without anything sensitive."""

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from attacks.definitions import by_definition
from incrowd.anonymization import AnonymizationResult
from incrowd.attacks.wildcards import Wildcards
from reports.releases import COLUMNS, ROWS, classes_of, read_rows, released, written

PLAIN = {**COLUMNS, "age": {"role": "quasi"}}


def all_forms(of: Any, **words: Any) -> dict[str, Any]:
    """Every form for everybody; the internal facts."""
    for audience in ("external", "internal"):
        report = incrowd.report(of, audience, **words)
        assert report.to_html().endswith("</html>\n")
        assert report.to_markdown()
    return report.to_dict()


def test_an_empty_release(tmp_path: Path) -> None:
    rows = [{**row, "town": f"town {at}"} for at, row in enumerate(ROWS[:6])]
    columns = {**COLUMNS, "town": {"role": "quasi", "limit": 0}}
    facts = all_forms(released(tmp_path, rows, columns=columns, suppress=6))
    assert facts["records"] == 0
    assert facts["sizes"] == []
    assert "Nothing is published" in incrowd.report(tmp_path / "release.csv").to_markdown()


def test_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("age,town\n", "utf-8")
    facts = all_forms(tmp_path / "empty.csv")
    assert (facts["records"], facts["k"], facts["threats"]) == (0, 0, [])


@pytest.mark.parametrize("search", ["mondrian", "k_members", "microaggregation"])
def test_local_recoding(tmp_path: Path, search: str) -> None:
    facts = all_forms(released(tmp_path, columns=PLAIN, search=search))
    assert all(column["form"] is not None and 0 <= column["loss"] <= 1 for column in facts["columns"])
    groups = classes_of(read_rows(tmp_path / "release.csv"), ["age", "town"], "disease")
    found = {each["attack"]: each["records"] for each in facts["sensitive"][0]["exposures"]}
    assert found == by_definition(groups)


UNEVEN = [*ROWS, *(row for row in ROWS if row["age"] < 30 for _ in range(3))]
"""Young people are many, so that their ages need less generalization than those of the others."""


def test_levels_that_differ_from_cell_to_cell(tmp_path: Path) -> None:
    facts = all_forms(released(tmp_path, UNEVEN, search="layered"))
    assert any(column["level"] is None for column in facts["columns"])


def apart(folder: Path) -> AnonymizationResult:
    """A release in two tables."""
    columns = {name: each for name, each in PLAIN.items() if name != "wage"}
    return released(folder, columns=columns, models=["frequency_l:l=3,column=disease"], search="anatomy", suppress=0.2)


def test_two_tables(tmp_path: Path) -> None:
    facts = all_forms(apart(tmp_path))
    assert facts["apart"]
    assert facts == incrowd.report(tmp_path / "release.csv").to_dict()
    groups: dict[str, list[str]] = {}
    for row in read_rows(tmp_path / "release-sensitive.csv"):
        groups.setdefault(row["group"], []).extend([row["disease"]] * int(row["count"]))
    [told] = facts["sensitive"]
    assert {each["attack"]: each["records"] for each in told["exposures"]} == by_definition(list(groups.values()))
    assert (
        sum(each["records"] for each in facts["sizes"]) == facts["records"] == len(read_rows(tmp_path / "release.csv"))
    )
    assert "published as they are" in incrowd.report(tmp_path / "release.csv").to_markdown()


def test_frames() -> None:
    rows = pd.DataFrame(ROWS)
    made = incrowd.anonymize(rows, {"columns": COLUMNS, "models": ["k_anonymity:k=4"]})
    facts = all_forms(made)
    assert facts["risk_before"] is None
    assert all_forms(made, original=rows)["risk_before"]["records"] == len(ROWS)
    columns = {name: each for name, each in PLAIN.items() if name != "wage"}
    job = {"columns": columns, "models": ["frequency_l:l=3,column=disease"], "search": "anatomy", "suppress": 0.2}
    assert all_forms(incrowd.anonymize(rows, job))["apart"]


def test_nothing_sensitive(tmp_path: Path) -> None:
    columns = {"age": COLUMNS["age"], "town": COLUMNS["town"], "disease": {"role": "keep"}}
    facts = all_forms(released(tmp_path, columns=columns))
    assert facts["sensitive"] == []
    text = incrowd.report(tmp_path / "release.csv").to_markdown()
    assert "No column is declared sensitive" in text
    assert "No model covers disease" in text


@pytest.mark.parametrize("nulls", ["extended", "basic", "maybe", "right_maybe"])
def test_missing_cells(tmp_path: Path, nulls: str) -> None:
    rows = [{**row, "town": "" if at % 9 == 0 else row["town"]} for at, row in enumerate(ROWS)]
    facts = all_forms(released(tmp_path, rows, nulls=nulls))
    assert facts["nulls"] == nulls
    assert facts["set_aside"] == (sum(not row["town"] for row in rows) if nulls == "basic" else 0)
    text = incrowd.report(tmp_path / "release.csv", "external").to_markdown()
    assert "Classes are numbered by" in text
    published = [(row["age"], row["town"] or None) for row in read_rows(tmp_path / "release.csv")]
    if nulls == "maybe":
        # Anyone who knows which cells are missing finds those who are equal, and these are fewer than match.
        assert facts["wildcards"]["records"] == Wildcards(4).textbook(published) > 0
        assert "nulls: extended" in text
    assert ("Missing values match everything here" in text) == nulls.endswith("maybe")
    diagnosis = incrowd.diagnose(tmp_path / "rows.csv", among=["age", "town"], nulls=nulls)
    assert all_forms(diagnosis)["nulls"] == nulls


def test_many_columns_with_long_names(tmp_path: Path) -> None:
    names = [f"a rather long name of a column that nobody would read to its end, number {at}" for at in range(60)]
    rows = [{name: (at * 3 + shift) % 2 for shift, name in enumerate(names)} for at in range(40)]
    facts = all_forms(released(tmp_path, rows, columns={name: {"role": "quasi"} for name in names}))
    assert len(facts["columns"]) == 60
    diagnosed = all_forms(written(tmp_path, rows))
    assert len(diagnosed["columns"]) == 60


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_databases(tmp_path: Path) -> None:
    released(tmp_path, output={"to": f"duckdb:///{tmp_path}/data.duckdb", "table": "people"})
    made = released(tmp_path, output={"to": f"duckdb:///{tmp_path}/data.duckdb", "table": "people", "replace": True})
    facts = all_forms(made)
    assert facts["records"] == made.manifest.data.records
    assert Counter(facts["kept"]) == {}


@pytest.mark.parametrize("search", ["mondrian", "k_members", "microaggregation", "layered"])
def test_cells_that_differ_are_told_by_what_they_cover(tmp_path: Path, search: str) -> None:
    columns = COLUMNS if search == "layered" else PLAIN
    facts = incrowd.report(released(tmp_path, UNEVEN, columns=columns, search=search)).to_dict()
    told = [column for column in facts["columns"] if column["level"] is None]
    assert told
    for column in told:
        before, after = column["before"]["bars"], column["told"]["bars"]
        assert [label for label, _ in before] == [label for label, _ in after]
        # Ages that nobody has may be covered, too; towns are all there.
        assert sum(records for _, records in after) == pytest.approx(len(UNEVEN), rel=0.05)


def test_what_cells_tell_by_hand(tmp_path: Path) -> None:
    """Two groups, ages 20 to 21 and 30 to 31: each of the four ages is told twice."""
    rows = [{"age": age, "town": "Ulm"} for age in (20, 20, 20, 21, 30, 31, 31, 31)]
    columns = {"age": {"role": "quasi"}, "town": {"role": "quasi"}}
    facts = incrowd.report(released(tmp_path, rows, columns=columns, search="mondrian")).to_dict()
    age = facts["columns"][0]
    assert age["before"]["bars"] == [["20", 3], ["21", 1], ["30", 1], ["31", 3]]
    assert age["told"]["bars"] == [["20", 2.0], ["21", 2.0], ["30", 2.0], ["31", 2.0]]
