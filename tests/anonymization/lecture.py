"""FX-SAM-4: the 2-anonymous tables of Samarati's lecture, one for each point of the grid, as they are printed.

Two of them are lost in the text at hand and follow from what is left of them: AG_TS, of which one column is missing,
and _TS, in which no row remains.
"""

from collections import Counter
from typing import Any

import pyarrow as pa

from searches.worked_examples import samarati_rows

QUASI = ("Race", "DOB", "Sex", "ZIP")
Cells = tuple[str, ...]

JOB: dict[str, Any] = {
    "columns": {
        "Race": {"role": "quasi"},
        "DOB": {
            "role": "quasi",
            "hierarchy": {
                "tree": {
                    "groups": {
                        "64": {"64/04": ["64/04/12", "64/04/15"], "64/09": ["64/09/13", "64/09/27"]},
                        "63": {"63/03": ["63/03/13", "63/03/18"]},
                    }
                }
            },
        },
        "Sex": {"role": "quasi"},
        "ZIP": {"role": "quasi", "hierarchy": {"mask": {"steps": [1, 2]}}},
    },
    "models": ["k_anonymity:k=2"],
    "order": "source",
}

_PRINTED = {
    "AG_TS": "asian|64/04|F|941** ; asian|64/04|F|941** asian|63/03|M|941** asian|63/03|M|941** black|64/09|F|941** "
    "black|64/09|F|941** white|64/09|F|941** white|64/09|F|941**",
    "AG_CS": "asian|*|F|* asian|*|F|* asian|*|F|* asian|63/03|M|9413* asian|63/03|M|9413* black|64/09|F|9413* "
    "black|64/09|F|9413* white|64/09|F|* white|64/09|F|*",
    "AG_": "asian|64|F|941** asian|64|F|941** asian|64|F|941** asian|63|M|941** asian|63|M|941** black|64|F|941** "
    "black|64|F|941** white|64|F|941** white|64|F|941**",
    "CG_": "asian|64|F|941** asian|64|F|941** asian|64|F|941** asian|63/03|M|94139 asian|63/03|M|94139 "
    "black|64/09/27|F|9413* black|64/09/27|F|9413* white|64/09/27|F|941** white|64/09/27|F|941**",
    "_TS": "; ; ; ; ; ; ; ; ;",
    "_AS": "asian|*|F|* asian|*|F|* asian|*|F|* asian|*|M|* asian|*|M|* black|*|F|* black|*|F|* white|*|F|* "
    "white|*|F|*",
    "_CS": "asian|*|F|* asian|*|F|* asian|*|F|* asian|*|M|94139 asian|*|M|94139 *|64/09/27|F|* *|64/09/27|F|94139 "
    "*|64/09/27|F|94139 *|64/09/27|F|*",
}

PRINTED: dict[str, list[Cells | None]] = {
    point: [None if row == ";" else tuple(row.split("|")) for row in text.split()] for point, text in _PRINTED.items()
}
"""By point what each of the nine records became; None where it is left out."""


def table() -> pa.Table:
    """The lecture's private table."""
    rows = samarati_rows()
    return pa.table({name: pa.array([str(row[name]) for row in rows]) for name in QUASI})


def is_anonymous(rows: list[Cells | None], k: int = 2) -> bool:
    """Whether every published row comes k times."""
    return all(count >= k for count in Counter(row for row in rows if row is not None).values())


def covers(label: str, value: str) -> bool:
    """Whether a printed cell stands for a value."""
    return label == value or value.startswith(label.rstrip("*"))


def loss(rows: list[Cells | None]) -> float:
    """The mean over all cells of the share of its column's values that it leaves open; 1 for those of a lost row."""
    columns = list(table().to_pydict().values())
    open_ = 0.0
    for at, values in enumerate(columns):
        domain = set(values)
        for row in rows:
            covered = len(domain) if row is None else sum(covers(row[at], value) for value in domain)
            open_ += (covered - 1) / (len(domain) - 1)
    return open_ / (len(rows) * len(columns))
