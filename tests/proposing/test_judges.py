"""Each judge alone, on small tables of our own making."""

import random

import pytest

from incrowd.core.schema import Role
from incrowd.families import JUDGES
from incrowd.proposing import (
    answers,
    batteries,
    by_name,
    codes,
    constants,
    contacts,
    coordinates,
    dates,
    derived,
    figures,
    free_text,
    groups,
    indicators,
    keys,
    opinions,
    propose,
    row_index,
    strongest,
    unknown,
)
from incrowd.proposing.facts import Opinion, Sureness
from proposing.columns import named, proposed, several, shared, table

ID, QUASI, SENSITIVE, KEEP, DROP = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.DROP


# How opinions are combined


def test_the_strongest_opinion_wins() -> None:
    found = strongest([Opinion(QUASI, "weak", 0.4), Opinion(ID, "strong", 0.9), Opinion(KEEP, "middle", 0.6)])
    assert (found.role, found.reason, found.sureness) == (ID, "strong", Sureness.SURE)


def test_a_tie_of_roles_is_asked() -> None:
    tied = strongest([Opinion(QUASI, "one", 0.9), Opinion(ID, "other", 0.87)])
    agreed = strongest([Opinion(QUASI, "one", 0.9), Opinion(QUASI, "other", 0.87)])
    assert (tied.sureness, agreed.sureness) == (Sureness.UNSURE, Sureness.SURE)


@pytest.mark.parametrize(("sure", "said"), [(0.49, "unsure"), (0.5, "likely"), (0.79, "likely"), (0.8, "sure")])
def test_how_sure_it_is_in_words(sure: float, said: str) -> None:
    assert strongest([Opinion(QUASI, "", sure)]).sureness == said


def test_without_any_opinion_the_cautious_role_is_asked_about() -> None:
    found = strongest([])
    assert (found.role, found.sureness) == (QUASI, Sureness.UNSURE)


def test_every_judge_is_heard() -> None:
    assert set(opinions(table(x=[1, 2]))) == set(JUDGES.modules())
    assert {"by_name", "keys", "batteries", "derived"} <= set(JUDGES.modules())


def test_an_empty_table_has_proposals() -> None:
    assert propose(named({"x": [], "age": []}))["age"].role is QUASI


# By name


@pytest.mark.parametrize(
    ("role", "name", "cells"),
    [
        (ID, "name", several("w{}", 200)),
        (ID, "name", ["v", "w", "x", "v"]),
        (ID, "name", [None] * 9),
        (ID, "id", shared(range(1, 13))),
        (None, "name", shared(["basic", "plus", "gold"])),
        (None, "mobile", shared([0, 1, 2, 3])),
        (None, "account", [n / 7 for n in range(300)]),
        (None, "remarks", shared([1, 2, 3, 4])),
        (QUASI, "zip", several("12345-{:04d}")),
        (SENSITIVE, "income", list(range(3000))),
        (KEEP, "happiness", shared([1, 2, 3, 4, 5])),
        (SENSITIVE, "happiness", [n / 7 for n in range(300)]),
        (DROP, "fnlwgt", [n * 11 for n in range(300)]),
        (QUASI, "fnlwgt", shared([1, 2, 3])),
        (QUASI, "grade", shared([9, 10, 11, 12])),
        (QUASI, "grade", shared(["9", "10", "11", "12", "other"])),
        (SENSITIVE, "grade", shared([1, 2, 3, 4, 5])),
        (SENSITIVE, "grade", shared([0, 4, 8, 12])),
        (QUASI, "rank", shared(["captain", "major", "colonel"])),
        (SENSITIVE, "rank", shared(list(range(1, 30)))),
        (QUASI, "ht", shared([1.71, 1.8, 1.65])),
        (None, "ht", shared([0, 1])),
        (QUASI, "hand", shared([1, 2])),
        (SENSITIVE, "famhx", shared([0, 1])),
        (QUASI, "dx_year", shared(list(range(1990, 2010)))),
        (QUASI, "partic", shared(["full time", "part time", "none"])),
    ],
)
def test_by_name(role: Role | None, name: str, cells: list[object]) -> None:
    found = by_name.judge(named({name: cells})).get(name)
    assert (found and found.role) == role


def test_a_part_of_a_word_is_less_sure_than_a_word() -> None:
    found = by_name.judge(table(income=shared([1, 2]), faminc=shared([1, 2])))
    assert found["income"].sure > found["faminc"].sure


# The form of values


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("e-mail", "someone.{}@mail.example.org"),
        ("web addresses", "https://example.org/people/{}"),
        ("web addresses", "www.example.org/{}"),
        ("device addresses", "00:1B:44:11:3A:{:02d}"),
        ("network address", "192.168.7.{}"),
        ("network address", "2001:db8:0:0:1::{:x}"),
        ("bank", "DE893704004405320{:05d}"),
        ("bank", "NL91 ABNA 0417 {:04d} 00"),
        ("generated keys", "123e4567-e89b-12d3-a456-{:012d}"),
        ("phone", "+43 1 234{:04d}"),
        ("phone", "0664/123 {:04d}"),
        ("phone", "(555) 123-{:04d}"),
        ("phone", "555-123-{:04d}"),
        ("official", "123-45-{:04d}"),
        ("official", "4111 1111 1111 {:04d}"),
        ("long numbers", "7{:09d}"),
        ("long numbers", "{:08d}"),
        ("tax codes", "RSSMRA85T{:02d}A562S"),
    ],
)
def test_forms_of_contacts(words: str, form: str) -> None:
    found = contacts.judge(table(x=several(form, 99)))["x"]
    assert found.role is ID
    assert words in found.reason


def test_four_of_five_values_must_have_the_form() -> None:
    addresses = several("person{}@example.org", 80)
    assert "x" in contacts.judge(table(x=addresses + several("word {}", 20)))
    assert "x" not in contacts.judge(table(x=addresses + several("word {}", 21)))


def luhn(body: str) -> str:
    digits = [int(char) for char in reversed(body)]
    total = sum(sum(divmod(2 * digit, 10)) if at % 2 == 0 else digit for at, digit in enumerate(digits))
    return f"{body}{-total % 10}"


@pytest.mark.parametrize(
    ("what", "values"),
    [
        ("card numbers", [luhn(f"41111111{n:07d}") for n in range(60)]),
        (
            "bank accounts",
            [f"DE{98 - int(f'3704004405320{n:05d}131400') % 97:02d}3704004405320{n:05d}" for n in range(60)],
        ),
        ("identity numbers", [f"{n:08d}{'TRWAGMYFPDXBNJZSQVHLCKE'[n % 23]}" for n in range(5_000_000, 5_000_060)]),
    ],
)
def test_checksums(what: str, values: list[str]) -> None:
    found = contacts.judge(table(x=values))["x"]
    assert found.reason == f"its values have the checksum of {what}"
    assert found.sure > 0.97
    follows = dict(zip("0123456789TRWAGMYFPDXBNJZSQVHLCKE", "1234567890RWAGMYFPDXBNJZSQVHLCKET", strict=True))
    wrong = [value[:-1] + follows[value[-1]] for value in values]
    assert "checksum" not in getattr(contacts.judge(table(x=wrong)).get("x"), "reason", "")


def test_numbers_of_a_frame() -> None:
    assert "long numbers" in contacts.judge(table(x=list(range(10**11, 10**11 + 500))))["x"].reason


@pytest.mark.parametrize(
    ("role", "what", "values"),
    [
        (SENSITIVE, "ATC", [f"N02BE{n:02d}" for n in range(1, 20)]),
        (SENSITIVE, "ICD-10", [f"{letter}{n}.{n % 9}" for letter in "ACEIJ" for n in range(10, 40)]),
        (QUASI, "NUTS", [f"{land}{n}" for land in ("AT", "DE", "FR") for n in range(11, 40)]),
        (QUASI, "postcodes", [f"SW{n % 9 + 1}A {n % 10}AB" for n in range(40)]),
        (QUASI, "postcodes", shared([f"{n:05d}" for n in range(1000, 1060)])),
    ],
)
def test_codes(role: Role, what: str, values: list[object]) -> None:
    found = codes.judge(table(x=values))["x"]
    assert found.role is role
    assert what in found.reason


def test_words_are_no_codes() -> None:
    assert codes.judge(table(x=several("word{}", 600), y=shared(["A10", "B12"]))) == {}


def test_coordinates() -> None:
    figures = [48 + n / 997 for n in range(50)]
    found = coordinates.judge(
        named(
            {
                "lat": figures,
                "Längengrad": figures,
                "long": [0, 1] * 25,
                "where": [f"{n:.5f}, 16.37383" for n in figures],
            }
        )
    )
    assert found.keys() == {"lat", "Längengrad", "where"}
    assert {opinion.role for opinion in found.values()} == {QUASI}


@pytest.mark.parametrize("form", ["2024-01-{:02d}", "{:02d}.01.2024", "202401{:02d}", "{:02d}MAR2019"])
def test_dates(form: str) -> None:
    values = [form.format(day) for day in range(1, 29)]
    assert dates.judge(table(x=values))["x"].role is QUASI
    assert proposed("diagnosis", values).role is QUASI, "a date wins over what the name says"


def test_days_and_years_as_numbers() -> None:
    found = dates.judge(table(onset=list(range(200)), zz=shared([1984, 1985, 1986], 200), x=list(range(200))))
    assert found.keys() == {"onset", "zz"}
    assert {opinion.role for opinion in found.values()} == {QUASI}


def test_free_text() -> None:
    long = several("The patient came on foot and left by taxi {}", 300)
    found = free_text.judge(
        named({"x": long, "note": several("he is my {} neighbor", 300), "y": shared(long[:3], 300)})
    )
    assert found.keys() == {"x", "note"}
    assert {opinion.role for opinion in found.values()} == {ID}
    assert proposed("condition", long).role is ID, "whatever the name says"


# Counts


def test_constants() -> None:
    found = constants.judge(table(same=["w"] * 9, none=[None] * 9, some=["w"] * 8 + [None], name=[None] * 9))
    assert {name: opinion.role for name, opinion in found.items()} == {"same": KEEP, "none": KEEP}


def test_figures() -> None:
    found = figures.judge(
        table(many=list(range(300)), decimal=shared([0.5, 1.5, 2.5], 300), few=shared([1, 2, 3], 300), text=["w"] * 300)
    )
    assert found.keys() == {"many", "decimal"}
    assert {opinion.role for opinion in found.values()} == {SENSITIVE}


def test_a_near_unique_number_is_never_kept() -> None:
    for name in ("x", "happiness", "fnlwgt", "arm", "time"):
        assert proposed(name, [n * 7 % 1009 / 3 for n in range(900)]).role not in (KEEP, ID)


def test_row_numbers_and_keys() -> None:
    found = keys.judge(
        named(
            {
                "x": list(range(1, 601)),
                "mom": shared(range(1000, 1400, 2)),
                "kids": shared([0, 1, 2, 3]),
                "schoolid": shared(range(40)),
                "movieId": shared(range(0, 900, 3)),
                "code": several("k{}-z", 600),
                "party_id": shared([1, 2, 3]),
            }
        )
    )
    roles = {name: opinion.role for name, opinion in found.items()}
    assert roles == {"x": ID, "mom": ID, "schoolid": QUASI, "movieId": QUASI, "code": ID}


def test_whole_numbers_without_gaps_are_asked_about() -> None:
    found = proposed("s", shared(range(1, 301), 1200))
    assert (found.role, found.sureness) == (ID, Sureness.UNSURE)


# Several columns


def test_items_of_a_battery() -> None:
    chance = random.Random(1)
    items = {name: [chance.randint(1, 5) for _ in range(300)] for name in ("natcity", "natdrug", "nateduc", "natpark")}
    found = batteries.judge(named({**items, "natural": [chance.randint(1, 50) for _ in range(300)]}))
    assert {name: opinion.role for name, opinion in found.items()} == {
        "natcity": KEEP,
        "natdrug": SENSITIVE,
        "nateduc": KEEP,
        "natpark": KEEP,
    }
    assert "one of 4 answers on the same scale" in found["natcity"].reason
    assert propose(named(items))["natcity"].role is KEEP, "although its name suggests a place"


def test_numbered_items_of_several_letters_are_one_battery() -> None:
    chance = random.Random(1)
    items = [f"{letter}{at}" for letter in "ACN" for at in (1, 2, 3)]
    found = batteries.judge(named({name: [chance.randint(1, 6) for _ in range(99)] for name in items}))
    assert {name: opinion.role for name, opinion in found.items()} == dict.fromkeys(items, KEEP)


def test_a_known_fact_in_several_columns_is_no_battery() -> None:
    columns = {f"region{at}": shared([0, 1], 90) for at in range(5)}
    assert batteries.judge(named(columns)) == {}


def test_what_follows_from_a_known_column() -> None:
    chance = random.Random(1)
    education = [chance.choice(["none", "school", "college", "university"]) for _ in range(200)]
    number = {"none": 1, "school": 2, "college": 3, "university": 4}
    columns = {
        "education": education,
        "zz": [number[each] for each in education],
        "yy": [number[each] > 2 for each in education],
        "xx": [chance.randint(1, 4) for _ in education],
        "education-num": [number[each] for each in education],
    }
    found = derived.judge(named(columns))
    assert found["zz"].reason == "it says the same as 'education', which others may know"
    assert found["education-num"].reason == found["zz"].reason
    assert found["yy"].reason == "it follows from 'education', which others may know"
    assert "xx" not in found
    assert {opinion.role for opinion in found.values()} == {QUASI}


def test_chance_is_no_dependency() -> None:
    """Where nearly all are alike, or nearly every value is unique, one column seems to follow from another."""
    columns = {"age": list(range(60)) * 3, "rare": [at == 0 for at in range(60)] * 3, "unlike": list(range(180))}
    known = named(columns)
    assert not known.determines("unlike", "rare")
    assert not named({"age": list(range(40)) * 2, "rare": [at == 0 for at in range(40)] * 2}).determines("age", "rare")


# Words


@pytest.mark.parametrize(
    ("role", "values"),
    [
        (QUASI, ["male", "female", "unknown"]),
        (QUASI, ["weiblich", "männlich"]),
        (QUASI, ["White", "Black", "Other"]),
        (QUASI, ["Austria", "Italy", "Norway", "Spain"]),
        (QUASI, ["Employed", "Retired", "Student"]),
        (QUASI, ["high school", "some college", "bachelor", "master"]),
        (KEEP, ["placebo", "treatment"]),
        (KEEP, ["strongly agree", "agree", "disagree"]),
        (SENSITIVE, ["positive", "negative", "invalid"]),
        (SENSITIVE, ["never", "sometimes", "often"]),
        (None, ["p1", "q7", "r9"]),
    ],
)
def test_answers(role: Role | None, values: list[object]) -> None:
    found = answers.judge(table(x=shared(values))).get("x")
    assert (found and found.role) == role


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("column_1", [3, 5, 11], ID),
        ("Unnamed: 0", ["0", "1", "7"], ID),
        ("X", [1, 4, 6], ID),
        ("X", [4, 1, 6], None),
        ("X", ["a", "b", "c"], None),
        ("column_1", ["Ann", "Bob", "Cid"], ID),
        ("column_1", [3, 3, 11], None),
        ("age", [3, 5, 11], None),
    ],
)
def test_the_index_of_a_table(name: str, cells: list[object], role: Role | None) -> None:
    found = row_index.judge(named({name: cells, "other": ["v"] * len(cells)}))
    assert {each: opinion.role for each, opinion in found.items()} == ({} if role is None else {name: role})
    assert row_index.judge(named({"other": ["v"] * len(cells), name: cells})) == {}


def test_what_nothing_is_known_of() -> None:
    found = unknown.judge(table(few=shared(["p1", "q7"]), many=shared(several("w{}", 40)), number=shared([1, 2])))
    assert {name: opinion.role for name, opinion in found.items()} == {
        "few": SENSITIVE,
        "many": QUASI,
        "number": SENSITIVE,
    }
    assert {strongest([opinion]).sureness for opinion in found.values()} == {Sureness.UNSURE}
    assert unknown.judge(table(x=["v", "w"]))["x"].role is QUASI, "too few to judge"


def test_no_reason_quotes_a_value() -> None:
    secret = "xqzqx"
    chance = random.Random(2)
    columns: dict[str, list[object]] = {
        "name": [f"{secret}{at}" for at in range(60)],
        "note": [f"{secret} came on foot and left by taxi at {at} in the night" for at in range(60)],
        "mail": [f"{secret}{at}@example.org" for at in range(60)],
        "sex": [chance.choice(["male", "female", secret]) for _ in range(60)],
    }
    assert [found for found in propose(named(columns)).values() if secret in found.reason] == []


def test_a_number_that_no_records_share_numbers_them() -> None:
    """Whatever it is a number of: each record is about another course then."""
    own = named({"course_id": list(range(1, 401)), "score": [at % 7 for at in range(400)]})
    assert strongest([of["course_id"] for of in opinions(own).values() if "course_id" in of]).role == ID
    several_each = named({"course_id": [at // 20 for at in range(400)]})
    assert strongest([of["course_id"] for of in opinions(several_each).values() if "course_id" in of]).role == QUASI


def test_indicators_of_one_fact_are_as_known_as_one_of_them() -> None:
    regions = ("ne", "nc", "south", "west")
    rows = 200
    one_hot = {name: [int(at % 4 == number) for at in range(rows)] for number, name in enumerate(regions)}
    found = indicators.judge(
        named({"x9": [at % 7 for at in range(rows)], **one_hot, "zz": [at % 3 // 2 for at in range(rows)]})
    )
    assert {name: opinion.role for name, opinion in found.items()} == {"ne": QUASI, "nc": QUASI}
    # A record without any of them, or with two: no indicators of one fact.
    for at, value in ((0, 0), (1, 1)):
        broken = {**one_hot, "ne": [value, value, *one_hot["ne"][2:]] if at else [0, *one_hot["ne"][1:]]}
        assert indicators.judge(named(broken)) == {}
    # Nobody knows what none of them says.
    private = dict(zip(("q1", "q2", "q3", "q4"), one_hot.values(), strict=True))
    assert indicators.judge(named(private)) == {}


def test_a_history_in_many_columns_is_not_known_and_indicators_of_one_fact_are() -> None:
    chance = random.Random(1)
    weeks = {f"emp{at}": [chance.randint(0, 1) for _ in range(90)] for at in range(1, 21)}
    assert {opinion.role for opinion in batteries.judge(named(weeks)).values()} == {SENSITIVE}
    region = [chance.randrange(20) for _ in range(400)]
    indicators = {f"region{at}": [int(each == at) for each in region] for at in range(20)}
    assert batteries.judge(named(indicators)) == {}


def test_what_describes_a_group_tells_it() -> None:
    chance = random.Random(1)
    names = [f"M{letter}" for letter in "ABCDEFGHIJKLMNOP"]
    places = [[chance.randint(0, 9) for _ in names] for _ in range(60)]
    home = [chance.randrange(60) for _ in range(300)]
    columns = {name: [places[at][of] for at in home] for of, name in enumerate(names)}
    found = groups.judge(named({**columns, "zz": [chance.randint(0, 9) for _ in home]}))
    assert {name: opinion.role for name, opinion in found.items()} == dict.fromkeys(names, QUASI)
    assert groups.judge(named({**columns, "key": [f"k{at}" for at in home]})) == {}, "what stays with a person"
    answers = {name: [chance.randint(0, 9) for _ in home] for name in names}
    assert groups.judge(named(answers)) == {}, "everybody answers otherwise"
