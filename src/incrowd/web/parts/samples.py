"""Sample tables to try the app with. Everyone in them is invented; they are made anew, so that nothing is shipped."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

Row = Sequence[object]

_TOWNS = ("3011", "3012", "3015", "3021", "3024", "3032", "3038", "4101", "4107", "4113")
_WORK = ("nurse", "teacher", "farmer", "clerk", "cook", "driver", "engineer", "retired", "student")
_FAMILY = ("Arden", "Bellis", "Corvo", "Dunmore", "Elster", "Fenwick", "Galloway", "Holt", "Ibsen", "Jarrow")
_GIVEN = {"F": ("Ada", "Bea", "Cora", "Dina", "Edda", "Fay"), "M": ("Abel", "Ben", "Carl", "Dirk", "Egon", "Finn")}
_DIAGNOSES = ("influenza", "asthma", "hip fracture", "migraine", "diabetes", "depression", "HIV infection")


class Sample(NamedTuple):
    """A table that can be opened with one click."""

    file: str
    label: str
    about: str
    rows: Callable[[], Iterator[Row]]
    """The header and the records."""

    def csv(self) -> bytes:
        """Return the table as a CSV file; always the same bytes."""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(self.rows())
        return text.getvalue().encode()


def _admissions() -> Iterator[Row]:
    luck = Random(1)
    yield "name", "birth_date", "sex", "postcode", "occupation", "admitted", "ward", "diagnosis", "cost"
    for _ in range(1500):
        sex = _one(luck, "FM")
        born = 1935 + int(70 * luck.random())
        work = "retired" if born < 1958 else _one(luck, _WORK)
        yield (
            f"{_one(luck, _GIVEN[sex])} {_one(luck, _FAMILY)}",
            f"{born}-{_day(luck)}",
            sex,
            # Some towns are large.
            _TOWNS[int(len(_TOWNS) * luck.random() ** 2)],
            "?" if luck.random() < 0.02 else work,
            f"2025-{_day(luck)}",
            _one(luck, ("medicine", "surgery", "psychiatry")),
            _DIAGNOSES[int(len(_DIAGNOSES) * luck.random() ** 1.5)],
            200 + 50 * int(80 * luck.random() ** 2),
        )


def _visits() -> Iterator[Row]:
    luck = Random(2)
    yield "patient", "visit", "visit_date", "sex", "birth_year", "region", "smoker", "systolic", "outcome"
    for person in range(1, 401):
        sex, born, region = _one(luck, "FM"), 1940 + int(60 * luck.random()), _one(luck, ("N", "E", "S", "W"))
        smoker, pressure = _one(luck, ("yes", "no", "no")), 110 + int(50 * luck.random())
        for visit in range(1, 2 + int(4 * luck.random())):
            measured = 999 if luck.random() < 0.02 else pressure + int(15 * luck.random())
            outcome = _one(luck, ("stable", "stable", "better", "worse"))
            yield f"P{person:04d}", visit, f"2024-{_day(luck)}", sex, born, region, smoker, measured, outcome


def _one(luck: Random, options: Sequence[str]) -> str:
    # Only the sequence of `random` is the same in every version of Python.
    return options[int(len(options) * luck.random())]


def _day(luck: Random) -> str:
    return f"{1 + int(12 * luck.random()):02d}-{1 + int(28 * luck.random()):02d}"


SAMPLES = (
    Sample("hospital-sample.csv", "Hospital admissions", "1,500 records, one per person", _admissions),
    Sample("visits-sample.csv", "Clinic visits", "400 people with several visits each", _visits),
)
