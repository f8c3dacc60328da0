"""The order of a release tells nothing of the order of the table."""

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow.parquet import write_table

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.hospital import PATIENTS, Person, in_arrow, in_folder, tight_job
from anonymization.reading import in_duckdb, in_sqlite
from anonymization.runs import Job, job, new_folder, quasi, read_csv, refused, verified
from engines.publishing import cells_of, exact
from engines.same_rows import ENGINES
from incrowd.errors import JobError

Build = Callable[[str, pa.Table], Any]

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

HOLES = [{**person, "sex": None if at % 11 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)]
PARTIAL = {"scored": {"partial": True}}


def about_order(warnings: Iterable[str]) -> bool:
    return any("may disclose what their cells hide" in warning for warning in warnings)


def shuffled(rows: list[Person], seed: int) -> list[Person]:
    """The same people, in another order."""
    return random.Random(seed).sample(rows, len(rows))


def released(folder: Path, rows: list[Person], given: str, described: Job) -> bytes:
    """The bytes of the release of a table of some format."""
    source = folder / f"in.{given}"
    if given == "csv":
        in_folder(folder, rows, source.name)
    else:
        write_table(in_arrow(rows), source, row_group_size=7)
    output = {"to": str(folder / described["output"]), "replace": True}
    verified(incrowd.anonymize(str(source), {**described, "output": output}))
    return (folder / described["output"]).read_bytes()


@settings(max_examples=12)
@given(
    order=st.permutations(range(60)),
    given_as=st.sampled_from(["csv", "parquet"]),
    written=st.sampled_from(["release.csv", "release.parquet"]),
    holes=st.booleans(),
    search=st.sampled_from([None, PARTIAL]),
)
def test_another_order_of_the_table_gives_the_same_bytes(
    order: list[int], given_as: str, written: str, holes: bool, search: Any
) -> None:
    rows = HOLES if holes else PATIENTS
    described = tight_job({"k_anonymity": {"k": 3}}, output=written, **({"search": search} if search else {}))
    with new_folder() as folder:
        first = released(folder, rows, given_as, described)
        assert released(folder, [rows[at] for at in order], given_as, described) == first


@pytest.mark.parametrize("ending", ["jsonl", "xlsx", "tsv"])
def test_in_other_formats(ending: str, tmp_path: Path) -> None:
    described = tight_job(output=f"release.{ending}")
    first = released(tmp_path, HOLES, "parquet", described)
    assert released(tmp_path, shuffled(HOLES, 1), "parquet", described) == first


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_in_tables(scheme: str, tmp_path: Path) -> None:
    output = {"to": f"{scheme}:///{tmp_path}/release.db", "table": "released", "replace": True}
    ask = {"sqlite": in_sqlite, "duckdb": in_duckdb}[scheme]
    found = []
    for rows in (PATIENTS, shuffled(PATIENTS, 2)):
        incrowd.anonymize(in_arrow(rows), tight_job(output=output))
        found.append([list(row.values()) for row in ask(tmp_path / "release.db", "SELECT * FROM released")])
    assert found[0] == found[1] == sorted(found[0])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_frame_of_each_engine(build: Build, engine: str) -> None:
    found = []
    for rows in (HOLES, shuffled(HOLES, 3)):
        table = in_arrow(rows)
        table = table.set_column(table.column_names.index("sex"), "sex", pa.array([row["sex"] for row in rows]))
        frame = incrowd.anonymize(build(engine, table), tight_job()).frame
        found.append({name: list(map(exact, cells)) for name, cells in cells_of(frame).items()})
    assert found[0] == found[1]
    assert len(set(map(tuple, zip(*found[0].values(), strict=True)))) > 10


def categories(table: pa.Table, engine: str) -> Any:
    """A frame whose texts are categories, numbered as they first come."""
    coded = pa.table({name: table[name].combine_chunks().dictionary_encode() for name in ("sex", "ward")})
    if engine == "polars":
        import polars as pl

        return pl.from_arrow(coded)
    if engine == "polars_lazy":
        import polars as pl

        return pl.from_arrow(coded).lazy()  # type: ignore[union-attr]
    return coded.to_pandas() if engine == "pandas" else coded


def codes(frame: Any, engine: str) -> list[Any]:
    """What a frame knows of its categories, and the cells."""
    if engine == "pandas":
        return [[list(frame[name].cat.categories), frame[name].tolist()] for name in ("sex", "ward")]
    if engine == "pyarrow":
        return [str(frame[name].combine_chunks()) for name in ("sex", "ward")]
    collected = frame.collect() if engine == "polars_lazy" else frame
    return [collected[name].to_list() for name in ("sex", "ward")]


@pytest.mark.parametrize("engine", ["pandas", "pyarrow", "polars", "polars_lazy"])
def test_categories_do_not_tell_which_came_first(engine: str) -> None:
    described = {**job(quasi("sex")), "columns": {"sex": {"role": "quasi", "limit": 0}, "ward": {"role": "keep"}}}
    found = [
        codes(incrowd.anonymize(categories(in_arrow(rows), engine), described).frame, engine)
        for rows in (PATIENTS, PATIENTS[::-1], shuffled(PATIENTS, 4))
    ]
    assert found[0] == found[1] == found[2]


# The order of the source, for those who need it.


def test_the_order_of_the_source_is_kept_when_asked_and_warned_of(tmp_path: Path) -> None:
    source = str(in_folder(tmp_path))
    described = tight_job({"k_anonymity": {"k": 3}}, order="source", output=str(tmp_path / "release.csv"))
    made = verified(incrowd.anonymize(source, described))
    visits = iter(str(person["visits"]) for person in PATIENTS)
    assert all(row["visits"] in visits for row in read_csv(tmp_path / "release.csv"))
    assert "may disclose what their cells hide" in made.verdict.warnings[-1]
    assert "Warning: the records are in the order of the source" in str(made)
    # Whoever gets the data is not told.
    assert "order" not in (tmp_path / "release.csv.manifest.json").read_text("utf-8")
    assert not about_order(incrowd.verify(tmp_path / "release.csv").warnings)
    usual = incrowd.anonymize(source, tight_job({"k_anonymity": {"k": 3}}, output=str(tmp_path / "usual.csv")))
    assert not about_order(usual.verdict.warnings)
    assert sorted(map(str, read_csv(tmp_path / "usual.csv"))) == sorted(map(str, read_csv(tmp_path / "release.csv")))


@pytest.mark.parametrize("order", ["sorted", "source"])
def test_new_data_in_the_order_that_the_record_says(tmp_path: Path, order: str) -> None:
    source = str(in_folder(tmp_path))
    made = incrowd.anonymize(source, tight_job(order=order, output=str(tmp_path / "release.csv")))
    turned = str(in_folder(tmp_path, PATIENTS[::-1], "turned.csv"))
    again = incrowd.apply(made.record_file or "", turned, str(tmp_path / "again.csv"))
    before, after = read_csv(tmp_path / "release.csv"), read_csv(tmp_path / "again.csv")
    assert after == (before if order == "sorted" else before[::-1])
    assert about_order(again.verdict.warnings) == (order == "source")


def test_no_other_order_is_known() -> None:
    words = refused(JobError, lambda: incrowd.anonymize(in_arrow(), tight_job(order="shuffled")))
    assert "order: it must be 'sorted' or 'source'" in words
