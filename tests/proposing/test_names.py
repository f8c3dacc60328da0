"""What a column's name says it is about."""

import pytest

from incrowd.core.schema import Role
from incrowd.proposing.naming import meaning_of, topic_of, words_of
from incrowd.proposing.person_names import numbered
from incrowd.proposing.vocabulary import TOPICS

ID, QUASI, SENSITIVE, KEEP, DROP = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.DROP


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
        (ID, "home_address patient_id PatientName birth_name id uuid credit_card USUBJID remarks"),
        (ID, "Nachname Vorname Telefonnummer Strasse Straße Hausnummer Versichertennummer Kennzeichen"),
        (ID, "prénom nom adresse courriel apellidos dirección teléfono voornaam achternaam straat cognome indirizzo"),
        (ID, "sobrenome telefone endereço cpf"),
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
        (QUASI, "household_size relationship hours-per-week native-country address_city death_date clinic_name"),
        (QUASI, "Geburtsdatum Alter Geschlecht PLZ Wohnort Bundesland Staatsangehörigkeit Familienstand Beruf Größe"),
        (
            QUASI,
            "date_naissance sexe code_postal ville état_civil métier fecha_nacimiento edad código_postal profesión",
        ),
        (QUASI, "geboortedatum leeftijd geslacht woonplaats beroep data_di_nascita età sesso città stato_civile"),
        (QUASI, "idade município escolaridade profissão raça age_at_diagnosis BRTHDTC"),
        (
            SENSITIVE,
            "diagnosis diagnosis_code drug_name icd10 disease condition symptoms medication procedure hiv income",
        ),
        (
            SENSITIVE,
            "salary-class wage debt religion political_party union sexual_orientation crime conviction genetic_marker",
        ),
        (SENSITIVE, "test_result grade capital-gain cause_of_death blood_pressure credit_score LBORRES AETERM EXDOSE"),
        (
            SENSITIVE,
            "Diagnose Krankheit Einkommen Gehalt Konfession maladie salaire enfermedad ziekte inkomen malattia reddito",
        ),
        (SENSITIVE, "creatinine bilirubin systolic doença renda"),
        (KEEP, "ACTARM treatment_arm job_satisfaction trust_in_people Zufriedenheit"),
        (DROP, "fnlwgt survey_weight Gewichtungsfaktor pspwght"),
    ],
)
def test_names(role: Role, names: str) -> None:
    found = {name: getattr(topic_of(name), "role", None) for name in names.split()}
    assert found == dict.fromkeys(names.split(), role)


@pytest.mark.parametrize("name", ["x", "column 7", "q12_zz", "message", "sextant", "passage", "imaged", "名前", ""])
def test_names_that_say_nothing(name: str) -> None:
    """Only whole words and parts with a meaning count: there is an age in every message."""
    assert meaning_of(name) is None


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (QUASI, "agesq motheduc husage kidslt6 youngkids wrkstat eduyears uempla yrdth birthq nsibs"),
        (SENSITIVE, "faminc lwage rincom16 hhninc polviews partyid injtype smokeyrs lfaminc totexpend"),
    ],
)
def test_abbreviations_of_surveys(role: Role, names: str) -> None:
    found = [meaning_of(name) for name in names.split()]
    assert [meaning and (meaning.topic.role, meaning.whole) for meaning in found] == [(role, False)] * len(found)


def test_the_longest_term_counts_then_the_first_topic() -> None:
    assert (topic_of("birth_weight"), topic_of("birth_date")) == (topic_of("birthweight"), topic_of("dob"))
    assert topic_of("hospital_name") is topic_of("hospital")


@pytest.mark.parametrize(
    ("name", "stem"),
    [("schoolid", "school"), ("school_nr", "school"), ("id", ""), ("id_pair", "pair"), ("valid", None), ("age", None)],
)
def test_what_a_key_numbers(name: str, stem: str | None) -> None:
    assert numbered(name) == stem


def test_terms_are_written_as_names_are_read() -> None:
    terms = [term.strip() for topic in TOPICS for term in topic.terms.split(",")]
    assert "" not in terms
    assert [term for term in terms if " ".join(words_of(term)) != term] == []
    assert max(len(term.split()) for term in terms) <= 4


def test_no_topic_hides_another_by_having_its_terms() -> None:
    for topic in TOPICS:
        own = [term for term in topic.terms.split(",") if topic_of(term.strip()) is topic]
        assert own, topic.what
