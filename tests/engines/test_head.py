"""The first records of a source."""

from pathlib import Path

import polars
import pytest

from incrowd import api
from incrowd.engines.head import head
from incrowd.watch import Watch

ROWS = [("1", "x"), ("2", None), ("3", "z")]


@pytest.fixture(params=["csv", "parquet", "frame"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    frame = polars.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]})
    if request.param == "csv":
        frame.write_csv(tmp_path / "t.csv")
    if request.param == "parquet":
        frame.write_parquet(tmp_path / "t.parquet")
    return frame if request.param == "frame" else str(tmp_path / f"t.{request.param}")


@pytest.mark.parametrize("rows", [1, 2, 3, 50])
def test_as_many_as_wanted_in_order(source: object, rows: int) -> None:
    with Watch() as watch:
        found = head(api.read(source), rows, watch)
    assert (found.columns, list(found.rows)) == (("a", "b"), ROWS[:rows])


def test_an_empty_table_has_none() -> None:
    with Watch() as watch:
        assert head(api.read(polars.DataFrame({"a": [], "b": []})), 5, watch).rows == ()
