"""Tables of our own making, in several languages and with odd names, that the judges were not made for.

A column that outsiders know is never suggested to be published as it is, and what nobody can judge is asked about
first.
"""

import random
from collections.abc import Sequence

import pytest

from incrowd.core.schema import Role
from incrowd.proposing import Proposal, propose
from incrowd.proposing.facts import Sureness
from proposing.columns import named

N = 400
PUBLISHED = (Role.KEEP, Role.SENSITIVE)


def drawn(seed: int, values: Sequence[object], n: int = N) -> list[object]:
    """So many values by chance."""
    chance = random.Random(seed)
    return [chance.choice(values) for _ in range(n)]


def follows(cells: Sequence[object], of: dict[object, object]) -> list[object]:
    """What each cell stands for."""
    return [of[cell] for cell in cells]


def with_errors(cells: Sequence[object], other: object, each: int = 60) -> list[object]:
    """The cells with a wrong one now and then."""
    return [other if at % each == 0 else cell for at, cell in enumerate(cells)]


GESCHLECHT = drawn(1, ["m", "w", "d"])
BUNDESLAND = drawn(2, ["Wien", "Tirol", "Salzburg", "Kärnten"])
ETUDES = drawn(3, ["primaire", "secondaire", "supérieur"])
SESSO = drawn(4, ["maschio", "femmina"])
PROVINCIA = drawn(5, ["Lugo", "Soria", "Cádiz", "Jaén", "Ávila"])
AGE = drawn(6, range(18, 90))

TABLES: dict[str, dict[str, Sequence[object]]] = {
    "clinic in German": {
        "fallnr": [f"F{at:05}" for at in range(N)],
        "geschl": GESCHLECHT,
        "bl": BUNDESLAND,
        "xq7": follows(GESCHLECHT, {"m": "a1", "w": "b1", "d": "c1"}),
        "hba1c": [str(5 + at % 60 / 10) for at in range(N)],
        "merkmal": drawn(11, ["r", "s"]),
    },
    "survey in French": {
        "niveau d'études": ETUDES,
        "q17b": follows(ETUDES, {"primaire": 1, "secondaire": 2, "supérieur": 3}),
        "zz": with_errors(follows(ETUDES, {"primaire": "P", "secondaire": "S", "supérieur": "T"}), "P"),
        "revenu": [900 + at * 7 for at in range(N)],
    },
    "registry in Italian": {
        "sesso": SESSO,
        "cod_a": follows(SESSO, {"maschio": 1, "femmina": 2}),
        "codice fiscale": [f"RSSMRA{at % 90:02}A01H{at:03}Z" for at in range(N)],
        "diagnosi": drawn(12, ["I10", "E11.9", "J45", "K21.0"]),
    },
    "school in Spanish": {
        "provincia": PROVINCIA,
        "distrito": [f"{place}-{at % 4}" for at, place in enumerate(PROVINCIA)],
        "k3": [f"{'LSCJÁ'.index(str(place)[0])}{at % 3}" for at, place in enumerate(PROVINCIA)],
        "nota": drawn(13, [4, 5, 6, 7, 8, 9, 10]),
    },
    "index of R": {
        "column_1": [at * 2 + 1 for at in range(N)],
        "edad": AGE,
        "v2": [int(str(age)) // 10 for age in AGE],
    },
    "names of rows": {"column_1": [f"Row {at}" for at in range(N)], "leeftijd": AGE},
    "export in Portuguese": {
        "nome": [f"Ana {at}" for at in range(N)],
        "nascimento": [f"{1 + at % 28:02}/{1 + at % 12:02}/{1950 + at % 50}" for at in range(N)],
        "estado civil": drawn(14, ["solteiro", "casado", "viúvo"]),
        "obs": [f"paciente relata dor forte no lado {at}, sem febre desde ontem" for at in range(N)],
    },
    "labour in Dutch": {
        "werkgever": drawn(15, [f"bedrijf {at}" for at in range(30)]),
        "loon": [1500 + at * 3 for at in range(N)],
        "grp": drawn(16, ["x1", "x2", "x3"]),
        "v9": drawn(24, range(18, 90)),
        "v10": drawn(25, range(100)),
    },
    "panel in English": {
        "hhid": [at // 3 for at in range(N)],
        "marstat": drawn(17, ["married", "single", "divorced"]),
        "lev1": drawn(18, ["low", "high"]),
        "edlevel": drawn(19, ["none", "primary", "secondary", "college"]),
    },
}
TABLES["panel in English"]["edl_n"] = follows(  # type: ignore[index]
    TABLES["panel in English"]["edlevel"], {"none": 0, "primary": 1, "secondary": 2, "college": 3}
)


@pytest.fixture(scope="module")
def suggested() -> dict[str, dict[str, Proposal]]:
    return {name: propose(named(columns)) for name, columns in TABLES.items()}


REMOVED = [
    ("clinic in German", "fallnr"),
    ("registry in Italian", "codice fiscale"),
    ("index of R", "column_1"),
    ("names of rows", "column_1"),
    ("export in Portuguese", "nome"),
    ("export in Portuguese", "obs"),
]
KNOWN = [
    ("clinic in German", "geschl", None),
    ("clinic in German", "bl", None),
    ("clinic in German", "xq7", "says the same as 'geschl'"),
    ("survey in French", "niveau d'études", None),
    ("survey in French", "q17b", "says the same as"),
    ("survey in French", "zz", "nearly follows from"),
    ("registry in Italian", "sesso", None),
    ("registry in Italian", "cod_a", "says the same as 'sesso'"),
    ("school in Spanish", "provincia", None),
    ("school in Spanish", "distrito", None),
    ("school in Spanish", "k3", "tells 'provincia'"),
    ("index of R", "edad", None),
    ("index of R", "v2", "follows from 'edad'"),
    ("names of rows", "leeftijd", None),
    ("export in Portuguese", "nascimento", None),
    ("export in Portuguese", "estado civil", None),
    ("labour in Dutch", "werkgever", None),
    ("labour in Dutch", "v9", "may be ages"),
    ("panel in English", "marstat", None),
    ("panel in English", "edlevel", None),
    ("panel in English", "edl_n", "says the same as 'edlevel'"),
]
SECRET = [
    ("clinic in German", "hba1c"),
    ("survey in French", "revenu"),
    ("registry in Italian", "diagnosi"),
    ("school in Spanish", "nota"),
    ("labour in Dutch", "loon"),
    ("labour in Dutch", "v10"),
]
ASKED = [
    ("labour in Dutch", "v9"),
    ("clinic in German", "merkmal"),
    ("labour in Dutch", "grp"),
    ("panel in English", "lev1"),
]


@pytest.mark.parametrize(("table", "column"), REMOVED)
def test_what_identifies_is_removed(suggested: dict[str, dict[str, Proposal]], table: str, column: str) -> None:
    assert suggested[table][column].role not in (*PUBLISHED, Role.QUASI)


@pytest.mark.parametrize(("table", "column", "why"), KNOWN)
def test_what_others_know_is_a_quasi_identifier(
    suggested: dict[str, dict[str, Proposal]], table: str, column: str, why: str | None
) -> None:
    found = suggested[table][column]
    assert found.role is Role.QUASI
    assert why is None or why in found.reason


@pytest.mark.parametrize(("table", "column"), SECRET)
def test_what_others_do_not_know_is_sensitive(
    suggested: dict[str, dict[str, Proposal]], table: str, column: str
) -> None:
    assert suggested[table][column].role is Role.SENSITIVE


@pytest.mark.parametrize(("table", "column"), ASKED)
def test_what_nobody_can_judge_is_asked_about(
    suggested: dict[str, dict[str, Proposal]], table: str, column: str
) -> None:
    assert suggested[table][column].sureness is Sureness.UNSURE
    assert suggested[table][column].role is not Role.KEEP


def test_a_dependency_by_chance_tells_nothing() -> None:
    """Independent columns, however few their values, do not follow from each other."""
    columns = {
        "sex": drawn(21, ["m", "f"]),
        "zz": drawn(22, ["a", "b"]),
        "yy": drawn(23, [f"t{at}" for at in range(9)]),
    }
    assert all("sex" not in each.reason for name, each in propose(named(columns)).items() if name != "sex")
