"""Several tables about the same people: python benchmarks/linked.py [NAME...]

100,000 people with 1 million visits and 2 million prescriptions, made at random with a seed and kept as Parquet files
under benchmarks/data: diagnosed, and released and verified, by one record and by the history of a person.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tables
from harness import Figures, Row, measure, run

FOLDER = tables.DATA / "linked"
PEOPLE, VISITS, PRESCRIPTIONS = 100_000, 1_000_000, 2_000_000


def job(knows: str) -> dict[str, Any]:
    """Publish the set for k = 5, with up to 5% of the people left out."""
    widths = {"intervals": {"widths": [5, 10, 20]}}
    return {
        "tables": {
            "patients": {
                "data": str(FOLDER / "patients.parquet"),
                "columns": {
                    "patient_id": "person",
                    "birth_year": {"role": "quasi", "hierarchy": widths},
                    "sex": "quasi",
                    "region": "quasi",
                },
            },
            "visits": {
                "data": str(FOLDER / "visits.parquet"),
                "of": "patients",
                "on": "patient_id",
                "columns": {
                    "ward": "quasi",
                    "month": {"role": "quasi", "hierarchy": {"intervals": {"widths": [3, 12]}}},
                    "diagnosis": "sensitive",
                },
            },
            "prescriptions": {
                "data": str(FOLDER / "prescriptions.parquet"),
                "of": "patients",
                "on": "patient_id",
                "columns": {"drug": "quasi", "days": "keep"},
            },
        },
        "models": ["k_anonymity:k=5"],
        "suppress": 0.05,
        "knows": knows,
        "output": {"to": str(FOLDER / f"release-{knows}"), "format": "parquet", "replace": True},
    }


def _diagnosed(knows: str) -> Figures:
    import incrowd

    diagnosis = incrowd.diagnose(incrowd.LinkedJob.from_dict(job(knows)))
    return measure(lambda: len(diagnosis.ask().sets))


def _released(knows: str) -> Figures:
    import incrowd

    wanted = incrowd.LinkedJob.from_dict(job(knows))

    def release() -> str:
        made = incrowd.anonymize(None, wanted)
        return f"{made.manifest.people:,} people, {made.verdict.word}"

    return measure(release)


def diagnosed_record() -> Figures:
    return _diagnosed("record")


def diagnosed_history() -> Figures:
    return _diagnosed("history")


def released_record() -> Figures:
    return _released("record")


def released_history() -> Figures:
    return _released("history")


ROWS = [
    Row("3.1 M records of 100,000 people in 3 tables, diagnosed by one record", "diagnosed_record", None, "wall", 10.0),
    Row("the same by histories", "diagnosed_history", None, "wall", 10.0),
    Row("the same released and verified by one record", "released_record", None, "wall", 60.0),
    Row("the same by histories", "released_history", None, "wall", 60.0),
]


def prepare() -> None:
    """The tables."""
    if (FOLDER / "prescriptions.parquet").exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(tables.SEED)
    ids = random.permutation(3 * PEOPLE)[:PEOPLE]

    def drawn(prefix: str, values: int, records: int) -> pa.Array:
        return pa.array([f"{prefix}{value:02d}" for value in range(values)]).take(
            pa.array(random.integers(0, values, records))
        )

    patients = {
        "patient_id": ids,
        "birth_year": random.integers(1930, 2015, PEOPLE),
        "sex": drawn("s", 2, PEOPLE),
        "region": drawn("r", 20, PEOPLE),
    }
    visits = {
        "patient_id": ids[random.integers(0, PEOPLE, VISITS)],
        "ward": drawn("w", 12, VISITS),
        "month": random.integers(1, 37, VISITS),
        "diagnosis": drawn("d", 50, VISITS),
    }
    prescriptions = {
        "patient_id": ids[random.integers(0, PEOPLE, PRESCRIPTIONS)],
        "drug": drawn("x", 40, PRESCRIPTIONS),
        "days": random.integers(1, 60, PRESCRIPTIONS),
    }
    for name, columns in (("patients", patients), ("visits", visits), ("prescriptions", prescriptions)):
        pq.write_table(pa.table(columns), FOLDER / f"{name}.parquet")


if __name__ == "__main__":
    run(__file__, globals(), ROWS, prepare)
