"""Which role is suggested for a column, and that the reason fits."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from incrowd.core.schema import Role
from incrowd.diagnosis.inspection import inspect
from incrowd.diagnosis.kinds import kind_of
from incrowd.diagnosis.names import NAME_RULES, rule_for, words_of
from incrowd.diagnosis.roles import Facts, Suggestion, suggest
from incrowd.formats import ReadOptions, read
from incrowd.watch import Watch

ROOT = Path(__file__).parents[2]
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult-train.csv"
ID, QUASI, SENSITIVE, KEEP = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.KEEP


def facts(
    name: str,
    values: Sequence[object],
    records: int = 5000,
    missing: int = 0,
    unique: int = 0,
    unique_gain: float | None = 100.0,
) -> Facts:
    """A column that has these distinct values."""
    array = pa.array(values) if values else pa.nulls(0)
    return Facts(name, kind_of(array), array, records, missing, unique, unique_gain)


def several(form: str, n: int = 400) -> list[str]:
    """Different texts of one form, which has a place for a number."""
    return [form.format(number) for number in range(n)]


# Names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("date_of_birth", ["date", "of", "birth"]),
        ("birthDate", ["birth", "date"]),
        ("Marital-Status", ["marital", "status"]),
        ("home.address 1", ["home", "address"]),
        ("IPAddress", ["ip", "address"]),
        ("patientID", ["patient", "id"]),
        ("ZIP5", ["zip"]),
        ("GRÖSSE", ["groesse"]),
        ("Straße", ["strasse"]),
        ("Nationalité", ["nationalite"]),
        ("età", ["eta"]),
        ("名前", ["名前"]),
        ("123", []),
    ],
)
def test_words(name: str, words: list[str]) -> None:
    assert list(words_of(name)) == words


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (ID, "name surname LastName first_name full-name e-mail EMAIL phone_number fax ssn SocialSecurityNumber mrn"),
        (ID, "medical_record_number account_number licence_plate device_id url ip_address photo passport iban street"),
        (ID, "home_address patient_id PatientName birth_name id uuid credit_card"),
        (ID, "Nachname Vorname Telefonnummer Strasse Straße Hausnummer Versichertennummer Kennzeichen"),
        (ID, "prénom nom adresse courriel apellidos dirección teléfono voornaam achternaam straat cognome indirizzo"),
        (
            QUASI,
            "birth_date DOB dateofbirth age AgeGroup sex gender zip ZIPCODE postcode postalCode city county region",
        ),
        (
            QUASI,
            "state country country_name country_id nationality race ethnicity marital-status education education-num",
        ),
        (
            QUASI,
            "occupation job_title profession workclass language admission_date dischargeDate death visit height weight",
        ),
        (QUASI, "household_size relationship hours-per-week native-country address_city death_date"),
        (QUASI, "Geburtsdatum Alter Geschlecht PLZ Wohnort Bundesland Staatsangehörigkeit Familienstand Beruf Größe"),
        (
            QUASI,
            "date_naissance sexe code_postal ville état_civil métier fecha_nacimiento edad código_postal profesión",
        ),
        (QUASI, "geboortedatum leeftijd geslacht woonplaats beroep data_di_nascita età sesso città stato_civile"),
        (
            SENSITIVE,
            "diagnosis diagnosis_code drug_name icd10 disease condition symptoms medication procedure hiv income",
        ),
        (
            SENSITIVE,
            "salary-class wage debt religion political_party union sexual_orientation crime conviction genetic_marker",
        ),
        (SENSITIVE, "test_result grade capital-gain cause_of_death blood_pressure credit_score"),
        (
            SENSITIVE,
            "Diagnose Krankheit Einkommen Gehalt Konfession maladie salaire enfermedad ziekte inkomen malattia reddito",
        ),
        (KEEP, "fnlwgt survey_weight Gewichtungsfaktor"),
    ],
)
def test_names(role: Role, names: str) -> None:
    found = {name: getattr(rule_for(name), "role", None) for name in names.split()}
    assert found == dict.fromkeys(names.split(), role)


@pytest.mark.parametrize("name", ["x", "column 7", "q12_answer", "message", "sextant", "passage", "imaged", "名前", ""])
def test_names_that_say_nothing(name: str) -> None:
    """Only whole words count: there is an age in every message."""
    assert rule_for(name) is None


def test_terms_are_written_as_names_are_read() -> None:
    terms = [term.strip() for rule in NAME_RULES for term in rule.terms.split(",")]
    assert "" not in terms
    assert [term for term in terms if " ".join(words_of(term)) != term] == []
    assert max(len(term.split()) for term in terms) <= 4


def test_no_rule_hides_another_by_having_its_terms() -> None:
    for rule in NAME_RULES:
        own = [term for term in rule.terms.split(",") if rule_for(term.strip()) is rule]
        assert own, rule.what


# Values


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
    ],
)
def test_looks(words: str, form: str) -> None:
    found = suggest(facts("x", several(form, 99)))
    assert found.role is ID
    assert "its values look like" in found.reason
    assert words in found.reason


def test_four_of_five_values_must_have_the_form() -> None:
    addresses = several("person{}@example.org", 80)
    assert suggest(facts("x", addresses + several("word {}", 20))).role is ID
    assert suggest(facts("x", addresses + several("word {}", 21))).role is QUASI


def test_long_numbers_of_a_frame() -> None:
    assert "long numbers" in suggest(facts("x", list(range(10**11, 10**11 + 500)))).reason


@pytest.mark.parametrize("form", ["2024-01-{:02d}", "{:02d}.01.2024"])
def test_dates_are_no_phone_numbers(form: str) -> None:
    dates = [form.format(day) for day in range(1, 29)]
    assert suggest(facts("x", dates)) == Suggestion(QUASI, "dates in a person's life are known to others")


def test_dates_as_numbers() -> None:
    days = [year * 10000 + month * 100 + 15 for year in range(1930, 2010) for month in range(1, 13)]
    assert "dates" in suggest(facts("x", days)).reason
    assert "dates" in suggest(facts("x", list(map(str, days)))).reason


# Numbers


@pytest.mark.parametrize(
    ("expected", "column"),
    [
        ((ID, "nearly every record has a value of its own"), facts("x", several("w{}", 4900), unique=4800)),
        ((ID, "nearly every record"), facts("x", list(range(5000)), unique=5000)),
        ((ID, "nearly every record"), facts("x", several("w{}", 2500), missing=2500, unique=2500)),
        ((QUASI, "together with"), facts("x", several("w{}", 4000), unique=3000)),
        ((KEEP, "all records have the same value"), facts("x", ["w"], unique_gain=0)),
        ((QUASI, "together with"), facts("x", ["w"], missing=2500)),
        ((KEEP, "all its values are missing"), facts("x", [], missing=5000, unique_gain=0)),
        ((ID, "free text"), facts("x", several("The patient came on foot and left by taxi {}", 3000))),
        ((SENSITIVE, "an amount or a measurement"), facts("x", [n / 7 for n in range(101)])),
        ((SENSITIVE, "an amount or a measurement"), facts("x", [f"{n},5" for n in range(101)])),
        ((SENSITIVE, "an amount or a measurement"), facts("x", [n / 7 for n in range(5000)], unique=5000)),
        ((QUASI, "together with"), facts("x", list(range(100)))),
        ((QUASI, "together with"), facts("x", ["v", "w"], unique_gain=5.0)),
        ((KEEP, "hardly any record"), facts("x", ["v", "w"], unique_gain=4.9)),
        ((QUASI, "was not counted"), facts("x", ["v", "w"], unique_gain=None)),
        ((QUASI, "too few values"), facts("x", several("w{}", 19), records=19, unique=19)),
        ((QUASI, "too few values"), facts("x", [], records=0, unique_gain=0)),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_numbers(expected: tuple[Role, str], column: Facts) -> None:
    role, words = expected
    found = suggest(column)
    assert found.role is role
    assert words in found.reason


# Names that the values contradict


@pytest.mark.parametrize(
    ("expected", "column"),
    [
        ((QUASI, "name of a person, but many records share"), facts("name", ["basic", "plus", "gold"])),
        ((KEEP, "all records have the same value"), facts("device", ["w"])),
        ((ID, "name of a person"), facts("name", several("w{}", 200))),
        ((ID, "name of a person"), facts("name", ["v", "w", "x"], records=6)),
        ((ID, "name of a person"), facts("name", [], missing=5000)),
        ((ID, "network address"), facts("ip", ["10.0.0.1", "10.0.0.2"])),
        ((ID, "a place, but its values look like e-mail"), facts("city", several("p{}@example.org"))),
        ((QUASI, "a place"), facts("zip", several("12345-{:04d}"))),
        ((QUASI, "a place"), facts("area", several("7{:09d}"))),
        (
            (ID, "health, but it is free text"),
            facts("condition", several("came on foot and left by taxi after {} days", 4000)),
        ),
        ((SENSITIVE, "health"), facts("diagnosis", several("chronic inflammation of the upper airways, type {}", 40))),
        ((QUASI, "health, but it is a date"), facts("diagnosis_date", several("2024-{:02d}-01", 13)[1:])),
        ((SENSITIVE, "income"), facts("income", list(range(3000)))),
        ((QUASI, "category"), facts("phone_type", several("7000000{:02d}", 3))),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_contradictions(expected: tuple[Role, str], column: Facts) -> None:
    role, words = expected
    found = suggest(column)
    assert found.role is role
    assert words in found.reason


# Whole tables


def suggested(path: Path, *missing: str) -> dict[str, Role]:
    """The roles suggested for a file."""
    with Watch() as watch:
        return dict(inspect(read(path, options=ReadOptions(missing=missing)), watch).schema.roles)


def test_hospital() -> None:
    roles = suggested(ROOT / "examples" / "hospital.csv")
    quasi = ["birth_date", "sex", "postcode", "marital_status", "nationality", "occupation", "admission_date"]
    assert roles == {"name": Role.PERSON, **dict.fromkeys(quasi, QUASI), "diagnosis": SENSITIVE, "income": SENSITIVE}


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not beside the repository")
def test_adult() -> None:
    roles = suggested(ADULT, "?")
    assert [name for name, role in roles.items() if role is SENSITIVE] == [
        "capital-gain",
        "capital-loss",
        "salary-class",
    ]
    # A survey weight: it makes records unique, but no outsider knows it.
    assert [name for name, role in roles.items() if role is KEEP] == ["fnlwgt"]
    assert [name for name, role in roles.items() if role is ID] == []
