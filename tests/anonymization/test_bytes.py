"""The law of bytes: two cells are equal only if their values are, from counting through publishing to verification.

No collation, padding, case rule, number of digits or numeric reading of text may join or split them, in any engine or
format, on the way in or out.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.runs import Job
from engines.same_rows import CANNOT_HOLD, ENGINES, Column, moment
from formats.writing import own_database
from incrowd.families import members
from incrowd.formats import ReadOptions, read
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    # PySpark 4.3 warns of pandas 3 wherever Arrow goes to a worker.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

MIDNIGHTS = [moment(2020, 1, 1), moment(2020, 1, 1) + 1000, moment(2020, 6, 30, 22), moment(2020, 6, 30, 22, 0, 1)]
"""Without a zone the first is midnight, in Vienna the third."""

NASTY: dict[str, Column] = {
    "text": Column(
        pa.string(),
        [
            *("Graz", "GRAZ", "graz", "graz ", " graz", "gráz", "gra\u0301z", "graz\u200b", "ß", "ss", "İ", "i", "I"),
            *("01", "1", "1.0", "1.00", "1e0", "+1", "0.3", "0.30", "0.30000000000000004", "0.0", "-0.0", "0", "-0"),
            *("true", "True", "TRUE", "NaN", "nan", "None", "null", "9007199254740992", "9007199254740993"),
            *("2020-01-01", "2020-01-01 00:00:00", "2020-01-01T00:00:00", "2020-01-01T00:00:00+00:00", "00:00"),
        ],
    ),
    "integer": Column(pa.int64(), [0, 1, 2**53, 2**53 + 1, 2**62, 2**62 + 1, 2**63 - 2, 2**63 - 1, 1 - 2**63]),
    "float": Column(pa.float64(), [0.0, 0.3, 0.1 + 0.2, 1.0, 1 / 3, 1e22, 1e300, 5e-324, 2.0**53, -(2.0**63)]),
    "decimal": Column(
        pa.decimal128(38, 18), [Decimal(0), Decimal("0.3"), Decimal("0.300000000000000004"), Decimal("12345678901234")]
    ),
    "date": Column(pa.date32(), [date(2020, 1, 1), date(2020, 1, 2), date(1900, 1, 1), date(9999, 12, 31)]),
    "moment": Column(pa.timestamp("us"), MIDNIGHTS),
    "moment in a zone": Column(
        # Summer time ended at 01:00 UTC: both of the last two are half past two in Vienna.
        pa.timestamp("us", "Europe/Vienna"),
        [*MIDNIGHTS, moment(2020, 10, 25, 0, 30), moment(2020, 10, 25, 1, 30)],
    ),
}
"""Columns of values that are all different, though something takes them for equal."""

LACKING = {**CANNOT_HOLD, ("ibis_sqlite", "decimal"): "SQLite keeps decimals as floats"}
FILES = ("release.csv", "release.jsonl", "release.xml", "release.xlsx", "release.parquet")
DATABASES = ("sqlite", "duckdb", "postgres")


def cells_of(kind: str) -> list[Any]:
    """Each value of a column once, twice or three times; of the two zeros, which are equal, both."""
    cells = [cell for at, cell in enumerate(NASTY[kind].cells) for _ in range(at % 3 + 1)]
    return [*cells, -0.0] if kind == "float" else cells


def rows_of(kind: str) -> pa.Table:
    """Records of a nasty quasi-identifier and something sensitive."""
    cells = cells_of(kind)
    return pa.table({"x": Column(NASTY[kind].kind, cells).arrow(), "s": ["flu"] * len(cells)})


def sizes_of(kind: str) -> list[int]:
    """How many records have each value, counted by Python."""
    return sorted(Counter(cells_of(kind)).values())


JOB: Job = {
    "columns": {"x": {"role": "quasi", "limit": 0}, "s": {"role": "sensitive"}},
    "models": [{"k_anonymity": {"k": 1}}],
    "search": "optimal",
}


def counted(*sources: Any, **options: Any) -> list[int]:
    """How many records have each value, counted by Incrowd."""
    return sorted(read(*sources, options=ReadOptions(**options)).count(["x"], Watch()).counts.tolist())


def check_release(given: Any, kind: str, **settings: Any) -> Any:
    """Published as it is, a column has the classes that its values make, by the verdict too."""
    made = incrowd.anonymize(given, {**JOB, **settings})
    assert made.verdict.holds
    assert (made.verdict.records, made.verdict.classes) == (sum(sizes_of(kind)), len(sizes_of(kind)))
    return made


@pytest.mark.parametrize("kind", NASTY)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine(build: Build, engine: str, kind: str) -> None:
    if (engine, kind) in LACKING:
        return
    given = build(engine, rows_of(kind))
    assert counted(given) == sizes_of(kind)
    assert counted(check_release(given, kind).frame) == sizes_of(kind)


@pytest.mark.parametrize("kind", NASTY)
@pytest.mark.parametrize("name", FILES)
def test_every_file(tmp_path: Path, name: str, kind: str) -> None:
    first, again = tmp_path / name, tmp_path / f"again-{name}"
    check_release(rows_of(kind), kind, output=str(first))
    assert counted(first) == sizes_of(kind)
    check_release(first, kind, output=str(again))
    assert counted(again) == sizes_of(kind)
    assert incrowd.verify(again).holds


@pytest.mark.parametrize("kind", NASTY)
@pytest.mark.parametrize("database", DATABASES)
def test_every_database(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, database: str, kind: str
) -> None:
    # The manifest of a table on a server is written here.
    monkeypatch.chdir(tmp_path)
    if database == "postgres":
        with own_database(request.getfixturevalue("postgres_url")) as url:
            check_databases(url, url, kind)
    else:
        check_databases(f"{database}:///first.db", f"{database}:///second.db", kind)


def check_databases(first: str, second: str, kind: str) -> None:
    check_release(rows_of(kind), kind, output={"to": first, "table": "first", "record": "first.json"})
    assert counted(first, table="first") == sizes_of(kind)
    given = {"source": first, "table": "first"}
    check_release(None, kind, data=given, output={"to": second, "table": "second", "record": "second.json"})
    assert counted(second, table="second") == sizes_of(kind)
    assert incrowd.verify(second, table="second").holds


# Texts that spell one number.

SPELLED = ["01", "1", "1", "01", "2", "02", "3", "3", "4", "04", "5", "5"] * 2
SPECIAL: dict[str, Job] = {
    "anatomy": {"models": ["frequency_l:l=2,column=s"]},
    "consistent": {"models": ["consistent_k:k=4"]},
    "guaranteed": {"models": ["range_diversity:p=0.9,column=s"], "search": "guaranteed:utility=0.5"},
    "personalized": {"models": ["personal_breach:p=0.5,column=s,guard=asks", "k_anonymity:k=4"]},
    "top_down_specialization": {"search": "top_down_specialization:label=s"},
}


@pytest.mark.parametrize("search", members("searches", "SEARCH"))
def test_no_search_publishes_one_text_for_another(search: str) -> None:
    """A cell is the record's own text or stands for several, and is never the text of another value."""
    values = ["p", "q", "r"] * 8
    rows = pa.table({"n": range(24), "x": SPELLED, "s": values, "asks": [None if at else "p" for at in range(24)]})
    tree = {"groups": {"*": ["p", "q", "r"]}}
    described: Job = {
        "columns": {
            "n": {"role": "keep"},
            "x": {"role": "quasi"},
            "s": {"role": "sensitive", "hierarchy": {"tree": tree}}
            if search == "personalized"
            else {"role": "sensitive"},
            "asks": {"role": "drop"},
        },
        "models": ["k_anonymity:k=4"],
        "search": search,
        **SPECIAL.get(search, {}),
    }
    made = incrowd.anonymize(rows, described)
    assert made.verdict.holds
    published = made.frame.to_pydict()
    cells = {(SPELLED[n], cell) for n, cell in zip(published["n"], published["x"], strict=True)}
    assert [(text, cell) for text, cell in cells if cell in SPELLED and cell != text] == []
