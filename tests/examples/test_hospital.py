"""The hospital example stays reproducible and keeps the people it promises.

Everything is counted with plain Python, so that the table can serve to check the package itself.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = EXAMPLES / "make_hospital.py"
TABLE = EXAMPLES / "hospital.csv"
COLUMNS = [
    "name",
    "birth_date",
    "sex",
    "postcode",
    "marital_status",
    "nationality",
    "occupation",
    "admission_date",
    "diagnosis",
    "income",
]
WITHOUT_INCOME = ("child", "pupil")

Row = dict[str, str]


def run_script(*arguments: str | Path, script: Path = SCRIPT, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the generator as a user does."""
    return subprocess.run(
        [sys.executable, script, *arguments],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )


def read_rows(path: Path) -> list[Row]:
    """Read a table with every cell as text."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def age(row: Row) -> int:
    """Whole years lived on the day of admission."""
    birth, day = date.fromisoformat(row["birth_date"]), date.fromisoformat(row["admission_date"])
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def crowds(rows: list[Row], *columns: str) -> Counter[tuple[str, ...]]:
    """Count the rows that share the same values; an empty cell is a value like any other."""
    return Counter(
        tuple(row["birth_date"][:4] if column == "birth_year" else row[column] for column in columns) for row in rows
    )


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The committed table."""
    return read_rows(TABLE)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_regenerating_gives_the_committed_bytes(tmp_path: Path, hash_seed: str) -> None:
    out = tmp_path / "again.csv"
    result = run_script(out, hash_seed=hash_seed)
    assert result.returncode == 0, result.stderr
    assert out.read_bytes() == TABLE.read_bytes()
    assert os.listdir(tmp_path) == ["again.csv"]


def test_the_default_output_lies_beside_the_script(tmp_path: Path) -> None:
    script = shutil.copy(SCRIPT, tmp_path)
    assert run_script(script=Path(script)).returncode == 0
    assert (tmp_path / "hospital.csv").read_bytes() == TABLE.read_bytes()


def test_rows_and_seed_are_honoured(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    assert run_script("--rows", "300", "--seed", "1", first).returncode == 0
    assert run_script("--rows", "300", "--seed", "2", second).returncode == 0
    assert len(read_rows(first)) == len(read_rows(second)) == 300
    assert first.read_bytes() != second.read_bytes()


def test_too_few_rows_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    out = tmp_path / "tiny.csv"
    result = run_script("--rows", "3", out)
    assert result.returncode == 2
    assert "at least 14 rows" in result.stderr
    assert os.listdir(tmp_path) == []


def test_the_file_is_utf8_with_plain_line_ends() -> None:
    content = TABLE.read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    assert not content.startswith(b"\xef\xbb\xbf")
    assert re.search(r"[^\x00-\x7f]", content.decode("utf-8"))


def test_shape(rows: list[Row]) -> None:
    assert len(rows) == 5000
    assert all(list(row) == COLUMNS for row in rows)


def test_values_are_well_formed(rows: list[Row]) -> None:
    for row in rows:
        assert date(2023, 1, 1) <= date.fromisoformat(row["admission_date"]) <= date(2024, 12, 31)
        assert row["birth_date"] <= row["admission_date"]
        assert row["sex"] in ("F", "M", "X")
        assert re.fullmatch(r"([0-9]{5})?", row["postcode"])
        assert re.fullmatch(r"([0-9]*00|0)?", row["income"])
        assert "NA" not in row.values()
    assert any(row["postcode"].startswith("0") for row in rows)


@pytest.mark.parametrize(
    ("column", "fewest", "most"),
    [
        ("postcode", 5, 30),
        ("marital_status", 50, 200),
        ("nationality", 50, 200),
        ("occupation", 50, 200),
    ],
)
def test_missing_cells(rows: list[Row], column: str, fewest: int, most: int) -> None:
    assert fewest <= sum(row[column] == "" for row in rows) <= most


def test_missing_incomes_of_adults(rows: list[Row]) -> None:
    adults = [row for row in rows if age(row) >= 20]
    assert 0.01 <= sum(row["income"] == "" for row in adults) / len(adults) <= 0.04


@pytest.mark.parametrize("column", ["name", "birth_date", "sex", "admission_date", "diagnosis"])
def test_columns_without_missing_cells(rows: list[Row], column: str) -> None:
    assert all(row[column] for row in rows)


def test_values_suit_age_and_sex(rows: list[Row]) -> None:
    assert all(row["income"] == "" for row in rows if row["occupation"] in WITHOUT_INCOME)
    assert all(row["occupation"] in ("child", "") for row in rows if age(row) < 6)
    pregnancy = ("childbirth", "pregnancy complication")
    assert {row["sex"] for row in rows if row["diagnosis"] in pregnancy} == {"F"}
    assert {row["sex"] for row in rows if row["diagnosis"] == "prostate cancer"} == {"M"}


def test_crowds_are_unequal(rows: list[Row]) -> None:
    postcodes = Counter(row["postcode"] for row in rows if row["postcode"])
    nationalities = Counter(row["nationality"] for row in rows if row["nationality"])
    assert len(postcodes) == 40
    assert max(postcodes.values()) > 400
    assert min(postcodes.values()) < 5
    assert len(nationalities) == 16
    assert nationalities["Dutch"] > 3000
    assert 0 < sum(row["sex"] == "X" for row in rows) < 50


def test_people_come_back_as_the_same_person(rows: list[Row]) -> None:
    people: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        people.setdefault((row["name"], row["birth_date"]), []).append(row)
    assert len(rows) - len(people) == pytest.approx(0.08 * len(rows), rel=0.05)
    varying = ("admission_date", "diagnosis")
    for stays in people.values():
        lasting = {tuple(stay[column] for column in COLUMNS if column not in varying) for stay in stays}
        assert len(lasting) == 1
        assert len({stay["admission_date"] for stay in stays}) == len(stays)


@pytest.mark.parametrize(
    ("columns", "smallest_crowd", "alone"),
    [
        (("sex", "birth_date", "postcode"), 1, 4205),
        (("sex", "birth_year", "postcode"), 1, 1314),
        (("postcode", "nationality"), 1, 68),
        (("sex", "marital_status"), 3, 0),
    ],
)
def test_crowds_named_in_the_readme(rows: list[Row], columns: tuple[str, ...], smallest_crowd: int, alone: int) -> None:
    sizes = crowds(rows, *columns).values()
    assert (min(sizes), sum(size == 1 for size in sizes)) == (smallest_crowd, alone)
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    names = ", ".join(column.replace("birth_year", "year of birth_date") for column in columns)
    assert f"| {names} | {smallest_crowd} | {alone:,} |" in readme


def test_the_only_centenarian(rows: list[Row]) -> None:
    (oldest,) = [row for row in rows if age(row) >= 98]
    assert age(oldest) == 103
    assert crowds(rows, "birth_year")[("1920",)] == 1
    assert crowds(rows, "sex", "postcode", "marital_status")[("F", "01001", "widowed")] > 20


def test_the_widow_of_17(rows: list[Row]) -> None:
    (widow,) = [row for row in rows if row["marital_status"] == "widowed" and age(row) < 30]
    assert (age(widow), widow["sex"], widow["postcode"]) == (17, "F", "01002")
    assert {row["marital_status"] for row in rows if age(row) < 18 and row is not widow} == {"single", ""}


def test_the_only_judge_outside_the_city(rows: list[Row]) -> None:
    judges = [row for row in rows if row["occupation"] == "judge"]
    assert len(judges) > 10
    assert [row["postcode"] for row in judges if not row["postcode"].startswith("01")] == ["90741"]
    assert crowds(rows, "postcode")[("90741",)] < 10


def test_the_only_astronomer_lives_in_a_tiny_village(rows: list[Row]) -> None:
    (astronomer,) = [row for row in rows if row["occupation"] == "astronomer"]
    assert astronomer["postcode"] == "90758"
    assert crowds(rows, "postcode")[("90758",)] < 10
    assert crowds(rows, "postcode", "nationality")[("90758", "Danish")] == 1


def test_the_only_person_of_a_nationality(rows: list[Row]) -> None:
    counts = crowds(rows, "nationality")
    assert [nationality for nationality, size in counts.items() if size == 1] == [("Bhutanese",)]


def test_the_very_high_income_in_a_village(rows: list[Row]) -> None:
    rich, next_rich = sorted((row for row in rows if row["income"]), key=lambda row: -int(row["income"]))[:2]
    assert (rich["postcode"], rich["occupation"]) == ("90729", "farmer")
    assert int(rich["income"]) > 5 * int(next_rich["income"])
    assert crowds(rows, "postcode")[("90729",)] < 20


def test_the_old_student_stands_out_only_by_the_combination(rows: list[Row]) -> None:
    (student,) = [row for row in rows if row["occupation"] == "student" and age(row) > 35]
    assert age(student) == 71
    for column in ("sex", "birth_year", "postcode", "marital_status", "nationality", "occupation"):
        value = student["birth_date"][:4] if column == "birth_year" else student[column]
        assert crowds(rows, column)[(value,)] >= 50


def test_the_only_man_with_breast_cancer(rows: list[Row]) -> None:
    counts = crowds(rows, "diagnosis", "sex")
    assert counts[("breast cancer", "M")] == 1
    assert counts[("breast cancer", "F")] > 50


def test_six_stays_of_one_person_look_like_a_crowd(rows: list[Row]) -> None:
    counts = crowds(rows, "sex", "birth_date", "postcode")
    value, size = counts.most_common(1)[0]
    assert (value, size) == (("F", "1944-06-11", "90764"), 6)
    stays = [row for row in rows if (row["sex"], row["birth_date"], row["postcode"]) == value]
    assert len({row["name"] for row in stays}) == 1
