"""The judges of values that are people: their names, their keys and references to the keys of others."""

import random

import pytest

from incrowd.core.schema import Role
from incrowd.proposing import aliases, by_name, contacts, keys, names_of_people, propose, references
from incrowd.proposing.facts import Sureness
from incrowd.proposing.person_names import Tells, told_by
from proposing.columns import named, proposed, several, shared, table

ID, QUASI, SENSITIVE = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE

GIVEN = ["Anna", "Peter", "José", "Fatma", "Olivia", "Wei"]
UNLISTED = [f"Xq{letter}ra" for letter in "abcdefghijklmnop"]


# Names of people


@pytest.mark.parametrize(
    ("is_name", "values"),
    [
        (True, GIVEN),
        (True, [name.upper() for name in GIVEN]),
        (True, [f"{name}, {family}" for name in GIVEN for family in ("Xqora", "Xqira")]),
        (True, [*GIVEN, *["Noah", "Emma", "Lukas", "Sophie", "Karin", "Hans"], *UNLISTED]),
        (False, [*GIVEN, *UNLISTED, *several("Xq{}ra", 20)]),
        (False, GIVEN[:4]),
        (False, ["Paris", "Florence", "Austin", "Berlin", "Lima", "Oslo", "Turin", "Quito"]),
        (False, [f"Anna came late on day {at} and left early with her mother" for at in range(40)]),
        (False, list(range(40))),
    ],
)
def test_names_that_many_people_have(is_name: bool, values: list[object]) -> None:
    found = names_of_people.judge(table(x=shared(values, 300)))
    assert {name: opinion.role for name, opinion in found.items()} == ({"x": ID} if is_name else {})


def test_a_column_of_few_names_is_one_of_names_whatever_it_is_called() -> None:
    assert proposed("elev", shared(GIVEN)).role is ID
    assert proposed("prénom", shared(["Xqa", "Xqb", "Xqc"])).role is ID, "although the values are no names"
    assert proposed("last_name", shared(["yes", "no"])).role is not ID


def test_initials() -> None:
    letters = "ABCDEFGHIJ"
    values = [f"{one}.{other}." for one in letters for other in letters]
    assert "initials" in contacts.judge(table(x=values))["x"].reason
    assert contacts.judge(table(x=[f"{one}{other}" for one in letters for other in letters])) == {}


# Keys


def test_a_key_whose_missing_values_made_decimals_of_it() -> None:
    """As pandas writes whole numbers when one is missing."""
    ids = [None if at % 7 == 0 else f"{100_000 + at * 3}.0" for at in range(600)]
    assert proposed("patient_id", ids).role is ID
    assert proposed("patient_id", [None if at % 7 == 0 else 100_000.0 + at * 3 for at in range(600)]).role is ID
    assert proposed("patient_id", [None if at % 7 == 0 else f"{at / 8:.3f}" for at in range(600)]).role is not ID


def test_numbers_of_one_length_that_no_two_records_share_are_no_measurement() -> None:
    chance = random.Random(1)
    own = [f"{chance.randrange(10**11, 10**12)}" for _ in range(300)]
    assert proposed("lab_no_tube", own).role is ID
    assert proposed("lab value", shared([f"{at}" for at in range(10**9, 10**9 + 40)], 400)).role is not ID


@pytest.mark.parametrize(
    ("name", "per_record", "role"),
    [
        ("visit_number", 2, ID),
        ("prescription_id", 2, ID),
        ("visit_occurrence_id", 2, ID),
        ("movie_id", 2, QUASI),
        ("visit_type_id", 60, QUASI),
    ],
)
def test_what_happened_to_a_person_has_a_number_that_few_records_share(name: str, per_record: int, role: Role) -> None:
    # With gaps, and from a number that no count begins with.
    assert proposed(name, [5000 + at // per_record * 7 for at in range(1200)]).role is role


def test_the_number_of_a_visit_tells_no_person() -> None:
    assert told_by("patient_id") is Tells.NUMBER
    assert told_by("visit_id") is None
    assert told_by("claim_number") is None


@pytest.mark.parametrize("name", ["house_no", "plate_nr", "phone_number", "Straße u. Nr."])
def test_a_number_of_a_house_a_car_or_a_phone_is_no_number_of_things(name: str) -> None:
    columns = named({name: shared([f"{at} K" for at in range(0, 900, 3)], 900)})
    assert keys.judge(columns) == {}
    assert by_name.judge(columns)[name].role is ID


def test_what_a_relative_is_like_is_no_key_of_the_relative() -> None:
    assert proposed("age_husband", shared(range(20, 80))).role is QUASI
    assert proposed("height_mother", shared(range(150, 190))).role is QUASI
    assert proposed("mother", shared(range(5000, 9000, 11), 900)).role is ID


# References to other records


def family(form: str, n: int = 400) -> dict[str, list[object]]:
    """Records with a key each, a third of which refer to another record."""
    chance = random.Random(3)
    own: list[object] = [form.format(at) for at in range(20_000, 20_000 + n)]
    chance.shuffle(own)
    other = [chance.choice(own) if at % 3 == 0 else None for at in range(n)]
    return {"nr_x": own, "zz": other, "age": [chance.randrange(18, 90) for _ in range(n)]}


@pytest.mark.parametrize("form", ["{}", "K-{}"])
def test_the_key_of_another_record_is_as_identifying(form: str) -> None:
    columns = family(form)
    found = references.judge(named(columns))
    assert {name: opinion.role for name, opinion in found.items()} == {"zz": ID}
    assert found["zz"].reason == "its values are those of 'nr_x' in other records"
    assert propose(named(columns))["zz"].role is ID


def test_the_key_of_another_record_as_decimals() -> None:
    columns = family("{}")
    columns["zz"] = [None if each is None else f"{each}.0" for each in columns["zz"]]
    assert references.judge(named(columns)).keys() == {"zz"}


def test_ages_are_no_keys_of_other_records_although_keys_from_one_on_have_all_of_them() -> None:
    chance = random.Random(3)
    columns = {"id": list(range(1, 401)), "age": [chance.randrange(18, 90) for _ in range(400)]}
    assert references.judge(named(columns)) == {}
    elsewhere = {**family("{}"), "zz": [f"{chance.randrange(90_000, 99_000)}" for _ in range(400)]}
    assert references.judge(named(elsewhere)) == {}


# Other keys of the same person


def test_what_is_the_same_as_an_official_number_is_another_key() -> None:
    people = [at // 12 for at in range(480)]
    columns: dict[str, list[object]] = {
        "NIF": [f"2{at * 7919 % 10**8:08d}" for at in people],
        "n mec": [300 + at * 7 for at in people],
        "birthday": [f"19{50 + at:02d}-01-{1 + at % 28:02d}" for at in people],
        "base": [700 + at * 3.25 for at in people],
    }
    found = aliases.judge(named(columns))
    assert {name: opinion.role for name, opinion in found.items()} == {"n mec": ID}
    assert found["n mec"].reason == "it says the same as 'NIF', which identifies a person"
    assert propose(named(columns))["birthday"].role is QUASI
    columns["n mec"][0] = 300 + 7
    assert aliases.judge(named(columns)) == {}


def test_a_record_of_its_own_makes_the_number_of_a_job_that_of_a_record() -> None:
    own = [f"E{at * 3:05d}" for at in range(300)]
    assert proposed("Emp ID", own).role is ID
    assert proposed("branch_id", own).role is ID
    found = proposed("branch_id", shared(own[:30]))
    assert (found.role, found.sureness) == (QUASI, Sureness.SURE)
    assert proposed("wage", several("{}00")).role is SENSITIVE
