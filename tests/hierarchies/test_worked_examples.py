"""The hierarchies of the papers' worked examples."""

from pathlib import Path

import pyarrow as pa
import pytest

from hierarchies.shapes import labels_of
from incrowd.core.hierarchy import Hierarchy
from incrowd.hierarchies import build

DOB = ["64/04/12", "64/09/13", "64/04/15", "63/03/13", "63/03/18", "64/09/27"]
ZIP = ["94142", "94141", "94139", "94138"]


def groups(hierarchy: Hierarchy, level: int) -> set[frozenset[str]]:
    """Which values a level joins."""
    joined: dict[str, set[str]] = {}
    for value, label in labels_of(hierarchy, level).items():
        joined.setdefault(label, set()).add(value)
    return set(map(frozenset, joined.values()))


# Samarati: Race, ZIP, DOB (FX-SAM-1).


def test_samarati_race() -> None:
    race = build({"tree": {"groups": {"person": ["asian", "black", "white"]}}}, pa.array(["asian", "white"]), "Race")
    assert race.height == 1
    assert race.labels[1] == ("person",)


def test_samarati_zip() -> None:
    """Z0 -> Z1 {9413*, 9414*} -> Z2, where all are 941**."""
    for spec in ({"mask": {"steps": 1}}, None):
        zips = build(spec, pa.array(ZIP), "ZIP")
        assert zips.height == 2
        assert set(zips.labels[1]) == {"9413*", "9414*"}
    assert build({"mask": {"steps": [1, 2]}}, pa.array(ZIP), "ZIP").labels[2] == ("941**",)


def test_samarati_date_of_birth() -> None:
    spec = {"dates": {"levels": ["month", "year"], "format": "%y/%m/%d", "reference": "1998-01-01"}}
    born = build(spec, pa.array(DOB), "DOB")
    assert born.height == 3
    assert born.labels[1:] == (("1963-03", "1964-04", "1964-09"), ("1963", "1964"), ("*",))
    assert groups(born, 1) == {frozenset(DOB[3:5]), frozenset({DOB[0], DOB[2]}), frozenset({DOB[1], DOB[5]})}


# ANON, Table 1 (FX-ANON-1).


def test_anon_zip() -> None:
    zips = build({"mask": {"steps": [1, 2]}}, pa.array(["13053", "13068", "14853", "14850"]), "ZIP")
    assert zips.height == 3
    assert set(zips.labels[1]) == {"1305*", "1306*", "1485*"}
    assert set(zips.labels[2]) == {"130**", "148**"}
    assert zips.losses == pytest.approx((0, 1 / 3, 2 / 3, 1))


def test_anon_age() -> None:
    """{<30, 3*, >=40} -> {up to 40, above} -> *, with the cut before 40 on both levels."""
    ages = pa.array([28, 29, 21, 23, 50, 55, 47, 49, 31, 37, 36, 35])
    age = build({"intervals": {"cuts": [[30, 40], [40]]}}, ages, "Age")
    assert age.labels[1:] == (("<30", "30-39", ">=40"), ("<40", ">=40"), ("*",))
    assert list(age.extent(1)) == [4, 4, 4]
    assert list(age.extent(2)) == [8, 4]


def test_anon_ages_in_ranges_of_5_10_20_and_100_years() -> None:
    age = build({"intervals": {"widths": [5, 10, 20, 100], "domain": [0, 99]}}, pa.array(["17", "90"]), "Age")
    assert [len(labels) for labels in age.labels] == [100, 20, 10, 5, 1, 1]


# Loukides, Figures 2.2 and 3.2 (FX-LOU-1).

POSTCODES = [f"NW{number}" for number in range(10, 31)]
NORTH_WEST = {
    "NW[10-15]": POSTCODES[:6],
    "NW[16-19]": POSTCODES[6:10],
    "NW[20-30]": POSTCODES[10:],
}


def test_loukides_postcodes() -> None:
    postcode = build({"tree": {"groups": NORTH_WEST}}, pa.array(["NW10", "NW30"]), "Postcode")
    assert postcode.height == 2
    assert postcode.domain == 21
    assert dict(zip(postcode.labels[1], postcode.extent(1), strict=True)) == {
        "NW[10-15]": 6,
        "NW[16-19]": 4,
        "NW[20-30]": 11,
    }


def test_loukides_income() -> None:
    """Value -> [0-4] -> [0-9] -> [0-99], over 100 incomes (FX-LOU-6)."""
    income = build({"intervals": {"widths": [5, 10, 100], "domain": [0, 99]}}, pa.array([1, 4, 90]), "Income")
    assert (labels_of(income, 1)["4"], labels_of(income, 2)["4"], labels_of(income, 3)["90"]) == ("0-4", "0-9", "0-99")
    assert income.spans is not None
    assert income.spans[-1] == ((0, 99),)


# PrivacyFrost2, Figure 2 (FX-PF2-1).


def test_privacyfrost_birth() -> None:
    birth = build({"mask": {"steps": 1}}, pa.array(["1984", "1985"]), "Birth")
    assert birth.rows == [("1984", "198*", "*"), ("1985", "198*", "*")]


def test_privacyfrost_zip_and_gender() -> None:
    zips = build({"mask": {"steps": [1, 2]}}, pa.array(["01241", "01242", "01231", "01232", "01233", "01234"]), "Zip")
    assert zips.labels[1:] == (("0123*", "0124*"), ("012**",), ("*",))
    assert build(None, pa.array(["Male", "Female"]), "Gender").rows == [("Female", "*"), ("Male", "*")]


def test_privacyfrost_nationality(tmp_path: Path) -> None:
    (tmp_path / "nationality.csv").write_text("UK;Europe;*\nItaly;Europe;*\nUSA;America;*\n", encoding="utf-8")
    table = build("nationality.csv", pa.array(["UK", "Italy", "USA"]), "Nationality", tmp_path)
    tree = build({"tree": {"groups": {"Europe": ["UK", "Italy"], "America": ["USA"]}}}, pa.array(["UK"]), "Nationality")
    assert table.rows == tree.rows
