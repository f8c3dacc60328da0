"""Small random sets of tables, and the job that describes them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

Frames = dict[str, pd.DataFrame]


def small_set(seed: int, people: int = 14, nested: bool = True) -> Frames:
    """People with 0 to 3 visits, 0 to 2 drugs of a visit, and 0 to 2 tests."""
    rng = np.random.default_rng(seed)
    ids = rng.permutation(people * 3)[:people] + 100
    persons = pd.DataFrame({"id": ids, "age": rng.integers(20, 24, people), "sex": rng.choice(["f", "m"], people)})
    visits = _children(rng, "id", ids, 3, {"ward": ["a", "b"], "illness": ["flu", "cold", "gout"]})
    visits["visit"] = rng.permutation(len(visits)) + 1000
    tests = _children(rng, "id", ids, 2, {"kind": ["x", "y"]})
    found = {"people": persons, "visits": visits, "tests": tests}
    if nested:
        found["drugs"] = _children(rng, "visit", visits["visit"].to_numpy(), 2, {"drug": ["p", "q"]})
    return found


def _children(
    rng: np.random.Generator, key: str, ids: Any, most: int, columns: Mapping[str, list[str]]
) -> pd.DataFrame:
    owner = np.repeat(ids, rng.integers(0, most + 1, len(ids)))
    rng.shuffle(owner)
    return pd.DataFrame({key: owner, **{name: rng.choice(values, len(owner)) for name, values in columns.items()}})


def job_of(frames: Frames, **settings: Any) -> dict[str, Any]:
    """Return the job of such a set."""
    tables: dict[str, Any] = {
        "people": {
            "columns": {
                "id": "person",
                "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [2]}}},
                "sex": "quasi",
            }
        },
        "visits": {"of": "people", "on": "id", "columns": {"ward": "quasi", "illness": "sensitive"}},
        "tests": {"of": "people", "on": "id", "columns": {"kind": "quasi"}},
        "drugs": {"of": "visits", "on": "visit", "columns": {"drug": "quasi"}},
    }
    chosen = {name: tables[name] for name in frames}
    return {"tables": chosen, "models": ["k_anonymity:k=2"], "suppress": "row", **settings}
