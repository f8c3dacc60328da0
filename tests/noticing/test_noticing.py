"""What is noticed of how values are written; nothing is changed by it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.noticing import Notice, likely_settings, notices
from incrowd.noticing.wording import as_text
from incrowd.proposing.facts import Sureness
from proposing.columns import named


def noticed(name: str, cells: Sequence[object], steps: Sequence[str] = ()) -> tuple[Notice, ...]:
    """What is noticed of one column."""
    return notices(named({name: cells}).columns[0], steps, [name])


def settings(name: str, cells: Sequence[object]) -> list[tuple[str, list[dict[str, Any]]]]:
    """What is suggested for a column: how sure that is, and the settings to choose from."""
    found = [each for each in noticed(name, cells) if each.choices]
    return [
        (str(each.sureness), [{key: [*of] for key, of in way.items()} for _, way in each.choices]) for each in found
    ]


MISSING = [
    ([1, 2, 3, 4, 5, 9], "likely", ["9"]),
    ([1, 2, 3, 4, 8, 9], "likely", ["8", "9"]),
    ([1, 2, 9], "likely", ["9"]),
    (["20", "31", "45", "99.0"], "likely", ["99.0"]),
    ([1, 2, 3, 88, 99], "likely", ["88", "99"]),
    ([20, 31, -9, -8], "likely", ["-8", "-9"]),
    ([0, 1, -1], "unsure", ["-1"]),
    ([*range(100, 400, 4), 9999], "unsure", ["9999"]),
    (["1,5", "2,5", "-9"], "likely", ["-9"]),
    (["a", "b", "k.A."], "likely", ["k.A."]),
    (["12", "13", "."], "likely", ["."]),
    (["red", "blue", "Keine Angabe"], "unsure", ["Keine Angabe"]),
]


@pytest.mark.parametrize(("cells", "sureness", "codes"), MISSING)
def test_codes_for_missing(cells: Sequence[object], sureness: str, codes: list[str]) -> None:
    found = [(sure, way["missing"]) for sure, [way, *_] in settings("x", cells) if "missing" in way]
    assert found == [(sureness, codes)]


@pytest.mark.parametrize(
    "cells",
    [
        [*range(18, 100)],
        [*range(1, 10)],
        [1, 3, 5, 7, 9],
        [-3, -2, -1, 0, 1, 2, 12],
        [-9.5, 3.0, 12.0],
        [97, 98, 99, 100],
        ["red", "blue", "green"],
        ["unknown"],
        [9, 99],
    ],
)
def test_numbers_among_others_are_no_codes(cells: Sequence[object]) -> None:
    assert settings("x", cells) == []


AGES = [*range(18, 91)]

FREQUENT = [
    # A third of the records: an age of 99 beside others up to 90.
    ([*AGES * 2, *[99] * 73], "likely", ["99"]),
    ([*AGES * 2, *[98] * 20, *[99] * 60], "likely", ["98", "99"]),
    ([*AGES * 2, *[-9] * 73], "likely", ["-9"]),
    # Temperatures go below zero themselves.
    ([*range(-20, 40), *[-99] * 20], "likely", ["-99"]),
    ([*range(0, 800, 2), *[999] * 100], "likely", ["999"]),
    # Most have none at all, so that no number is the most frequent, but those near it are rare.
    ([*[0] * 500, *range(1, 90), *[99] * 40], "unsure", ["99"]),
]


@pytest.mark.parametrize(("cells", "sureness", "codes"), FREQUENT)
def test_a_code_within_the_reach_of_the_others_is_noticed_by_how_often_it_occurs(
    cells: Sequence[object], sureness: str, codes: list[str]
) -> None:
    found = [(sure, way["missing"]) for sure, [way, *_] in settings("x", cells) if "missing" in way]
    assert found == [(sureness, codes)]


@pytest.mark.parametrize(
    "cells",
    [
        # As rare as the others, or not much more frequent than those near it.
        [*AGES, 99],
        [*AGES * 3, *[99] * 11],
        # No gap: those of 99 and more are one group.
        [*range(18, 99), *[99] * 60],
        [*range(60, 96, 3), *[99] * 60],
        # Frequent, but no code.
        [*AGES * 2, *[95] * 73],
        [*AGES * 2, *[120] * 73],
        [*range(90), *[-4.5] * 60],
        # Frequent numbers in the middle.
        [*[9] * 90, *range(1, 60)],
    ],
)
def test_frequent_numbers_at_an_end_are_no_codes(cells: Sequence[object]) -> None:
    assert [way for _, [way, *_] in settings("x", cells) if "missing" in way] == []


WRITTEN = [
    ("income", ["1.234,50", "2.000,00", "12"], "sure", [["decimal_comma"]]),
    ("income", ["1,5", "12", "k.A."], "sure", [["decimal_comma"]]),
    ("income", ["1,234", "12,500"], "unsure", [["decimal_comma"], ["decimal_point"]]),
    ("income", ["1,234.5", "12,500"], "sure", [["decimal_point"]]),
    ("when", ["03/04/2021", "05/06/2021"], "unsure", [["day_first"], ["month_first"]]),
    ("when", ["3.4.2021", "2021-04-05"], "likely", [["day_first"], ["month_first"]]),
    ("when", ["3.4.2021", "2021-04-05", "25.4.2021"], "sure", [["day_first"]]),
    ("when", ["3/4/2021", "2021-04-05", "4/25/2021"], "sure", [["month_first"]]),
    ("when", ["3. Mai 2021", "2021-04-05"], "sure", [["day_first"]]),
    ("when", ["03/04/2021", "44289"], "unsure", [["day_first", "excel_date"], ["month_first", "excel_date"]]),
    ("geburtstag", [28000, 30123], "likely", [["excel_date"]]),
    ("town", ["Graz", "graz ", "Linz"], "unsure", [["blanks", "case", "unicode"]]),
]


@pytest.mark.parametrize(("name", "cells", "sureness", "ways"), WRITTEN)
def test_notations(name: str, cells: Sequence[object], sureness: str, ways: list[list[str]]) -> None:
    found = [
        (sure, [way["normalize"] for way in all_ways])
        for sure, all_ways in settings(name, cells)
        if "normalize" in all_ways[0]
    ]
    assert found == [(sureness, ways)]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("x", ["1.5", "2.25"]),
        ("x", ["1.234", "12"]),
        ("when", ["2021-04-03", "2021-05-03"]),
        ("when", ["25.4.2021", "26.4.2021"]),
        ("weight", [28000, 30123]),
        ("address", ["1, Main Street", "2, Main Street"]),
    ],
)
def test_what_is_read_as_it_is_written(name: str, cells: Sequence[object]) -> None:
    assert settings(name, cells) == []


def test_what_is_told_without_a_choice() -> None:
    [codes] = noticed("plz", ["01067", "10115"])
    assert (codes.what, codes.assumed) == (
        "its digits are codes, such as postcodes: some begin with 0",
        "they are read as text and keep their zeros",
    )
    [mixed] = noticed("when", ["25/12/2021", "12/25/2021"])
    assert mixed.what == "some of its dates have the day first, others the month"
    [short] = noticed("when", ["25/12/21", "24/12/21"])
    assert short.what == "its dates have years of two digits"
    [unnamed] = noticed("column_1", ["a", "b"])
    assert unnamed.assumed == "it is named by its place"
    assert noticed("column_2", ["a", "b"]) == ()


def test_what_is_set_is_told_and_not_asked_again() -> None:
    [gone, order] = noticed("when", ["2021-04-03", "3.4.2021"], ["day_first", "missing=99"])
    assert (gone.what, gone.set_by) == ("'99' is read as missing", "missing")
    assert (order.what, order.set_by) == ("dates are read day first: 03/04/2021 is 2021-04-03", "normalize")


def test_only_what_is_more_than_a_guess_is_set() -> None:
    found = [*noticed("age", [1, 2, 3, 9]), *noticed("when", ["03/04/2021", "05/06/2021"])]
    assert likely_settings(found) == {"age": {"missing": ["9"]}}


def test_unsure_ones_come_first_and_columns_share_a_line() -> None:
    found = [notice for name in "abcde" for notice in noticed(name, [1, 2, 3, 9])]
    text = as_text([*found, *noticed("when", ["03/04/2021", "05/06/2021"])]).splitlines()
    assert text[1].startswith(
        "  when: its dates may have the day first or the month first; they are read as text. Choose:"
    )
    assert text[2].startswith("  a, b, c, d and 1 more: '9' seems to mean missing; it is read as a value.")
    assert text[2].endswith("--missing-in a=9 --missing-in b=9 --missing-in c=9 --missing-in d=9")


def test_the_answer_is_followed_by_type_role_and_hierarchy(tmp_path: Path) -> None:
    """What is set is read before roles are suggested; init writes what is likely into the job."""
    path = tmp_path / "t.csv"
    rows = "".join(f'{20 + at % 30},"{at % 7},5",{"k.A." if at % 9 == 0 else at % 3}\n' for at in range(90))
    path.write_text(f"age,betrag,zz\n{rows}")
    found = incrowd.inspect(path)
    assert [column.type for column in found.columns] == ["integer", "number", "mixed"]
    read = incrowd.inspect(path, normalize={"betrag": "decimal_comma"}, missing_in={"zz": ["k.A."]})
    assert [column.type for column in read.columns] == ["integer", "number", "integer"]
    assert read.columns[2].missing == 10
    assert {notice["set_by"] for notice in read.to_dict()["noticed"]} == {"missing", "normalize"}
    job = incrowd.init(path).to_dict()["columns"]
    assert job["betrag"]["normalize"] == ["decimal_comma"]
    assert job["zz"]["missing"] == ["k.A."]
    with pytest.raises(UsageError, match="contradict"):
        incrowd.inspect(path, normalize={"age": ["day_first", "month_first"]})
    with pytest.raises(UsageError):
        incrowd.inspect(path, normalize={"nothing": "case"})


def test_nothing_is_changed_silently(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,q\n" + "".join(f"{20 + at % 2},{(1, 2, 3, 9)[at % 4]}\n" for at in range(40)))
    job: dict[str, Any] = {
        "columns": {"age": {"role": Role.QUASI}, "q": {"role": Role.QUASI}},
        "models": ["k_anonymity:k=2"],
    }
    made = incrowd.anonymize(str(path), {**job, "output": str(tmp_path / "out.csv")})
    assert made.manifest.normalized == {}
    assert ",9\n" in (tmp_path / "out.csv").read_text()
    note = "q: '9' seems to mean missing; it is read as a value; to change it, give the column missing: ['9']"
    assert (made.notes, f"Note: {note}" in str(made)) == ((note,), True)
    job["columns"]["q"]["missing"] = 9
    told = incrowd.anonymize(str(path), {**job, "output": str(tmp_path / "again.csv")})
    assert told.notes == ()
    assert [each.sureness for each in incrowd.inspect(path).noticed] == [Sureness.LIKELY]
