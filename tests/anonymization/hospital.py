"""Sixty patients, drawn once: small enough to look at, with classes small enough to hurt."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from anonymization.runs import Job, job, write_csv

Person = dict[str, Any]
COLUMNS = ("name", "age", "zip", "sex", "disease", "ward", "visits", "note")
DISEASES = ("flu", "cold", "gout", "cancer")


def people(number: int, seed: int = 5) -> list[Person]:
    """Patients with a name of their own."""
    luck = random.Random(seed)
    return [
        {
            "name": f"person {at}",
            "age": luck.randint(20, 59),
            "zip": f"10{luck.randint(1, 4)}{luck.randint(0, 1)}",
            "sex": luck.choice("mf"),
            "disease": luck.choice(DISEASES),
            "ward": luck.choice("ABC"),
            "visits": luck.randint(1, 9),
            "note": f"note {at}",
        }
        for at in range(number)
    ]


PATIENTS = people(60)
REGISTER = [*people(200, seed=6), *PATIENTS]
"""All people, of whom the patients are some."""

ROLES: dict[str, dict[str, Any]] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
    "zip": {"role": "quasi", "hierarchy": {"mask": {}}},
    "sex": {"role": "quasi"},
    "disease": {"role": "sensitive"},
    "ward": {"role": "sensitive"},
    "visits": {"role": "keep"},
}
"""The column note is not mentioned."""
PUBLISHED = ["age", "zip", "sex", "disease", "ward", "visits"]


def hospital_job(*models: dict[str, Any], **settings: Any) -> Job:
    """A job about the patients."""
    return job(ROLES, *models, **settings)


MODELS: tuple[dict[str, Any], ...] = ({"k_anonymity": {"k": 3}}, {"distinct_l": {"l": 2, "column": "disease"}})


def tight_job(*models: dict[str, Any], **settings: Any) -> Job:
    """A job whose best release leaves records out, because ages may not be given up."""
    made = hospital_job(*(models or MODELS), **{"suppress": 6, **settings})
    return {**made, "columns": {**made["columns"], "age": {**ROLES["age"], "limit": 3}}}


def in_folder(folder: Path, patients: Sequence[Person] = PATIENTS, name: str = "patients.csv") -> Path:
    """The patients in a file."""
    return write_csv(folder / name, patients, COLUMNS)


def in_arrow(patients: Sequence[Person] = PATIENTS) -> pa.Table:
    """The patients in Arrow."""
    return pa.table({name: [person[name] for person in patients] for name in COLUMNS})
