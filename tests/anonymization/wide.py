"""A table of so many columns that no search over all levels ends."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa

from anonymization.runs import Job, job, write_csv

WIDTH = 60
COLUMNS = tuple(f"c{at}" for at in range(WIDTH))


def wide_rows(records: int = 400) -> list[dict[str, str]]:
    """Records of three values a column that mostly go together."""
    luck = random.Random(7)
    rows = []
    for _ in range(records):
        hidden = luck.randrange(3)
        rows.append(
            {
                name: f"v{hidden * (at + 1) % 3 if luck.random() < 0.95 else luck.randrange(3)}"
                for at, name in enumerate(COLUMNS)
            }
        )
    return rows


def wide_table() -> pa.Table:
    """In Arrow."""
    rows = wide_rows()
    return pa.table({name: [row[name] for row in rows] for name in COLUMNS})


def wide_file(path: Path) -> Path:
    """On disk."""
    return write_csv(path, wide_rows())


def wide_job(ladder: Path, **settings: Any) -> Job:
    """A job about it; its hierarchy is written to the given file."""
    ladder.write_text("v0;v0 or v1;*\nv1;v0 or v1;*\nv2;v2;*\n")
    columns = {name: {"role": "quasi", "hierarchy": str(ladder)} for name in COLUMNS}
    return job(columns, {"k_anonymity": {"k": 3}}, suppress=20, **settings)
