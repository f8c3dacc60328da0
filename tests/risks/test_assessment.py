"""The report: every measure once, in plain words, without any record's value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.risks import RiskReport, assess
from incrowd.watch import Watch
from risks.counting import counted, letters
from strategies import Row, tables

ROWS = letters("xpu", "yqv", "ypw", "zqw", "zqw")


def test_numbers_and_sentences() -> None:
    report = assess(counted(ROWS, "abc"), ["a", "b", "c"], threshold="0.5")
    assert str(report) == (
        "5 records in 4 classes of equal values in {a, b, c}.\n"
        "An attacker who knows that a person is in the table re-identifies that person with certainty in "
        "3 of 5 records (60.0%).\n"
        "The risk exceeds 0.5 for 3 of 5 records (60.0%): their classes have fewer than 2 records.\n"
        "An attacker who matches the whole table with a register of the same people is right for "
        "4 of 5 records (80.0%), on average.\n"
        "2 or fewer of the 3 columns single out 3 of 5 records (60.0%).\n"
        "\n"
        "attacker                                            highest risk  average risk  records above 0.5\n"
        "--------------------------------------------------  ------------  ------------  -----------------\n"
        "prosecutor: knows that the person is in the table              1           0.8                  3\n"
        "marketer: matches all records with the same people             -           0.8                  -\n"
        "\n"
        "columns that suffice  minimal sample uniques\n"
        "--------------------  ----------------------\n"
        "                   1                       3\n"
        "                   2                       4\n"
        "\n"
        "column  minimal sample uniques with it  share of the score\n"
        "------  ------------------------------  ------------------\n"
        "c                                    4  60.0%\n"
        "a                                    4  50.0%\n"
        "b                                    3  30.0%"
    )


def test_json() -> None:
    plain = assess(counted(ROWS, "abc"), ["a", "b"], population=10).to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["quasi"] == ["a", "b"]
    assert (plain["records"], plain["classes"], plain["threshold"]) == (5, 4, 0.2)
    assert (plain["population"], plain["estimated"]) == (10, True)
    assert plain["prosecutor"] == {"highest": 1.0, "average": 0.8, "at_risk": 5}
    assert plain["uniques"] == {"sample": 3, "population": 1.5}
    assert plain["journalist"]["average"] == plain["marketer"]["population"]
    assert plain["special_uniques"]["max_size"] == 1


def lines(report: RiskReport) -> list[str]:
    return str(report).splitlines()


def test_a_population_that_was_counted() -> None:
    everybody = counted([*ROWS, *letters("xpu", "xpu", "zqw")], "abc")
    report = assess(counted(ROWS, "abc"), "abc", population=everybody)
    assert (report.population, report.estimated, report.uniques.population) == (8, False, 2)
    assert (
        "An attacker who does not know whether a person is in the table, and searches the population of 8, "
        "re-identifies that person with certainty in 2 of 5 records (40.0%)."
    ) in lines(report)
    assert "One who matches it with the population is right for 3.0 of 5 records (60.0%), on average." in lines(report)
    assert "estimate" not in str(report)


def test_an_estimate_is_called_one() -> None:
    report = assess(counted(ROWS, "abc"), "abc", population=10)
    assert any("with certainty in 1.5 of 5 records (30.0%)." in line for line in lines(report))
    assert any(line.startswith("Population figures are estimates") for line in lines(report))


def test_one_column() -> None:
    report = assess(counted(ROWS, "abc"), ["c"])
    assert report.classes == 3
    assert report.special_uniques is not None
    assert report.special_uniques.by_size == (2,)
    assert "A single column singles out 2 of 5 records (40.0%)." in lines(report)


def test_nobody_is_special() -> None:
    assert "A single column singles out no record." in lines(assess(counted(ROWS, "abc"), "b"))


def test_nobody() -> None:
    report = assess(counted([], "abc"), "abc", population=counted(ROWS, "abc"))
    assert str(report) == "The table has no records, so every risk is 0."
    plain = report.to_dict()
    assert plain["prosecutor"] == plain["journalist"] == {"highest": 0.0, "average": 0.0, "at_risk": 0}
    assert plain["special_uniques"]["records"] == 0
    assert assess(counted([], "abc"), "abc", population=0).to_dict()["uniques"] == {"sample": 0, "population": 0.0}


def test_nobody_is_above_a_risk_of_one() -> None:
    assert "The risk exceeds 1 for 0 of 5 records (0.0%)." in lines(assess(counted(ROWS, "abc"), "abc", 1))
    assert "The risk exceeds 0 for 5 of 5 records (100.0%)." in lines(assess(counted(ROWS, "abc"), "abc", 0))


def test_without_special_uniques() -> None:
    report = assess(counted(ROWS, "abc"), "abc", special=False)
    assert report.special_uniques is None
    assert report.stopped is None
    assert report.to_dict()["special_uniques"] is None
    assert "suffice" not in str(report)


def test_limits_are_said() -> None:
    columns = [f"c{at}" for at in range(20)]
    report = assess(counted([dict.fromkeys(columns, value) for value in "xy"], columns), columns)
    assert any(line.startswith("Only sets of up to 5 columns were counted") for line in lines(report))
    watch = Watch()
    watch.cancel()
    report = assess(counted(ROWS, "abc"), "abc", watch=watch)
    assert report.stopped == "interrupted"
    assert any(line.startswith("Partial result: interrupted after 0 sets of columns") for line in lines(report))


@given(tables(), st.none() | st.integers(30, 99))
def test_no_value_of_a_record_is_shown(table: tuple[tuple[str, ...], list[Row]], population: int | None) -> None:
    columns, rows = table
    secret = [{name: value and f"secret {value}" for name, value in row.items()} for row in rows]
    report = assess(counted(secret, columns), columns, population=population)
    assert "secret" not in str(report) + repr(report) + json.dumps(report.to_dict())


def test_columns_that_make_no_sense() -> None:
    table = counted(ROWS, "abc")
    with pytest.raises(UsageError, match="quasi names no column"):
        assess(table, [])
    with pytest.raises(UsageError, match="named more than once: 'a'"):
        assess(table, ["a", "b", "a"])
    with pytest.raises(UsageError, match="no column 'd'"):
        assess(table, ["a", "d"])
