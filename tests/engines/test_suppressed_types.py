"""A suppressed cell is a missing value in every engine, so a column of truth values or moments keeps its type."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import narwhals as nw
import pyarrow as pa
import pytest

import incrowd
from engines.same_rows import ENGINES, held_by
from incrowd.verification import verify_frame

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
Build = Callable[[str, pa.Table], Any]

MORNING, EVENING = datetime(2020, 10, 25, 0, 30), datetime(2020, 10, 25, 20, 1, 2, 3)
KINDS: dict[str, tuple[pa.DataType, Any, Any]] = {
    "boolean": (pa.bool_(), True, False),
    "microseconds": (pa.timestamp("us"), MORNING, EVENING),
    "moment in a zone": (
        pa.timestamp("us", "Europe/Vienna"),
        MORNING.replace(tzinfo=UTC),
        EVENING.replace(tzinfo=UTC),
    ),
    "date": (pa.date32(), MORNING.date(), datetime(1969, 12, 31).date()),
}
TOWNS = list("uuuuvvvvvw")


def released(frame: Any, kind: pa.DataType) -> list[Any]:
    """The first column of a release, as values of a type."""
    rows = nw.from_native(frame)
    cells = (rows.collect() if isinstance(rows, nw.LazyFrame) else rows).to_arrow()["value"]
    assert cells.type != pa.string()
    found: list[Any] = cells.combine_chunks().cast(kind).to_pylist()
    return found


@pytest.mark.parametrize(
    ("engine", "kind"), [(engine, kind) for engine in ENGINES for kind in KINDS if kind in held_by(engine)]
)
def test_a_column_keeps_its_type(build: Build, engine: str, kind: str) -> None:
    arrow, one, other = KINDS[kind]
    cells = pa.array([one] * 4 + [other] * 4 + [one, other], arrow)
    columns = {name: {"role": "quasi"} for name in ("value", "town")}
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "search": "local_suppression"}
    made = incrowd.anonymize(build(engine, pa.table({"value": cells, "town": TOWNS})), job)
    shown = Counter(released(made.frame, arrow))
    assert shown == Counter({pa.scalar(one, arrow).as_py(): 4, pa.scalar(other, arrow).as_py(): 4, None: 2})
    for record in (None, made.record):
        assert verify_frame(made.frame, made.manifest, record).holds
