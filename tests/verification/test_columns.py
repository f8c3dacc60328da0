"""What a verdict says of columns that no model looks at; each fact beside its definition, counted by hand."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.anonymization.summary import summary
from incrowd.core.normal_form import normal_form
from incrowd.core.schema import Normalize
from incrowd.errors import Infeasible
from incrowd.release import Record
from incrowd.verification import _normal_form as own

ROWS = [
    {
        "age": 20 + at % 40,
        "town": "Graz" if at % 3 else "Linz",
        "born": 2004 - at % 40,
        "code": f"c{at}",
        "ward": at % 7,
        "visit": at // 2,
        "pay": 1000 + at,
        "ill": ("flu", "asthma", "ulcer")[at % 3],
    }
    for at in range(480)
]
"""Born is one to one with age, code unique, visit shared by two, pay a sensitive column that is unique."""
AGE = {"role": "quasi", "hierarchy": "intervals:widths=10/20,domain=20/59", "minimum": 1}


def job(**columns: str) -> dict[str, Any]:
    """A job over age, town and the given columns."""
    roles = {name: {"role": role} for name, role in columns.items()}
    return {"columns": {"age": AGE, "town": {"role": "quasi"}, **roles}, "models": ["k_anonymity:k=4"]}


def in_file(folder: Path, described: dict[str, Any]) -> Any:
    """The release of the rows, in a file."""
    import polars

    polars.DataFrame(ROWS).write_csv(folder / "people.csv")
    return incrowd.anonymize(folder / "people.csv", {**described, "output": str(folder / "out.csv")})


def test_several_columns_are_named_in_one_warning(tmp_path: Path) -> None:
    made = in_file(tmp_path, job(code="sensitive", pay="sensitive", ill="sensitive"))
    [told] = [warning for warning in made.verdict.warnings if "unique" in warning]
    assert told.startswith(
        "the sensitive columns 'code' (480 distinct values in 480 records), 'pay' (480 distinct values in 480 records) "
        "are unique: "
    )
    assert "'ill'" not in told


def test_every_column_that_re_identifies_is_named(tmp_path: Path) -> None:
    made = in_file(tmp_path, job(born="keep", code="keep", ward="keep", visit="keep", pay="sensitive", ill="sensitive"))
    told = "\n".join(made.verdict.warnings)
    assert "the kept column 'code' is unique (480 distinct values in 480 records)" in told
    assert "the sensitive column 'pay' is unique" in told
    for harmless in ("'ward' is", "'born' is", "'visit' is", "'ill' is"):
        assert harmless not in told
    assert "('born', 'code', 'ward', 'visit'), 480 more records are in classes smaller than 4" in told
    again = incrowd.verify(tmp_path / "out.csv")
    assert again.holds
    # What needs the original table is not among what the release shows.
    assert again.warnings == made.verdict.warnings
    assert again.to_dict()["columns"] == made.to_dict()["columns"]


def test_kept_columns_are_counted_beside_the_quasi_identifiers(tmp_path: Path) -> None:
    made = in_file(tmp_path, job(ward="keep", visit="keep"))
    facts = {each.name: each for each in made.verdict.columns}
    cells = [(row["age"] // 10, row["town"], row["ward"], row["visit"]) for row in ROWS]
    for name, at in (("ward", 2), ("visit", 3)):
        sizes = Counter((*cell[:2], cell[at]) for cell in cells)
        assert facts[name].unique == sum(size for size in sizes.values() if size == 1)
        assert facts[name].below == sum(size for size in sizes.values() if size < 4)
    assert (facts["ward"].values, facts["ward"].records) == (7, 480)


def test_a_kept_column_that_determines_a_generalized_one_is_told_to_the_publisher_alone(tmp_path: Path) -> None:
    made = in_file(tmp_path, job(born="keep", ward="keep"))
    [warning] = [each for each in made.warnings if "determines" in each]
    assert "the kept column 'born' determines the original value of the quasi-identifier 'age'" in warning
    assert warning in str(made)
    assert warning in made.to_dict()["warnings"]
    assert Record.read(tmp_path / "out.csv.record.json").determined == made.record.determined
    assert warning in incrowd.report(tmp_path / "out.csv").to_dict()["warnings"]
    for public in (
        incrowd.report(tmp_path / "out.csv", "external").to_json(),
        incrowd.report(made, "external").to_json(),
        (tmp_path / "out.csv.manifest.json").read_text(),
    ):
        assert "determines" not in public


@pytest.mark.parametrize("level", [0, 1])
def test_what_is_published_as_it_is_cannot_be_undone(tmp_path: Path, level: int) -> None:
    described = job(born="keep")
    described["columns"]["age"] = {**AGE, "minimum": level, "limit": level}
    assert bool(in_file(tmp_path, described).record.determined) == bool(level)


def test_nearly_determined() -> None:
    """One record in fifty has another age; at random nothing is determined, nor where one value is nearly all."""
    import polars

    rows = [{**row, "born": 1 if at % 50 == 0 else row["born"]} for at, row in enumerate(ROWS)]
    [found] = incrowd.anonymize(polars.DataFrame(rows), job(born="keep")).record.determined
    assert (found["column"], found["quasi"], found["one_to_one"]) == ("born", "age", False)
    assert 0.95 < found["share"] < 1
    rows = [{**row, "born": at * 7 % 480 // 8, "age": 20 if at % 60 else 30} for at, row in enumerate(ROWS)]
    assert incrowd.anonymize(polars.DataFrame(rows), job(born="keep")).record.determined == ()


def test_k_map_is_not_called_k_anonymity(tmp_path: Path) -> None:
    import polars

    polars.DataFrame([{key: row[key] for key in ("age", "town")} for row in ROWS]).write_csv(tmp_path / "all.csv")
    described = {**job(), "models": ["k_map:k=4"], "population": str(tmp_path / "all.csv")}
    made = incrowd.anonymize(polars.DataFrame(ROWS[8:21]), described)
    assert made.manifest.smallest == 1
    assert summary(made.manifest).endswith(
        "; smallest class: 1. Every record could be that of any of at least 4 people of the population."
    )


SPELLED = ["flu", "Flu", "flu ", "flu\u200b", "  f\u00a0lu", "gru\u0308n", "gr\u00fcn", "GR\u00dcN"]


def test_spellings_are_told_and_merged(tmp_path: Path) -> None:
    import polars

    rows = [{"town": ("Graz", "GRAZ")[at % 2], "ill": SPELLED[at % 8]} for at in range(80)]
    described: dict[str, Any] = {
        "columns": {"town": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        "models": ["k_anonymity:k=2", "distinct_l:l=4,column=ill"],
    }
    told = incrowd.anonymize(polars.DataFrame(rows), described).verdict.warnings
    assert any(each.startswith("5 of 8 values in 'ill' are another spelling of a value") for each in told)
    assert any(each.startswith("1 of 2 values in 'town' is another spelling of a value") for each in told)
    assert not any(spelling in each for each in told for spelling in SPELLED)
    for column in described["columns"].values():
        column["normalize"] = list(Normalize)
    with pytest.raises(Infeasible):
        incrowd.anonymize(polars.DataFrame(rows), described)
    described["models"] = ["k_anonymity:k=2", "distinct_l:l=3,column=ill"]
    made = incrowd.anonymize(polars.DataFrame(rows), {**described, "output": str(tmp_path / "out.csv")})
    assert sorted(set(made.frame["ill"])) == ["f lu", "flu", "gr\u00fcn"]
    assert (set(made.frame["town"]), made.manifest.classes) == ({"graz"}, 1)
    assert not any("spelling" in each for each in made.verdict.warnings)
    record = tmp_path / "out.csv.record.json"
    for verdict in (incrowd.verify(tmp_path / "out.csv"), incrowd.verify(tmp_path / "out.csv", record=record)):
        assert [check.holds for check in verdict.checks if check.name == "spelling"] == [True]
        assert verdict.holds


def test_a_release_with_another_spelling_than_claimed_fails(tmp_path: Path) -> None:
    import polars

    rows = [{"town": "graz", "ill": "flu"} for _ in range(8)]
    described = {"columns": {"town": {"role": "quasi"}, "ill": {"role": "sensitive", "normalize": "case"}}}
    out = tmp_path / "out.csv"
    incrowd.anonymize(polars.DataFrame(rows), {**described, "models": ["k_anonymity:k=2"], "output": str(out)})
    out.write_text(out.read_text().replace("flu", "Flu", 1))
    assert {check.name for check in incrowd.verify(out).checks if check.holds is False} == {"hash", "spelling"}


@given(st.text(max_size=6), st.sets(st.sampled_from(list(Normalize))))
def test_verification_has_the_same_normal_form(text: str, steps: set[str]) -> None:
    """By code of its own; and no second application changes it."""
    found = normal_form(text, steps)
    assert (found or "") == own.normal_form(text, steps)
    assert own.is_normal(found, steps)
