"""Who a record is about is found as the rule says, and told without a value."""

import random
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.test_inspection import inspected
from incrowd import inspect
from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Role
from incrowd.core.table import Table
from incrowd.diagnosis.people import RepeatedPeople, find_people
from incrowd.proposing.person_names import Tells, is_birth, told_by
from strategies import Row, batch

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"


def found(names: Sequence[str], rows: Sequence[Row], trusted: bool = False) -> RepeatedPeople | None:
    """What is found in rows."""
    counted = FrequencySet.of_table(Table.from_batches(names, [batch(rows, names)]))
    return find_people(counted, [name for name in names if name not in ("visit", "sex", "birth_date")], trusted)


# By definition, in plain Python


def groups(rows: Sequence[Row], columns: Sequence[str]) -> list[list[Row]]:
    """The records of each person; without any cell that tells, a person of their own."""
    by_key: dict[Any, list[Row]] = {}
    for at, row in enumerate(rows):
        key = tuple(row[name] for name in columns)
        by_key.setdefault(at if set(key) == {None} else key, []).append(row)
    return list(by_key.values())


def known(rows: Sequence[Row], columns: Sequence[str]) -> list[list[Row]]:
    return [of for of in groups(rows, columns) if any(of[0][name] is not None for name in columns)]


def repeats(rows: Sequence[Row], columns: Sequence[str]) -> bool:
    return any(len(of) > 1 for of in known(rows, columns))


def constant(rows: Sequence[Row], columns: Sequence[str], beside: str) -> bool:
    """Nearly all records that share a key have the sex, or birth, that is most frequent beside it."""
    filled = [[row[beside] for row in of if row[beside] is not None] for of in known(rows, columns)]
    shared = [values for values in filled if len(values) > 1]
    most = sum(Counter(values).most_common(1)[0][1] for values in shared)
    return not shared or most >= 0.95 * sum(map(len, shared))


def plausible(names: Sequence[str], rows: Sequence[Row], columns: Sequence[str]) -> bool:
    people = known(rows, columns)
    if 0 < len(people) <= 20 and sum(map(len, people)) >= 20 * len(people):
        return False
    shared = sum(len(of) for of in people if len(of) > 1)
    beside = [name for name in ("birth_date", "sex") if name in names and name not in columns]
    return shared < 20 or all(constant(rows, columns, name) for name in beside)


def most_known(rows: Sequence[Row], keys: Sequence[str]) -> tuple[str, ...] | None:
    filled = {name: sum(row[name] is not None for row in rows) for name in keys}
    best = sorted(keys, key=lambda name: (-filled[name], len(known(rows, (name,)))))
    return (best[0],) if best else None


def textbook(names: Sequence[str], rows: Sequence[Row], trusted: bool) -> tuple[str, ...] | None:
    """The columns that tell the person of a record, where people have several."""
    half = [name for name in names if 2 * sum(row[name] is not None for row in rows) >= max(2, len(rows))]
    numbers = [name for name in ("patient_id", "ssn") if name in half]
    if numbers:
        return most_known(rows, [name for name in names if name in numbers and repeats(rows, (name,))])
    keys = [name for name in names if name in ("id", "email") and name in half and repeats(rows, (name,))]
    keys = [name for name in keys if trusted or plausible(names, rows, (name,))]
    if keys:
        return most_known(rows, keys)
    if "name" in names:
        chosen = _by_name(names, rows, trusted)
        if chosen is not None:
            return chosen
    keys = [name for name in names if name not in ("visit", "sex", "birth_date")] if trusted else []
    finest = max(keys, key=lambda name: len(known(rows, (name,))), default=None)
    return (finest,) if finest is not None and repeats(rows, (finest,)) else None


def _by_name(names: Sequence[str], rows: Sequence[Row], trusted: bool) -> tuple[str, ...] | None:
    alone: tuple[str, ...] = ("name",)
    if "birth_date" in names:
        both = ("name", "birth_date")
        finer = both if len(known(rows, both)) > len(known(rows, alone)) else alone
        return finer if repeats(rows, finer) else None
    shared = sum(len(of) for of in known(rows, alone) if len(of) > 1)
    enough = shared >= (1 if trusted else max(1, 0.01 * len(rows)))
    return alone if enough and (trusted or plausible(names, rows, alone)) else None


COLUMNS = ("visit", "patient_id", "ssn", "id", "email", "name", "birth_date", "sex", "household_id")


@st.composite
def drawn(draw: st.DrawFn) -> tuple[tuple[str, ...], list[Row]]:
    """People with one to six records, typing errors and missing cells; any of the columns."""
    names = ("visit", *draw(st.lists(st.sampled_from(COLUMNS[1:]), min_size=1, unique=True)))
    luck = random.Random(draw(st.integers(0, 1 << 20)))
    values = {"patient_id": 40, "ssn": 60, "id": luck.choice((4, 40, 400)), "email": 40, "name": 9, "household_id": 8}
    rows: list[Row] = []
    for person in range(draw(st.integers(1, 25))):
        own = {name: f"{name}{person if luck.random() < 0.8 else luck.randrange(of)}" for name, of in values.items()}
        own |= {"birth_date": f"19{luck.randint(50, 55)}-01-01", "sex": luck.choice("mf")}
        own["name"] = f"name{luck.randrange(values['name'])}"
        for _ in range(luck.randint(1, 6)):
            row: Row = {**own, "visit": f"v{len(rows)}"}
            if luck.random() < 0.1:
                row["sex"] = luck.choice("mf")
            gaps = {name: None for name in names[1:] if luck.random() < 0.05}
            rows.append({**row, **gaps})
    luck.shuffle(rows)
    return names, [{name: row[name] for name in names} for row in rows]


@given(drawn(), st.booleans())
def test_found_as_the_rule_says(table: tuple[tuple[str, ...], list[Row]], trusted: bool) -> None:
    names, rows = table
    columns, answer = textbook(names, rows, trusted), found(names, rows, trusted)
    if columns is None:
        assert answer is None
        return
    assert answer is not None
    assert answer.columns == columns
    each = [len(of) for of in groups(rows, columns)]
    assert (answer.people, answer.records) == (len(each), len(rows))
    assert (answer.fewest, answer.median, answer.most) == (min(each), statistics.median(each), max(each))
    assert answer.unknown == len(each) - len(known(rows, columns))


@pytest.mark.parametrize(
    ("name", "tells"),
    [
        *(
            (name, Tells.NUMBER)
            for name in ("patient_id", "patientId", "SSN", "Kundennummer", "iban", "src_subject_id")
        ),
        *((name, Tells.KEY) for name in ("id", "uid", "childid", "Subject", "PATIENTNR", "email", "account_no")),
        *((name, Tells.NAME) for name in ("name", "full_name", "Nachname")),
        *((name, None) for name in ("caseid", "case.id", "visit_id", "household_id", "movieId", "clinic_name")),
        *((name, None) for name in ("patient_class", "childAge", "mother_id", "account_never_delinq_percent", "q1")),
    ],
)
def test_names(name: str, tells: Tells | None) -> None:
    assert told_by(name) is tells


def test_births() -> None:
    assert all(map(is_birth, ("birth_date", "DOB", "birthyear", "birth.dt", "Geburtsdatum", "patient_dob")))
    assert not any(map(is_birth, ("age", "birth_order", "birth_place", "mother_birth_date", "admission_date")))


def test_hospital() -> None:
    """A name alone is shared by different people: 3,482 names, 4,600 people."""
    made = inspect(str(HOSPITAL))
    assert made.people is not None
    assert made.people.columns == ("name", "birth_date")
    assert (made.people.people, made.people.records, made.people.most) == (4600, 5000, 6)
    of = {column.name: column for column in made.columns}
    assert (of["name"].role, of["name"].person) == (Role.PERSON, True)
    assert (of["birth_date"].role, of["birth_date"].person) == (Role.QUASI, True)
    assert [column.name for column in made.columns if column.person] == ["name", "birth_date"]
    assert "by name and birth_date, 5,000 records are about 4,600 people, with 1 to 6 records each" in str(made)
    assert "--person name,birth_date" in str(made)
    assert made.to_dict()["people"] | {"average": 1, "summary": ""} == {
        "columns": ["name", "birth_date"],
        "people": 4600,
        "records": 5000,
        "fewest": 1,
        "median": 1.0,
        "most": 6,
        "unknown": 0,
        "average": 1,
        "summary": "",
    }


def visits(**columns: Sequence[Any]) -> RepeatedPeople | None:
    """What is found in columns of equal length."""
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return found(tuple(columns), rows)


def test_a_number_of_ones_own_says_one_record_per_person() -> None:
    numbers = [f"p{at}" for at in range(30)]
    assert visits(patient_id=numbers, name=["Ada"] * 30, email=["a@b.org"] * 30) is None


def test_a_record_number_is_not_a_person() -> None:
    people = [f"p{at // 3}" for at in range(30)]
    told = visits(id=[f"r{at}" for at in range(30)], patient=people)
    assert told is not None
    assert told.columns == ("patient",)


def test_a_household_is_not_a_person() -> None:
    homes = [f"h{at // 3}" for at in range(90)]
    same = visits(id=homes, sex=["m" if at // 3 % 2 else "f" for at in range(90)])
    assert same is not None
    assert same.people == 30
    assert visits(id=homes, sex=["m" if at % 2 else "f" for at in range(90)]) is None


def test_a_key_without_a_telling_name_is_found_by_what_stays_with_a_person() -> None:
    of = [at % 40 for at in range(120)]
    columns = {
        "zz": [f"k{at * 7}" for at in of],
        "sex": ["fm"[at % 2] for at in of],
        "wave": [f"w{at // 40}" for at in range(120)],
    }
    people = visits(**columns, race=["abc"[at % 3] for at in of])
    assert people is not None
    assert (people.columns, people.people) == (("zz",), 40)
    assert visits(**columns) is None, "sex alone may stay by chance"
    assert visits(**columns, race=["abc"[at % 7 % 3] for at in range(120)]) is None, "race changes"


def test_yes_and_no_number_nobody() -> None:
    assert visits(driver_license=["yes", "no"] * 60, sex=["f", "m"] * 60) is None


def test_nothing_in_an_empty_table() -> None:
    assert found(("patient_id", "name"), []) is None
    assert found(("patient_id",), [{"patient_id": None}] * 5) is None


def test_no_value_is_quoted() -> None:
    rows = [{"patient_id": f"secret{at // 2}", "town": f"hidden{at % 3}"} for at in range(20)]
    made = inspected(("patient_id", "town"), rows)
    assert made.people is not None
    for text in (str(made), made.to_json(), repr(made), repr(made.people)):
        assert "secret" not in text
        assert "hidden" not in text
