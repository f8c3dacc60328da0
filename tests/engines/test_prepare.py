"""A table with other names, values, types or fewer records is the same table from every engine and format."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from incrowd.engines.source import Source
from incrowd.errors import SourceError, UsageError
from incrowd.watch import Watch

TABLE = pa.table(
    {
        "sx": [*"mfmfmf", "male", None],
        "age": [20, 21, 22, 23, 24, 25, 26, None],
        "region": [*"NSNSNS", "X", "N"],
    }
)
PREPARE = {
    "rename": {"sx": "sex"},
    "recode": {"sex": {"m": "male", "f": "female"}, "age": {26: 30}, "region": {"X": None}},
    "type": {"age": "number"},
    "rows": {"where": {"age": {"from": 21, "to": 30}, "region": ["N", "S", None]}},
}
EXPECTED = Counter([(sex, str(age), "NS"[age % 2]) for age in range(21, 26) for sex in (("male", "female")[age % 2],)])


def _csv(folder: Path) -> dict[str, Any]:
    rows = [
        ",".join("" if cell is None else str(cell) for cell in row)
        for row in zip(*TABLE.to_pydict().values(), strict=True)
    ]
    (folder / "t.csv").write_text("\n".join([",".join(TABLE.column_names), *rows]) + "\n")
    return {"source": str(folder / "t.csv"), "header": True}


def _parquet(folder: Path) -> dict[str, Any]:
    pq.write_table(TABLE, folder / "t.parquet")
    return {"source": str(folder / "t.parquet")}


def _sqlite(folder: Path) -> dict[str, Any]:
    with sqlite3.connect(folder / "t.db") as made:
        made.execute("create table t (sx text, age integer, region text)")
        made.executemany("insert into t values (?, ?, ?)", zip(*TABLE.to_pydict().values(), strict=True))
    return {"source": f"sqlite:///{folder}/t.db", "table": "t"}


ORDERED: dict[str, Callable[[Path], dict[str, Any]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "pandas": lambda _: {"source": TABLE.to_pandas()},
    "polars": lambda _: {"source": pl.from_arrow(TABLE)},
    "arrow": lambda _: {"source": TABLE},
}
OTHERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "sqlite": _sqlite,
    "lazy polars": lambda _: {"source": pl.from_arrow(TABLE).lazy()},  # type: ignore[union-attr]
    "relation": lambda _: {"source": duckdb.sql("select * from given", connection=_connected())},
}


def _connected() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.register("given", TABLE)
    return made


def opened(given: dict[str, Any], prepare: dict[str, Any]) -> Source:
    return incrowd.read(given["source"], prepare=prepare, **{key: of for key, of in given.items() if key != "source"})


def rows_of(source: Source) -> "Counter[tuple[str | None, ...]]":
    """The records as a count gives them, whole numbers without a point."""
    counted = source.count(source.columns, Watch())
    texts = [
        [None, *(f"{each:g}" if isinstance(each, int | float) else str(each) for each in of.to_pylist())]
        for of in counted.values
    ]
    found: Counter[tuple[str | None, ...]] = Counter()
    for at, number in enumerate(counted.counts.tolist()):
        found[tuple(of[code] for of, code in zip(texts, counted.codes[:, at], strict=True))] += number
    return found


@pytest.mark.parametrize("engine", [*ORDERED, *OTHERS])
def test_every_change_at_once(engine: str, tmp_path: Path) -> None:
    source = opened((ORDERED | OTHERS)[engine](tmp_path), PREPARE)
    assert source.columns == ("sex", "age", "region")
    assert rows_of(source) == EXPECTED + Counter([("male", "30", None)])


@pytest.mark.parametrize("engine", ORDERED)
def test_a_sample_and_the_first_records(engine: str, tmp_path: Path) -> None:
    given = ORDERED[engine](tmp_path)
    drawn = [rows_of(opened(given, {"rows": {"sample": 0.5, "seed": 5}})) for _ in range(2)]
    assert drawn[0] == drawn[1] == rows_of(opened(ORDERED["arrow"](tmp_path), {"rows": {"sample": 0.5, "seed": 5}}))
    assert 0 < sum(drawn[0].values()) < TABLE.num_rows
    assert drawn[0] != rows_of(opened(given, {"rows": {"sample": 0.5, "seed": 6}}))
    first = rows_of(opened(given, {"rows": {"where": {"region": "N"}, "first": 2}}))
    assert first == Counter([("m", "20", "N"), ("m", "22", "N")])


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("rows", [{"sample": 0.5, "seed": 1}, {"first": 2}], ids=str)
def test_rows_without_an_order_are_not_drawn(engine: str, rows: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="have no order"):
        opened(OTHERS[engine](tmp_path), {"rows": rows})


def test_a_frame_stays_one_of_its_kind(tmp_path: Path) -> None:
    frame = TABLE.to_pandas().set_index(pd.Index(range(8, 0, -1)))
    made = incrowd.anonymize(
        frame,
        {
            "data": {"source": "elsewhere.csv", "prepare": PREPARE},
            "columns": {"sex": "quasi", "region": "keep"},
            "models": ["k_anonymity:k=2"],
        },
    )
    assert isinstance(made.frame, pd.DataFrame)
    assert sorted(made.frame["sex"]) == ["female"] * 3 + ["male"] * 3


def test_what_cannot_be_converted_is_counted_and_not_quoted() -> None:
    with pytest.raises(SourceError) as refused:
        rows_of(incrowd.read(pa.table({"a": ["1", "x7", "y", None]}), prepare={"type": {"a": "integer"}}))
    assert "2 of its 3 different values are not whole numbers" in str(refused.value).replace(
        "4 different", "3 different"
    )
    assert "x7" not in str(refused.value)


def test_markers_of_missing_values_are_no_values() -> None:
    source = incrowd.read(pa.table({"a": ["1", "?", "3"]}), missing=["?"], prepare={"type": {"a": "integer"}})
    assert rows_of(source) == Counter([("1",), (None,), ("3",)])


@pytest.mark.parametrize(
    ("type", "cells", "expected"),
    [
        ("integer", ["01", " 2 "], ["1", "2"]),
        ("number", ["1.50", "2"], ["1.5", "2"]),
        ("date", ["2021-04-03"], ["2021-04-03"]),
        ("text", [1, 2], ["1", "2"]),
        ("text", [1.0, 2.5], ["1", "2.5"]),
    ],
)
def test_types(type: str, cells: list[Any], expected: list[str]) -> None:
    assert rows_of(incrowd.read(pa.table({"a": cells}), prepare={"type": {"a": type}})) == Counter(
        [(each,) for each in expected]
    )


@pytest.mark.parametrize(
    ("prepare", "words"),
    [
        ({"rename": {"zz": "b"}}, "zz"),
        ({"rename": {"sx": "age"}}, "duplicate"),
        ({"recode": {"sx2": {"a": "b"}}}, "sx2"),
        ({"type": {"sx": "whole"}}, "must be one of"),
        ({"rows": {"sample": 10, "seed": 1}}, "between 0 and 1"),
        ({"rows": {"sample": 0.1}}, "seed"),
        ({"rows": {"first": 0}}, "1 or more"),
        ({"rows": {"where": {"age": {"from": 1, "to": "x"}}}}, "two numbers"),
        ({"row": {}}, "no key 'row'"),
        ([], "keys"),
    ],
    ids=str,
)
def test_refusals(prepare: Any, words: str) -> None:
    with pytest.raises((UsageError, SourceError)) as refused:
        incrowd.read(TABLE, prepare=prepare)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_sources_of_different_kinds_are_not_prepared_together(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="different kinds"):
        incrowd.read(_csv(tmp_path)["source"], TABLE, prepare=PREPARE)
