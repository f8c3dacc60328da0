"""Visits: several records of one person, with a row number that is published, so that a release can be traced back."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

Visit = dict[str, Any]
COLUMNS = ("patient", "age", "zip", "sex", "disease", "row")
DISEASES = ("flu", "cold", "gout", "cancer")

ROLES: dict[str, dict[str, Any]] = {
    "patient": {"role": "person"},
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20, 40]}}},
    "zip": {"role": "quasi", "hierarchy": {"mask": {}}},
    "sex": {"role": "quasi"},
    "disease": {"role": "sensitive"},
    "row": {"role": "keep"},
}


def visits(people: int, most: int = 6, seed: int = 7, unknown: float = 0.0) -> list[Visit]:
    """One to `most` visits of each person: age and place may change on the way, and some tell no person."""
    luck = random.Random(seed)
    rows: list[Visit] = []
    for person in range(people):
        age, place, sex = luck.randint(20, 58), f"10{luck.randint(1, 4)}{luck.randint(0, 1)}", luck.choice("mf")
        for _ in range(luck.randint(1, most)):
            rows.append(
                {
                    "patient": None if luck.random() < unknown else f"p{person}",
                    "age": age + luck.choice((0, 0, 1)),
                    "zip": place if luck.random() < 0.8 else "2000",
                    "sex": sex,
                    "disease": luck.choice(DISEASES),
                }
            )
    luck.shuffle(rows)
    return [{**row, "row": at} for at, row in enumerate(rows)]


def in_arrow(rows: Sequence[Visit]) -> pa.Table:
    """The visits in Arrow."""
    return pa.table({name: [row[name] for row in rows] for name in COLUMNS})


def person_of(row: Visit) -> Any:
    """Who a record is about; one that tells nobody is about somebody else."""
    return ("unknown", row["row"]) if row["patient"] is None else row["patient"]


def classes_of(rows: Sequence[Visit], released: Sequence[Mapping[str, Any]]) -> "dict[tuple[Any, ...], list[Visit]]":
    """The original records behind each class of a release."""
    found: dict[tuple[Any, ...], list[Visit]] = defaultdict(list)
    for row in released:
        found[tuple(row[name] for name in ("age", "zip", "sex"))].append(rows[int(row["row"])])
    return dict(found)


def people_by_class(rows: Sequence[Visit], released: Sequence[Mapping[str, Any]]) -> list[int]:
    """How many different people each class has, counted one by one."""
    return [len({person_of(row) for row in behind}) for behind in classes_of(rows, released).values()]


tables_of_visits = st.builds(
    visits,
    people=st.integers(6, 14),
    most=st.integers(1, 6),
    seed=st.integers(0, 1 << 16),
    unknown=st.sampled_from((0.0, 0.2)),
)
"""Small tables with one to six records a person."""
