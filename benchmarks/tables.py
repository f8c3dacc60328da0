"""Tables for the benchmarks, made once from the Adult census table and kept under benchmarks/data.

A large table is Adult resampled with replacement, every cell redrawn from its column with probability 1/4: as many
distinct combinations as a real table of that size would have, which plain repetition would not give.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

HERE = Path(__file__).parent
DATA = HERE / "data"
ADULT = HERE.parent.parent / "shared" / "data" / "adult" / "adult-train.csv"
SEED = 20260101

NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
EIGHT = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country")


def adult() -> pa.Table:
    """The complete records of Adult's training file: 30,162 of 32,561."""
    if not ADULT.exists():
        sys.exit(f"the benchmarks need the Adult table at {ADULT.relative_to(HERE.parent.parent)} beside the project")
    table = pyarrow.csv.read_csv(ADULT)
    for name in table.column_names:
        if pa.types.is_string(table.schema.field(name).type):
            table = table.filter(pc.not_equal(table.column(name), "?"))
    return table


def resampled(columns: Sequence[str], rows: int, batch: int = 500_000) -> Iterator[pa.Table]:
    """The large table, in pieces."""
    table, random = adult(), np.random.default_rng(SEED)
    for start in range(0, rows, batch):
        size = min(batch, rows - start)
        base = random.integers(0, table.num_rows, size)
        cells = []
        for name in columns:
            redrawn = np.where(random.random(size) < 0.25, random.integers(0, table.num_rows, size), base)
            cells.append(table.column(name).take(pa.array(redrawn)).combine_chunks())
        yield pa.table(cells, names=_unique(columns))


def _unique(columns: Sequence[str]) -> list[str]:
    """A column that is drawn twice gets a second name."""
    return [f"{name}-{at}" if name in columns[:at] else name for at, name in enumerate(columns)]


def parquet(name: str, columns: Sequence[str], rows: int) -> Path:
    """The table as a Parquet file."""
    path = DATA / f"{name}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        pieces = resampled(columns, rows)
        first = next(pieces)
        with pq.ParquetWriter(path.with_suffix(".part"), first.schema) as writer:
            writer.write_table(first)
            for piece in pieces:
                writer.write_table(piece)
        path.with_suffix(".part").rename(path)
    return path


def jittered(name: str, columns: Sequence[str], rows: int, batch: int = 500_000) -> Path:
    """Adult resampled as it is, but with ages moved by up to two years: many records, few more combinations."""
    path = DATA / f"{name}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        table, random = adult().select(list(columns)), np.random.default_rng(SEED)
        with pq.ParquetWriter(path.with_suffix(".part"), table.schema) as writer:
            for start in range(0, rows, batch):
                size = min(batch, rows - start)
                piece = table.take(pa.array(random.integers(0, table.num_rows, size)))
                moved = np.asarray(piece.column("age")) + random.integers(-2, 3, size)
                ages = pa.array(np.clip(moved, 1, 100), piece.schema.field("age").type)
                writer.write_table(piece.set_column(piece.schema.get_field_index("age"), "age", ages))
        path.with_suffix(".part").rename(path)
    return path


CONSTANT = ("sex", "race", "education", "native-country")
"""What does not change between the records of a person."""


def of_people(name: str, people: int, most: int = 20, mean: float = 5.0, batch: int = 500_000) -> Path:
    """Records of people, 1 to `most` each, `mean` on average, in no order: nine columns and who it is.

    A person is a resampled record. Ages move by up to four years, and the other cells that may change are redrawn from
    their column for one record in ten.
    """
    path = DATA / f"{name}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        table, random = adult(), np.random.default_rng(SEED)
        drawn = {
            column: np.where(random.random(people) < 0.25, random.integers(0, table.num_rows, people), base)
            for base in [random.integers(0, table.num_rows, people)]
            for column in NINE
        }
        person = np.repeat(np.arange(people), _how_many(people, most, mean, random))
        random.shuffle(person)
        ids = random.permutation(people)
        schema = pa.schema([*(table.schema.field(column) for column in NINE), ("person", pa.string())])
        with pq.ParquetWriter(path.with_suffix(".part"), schema) as writer:
            for start in range(0, len(person), batch):
                who = person[start : start + batch]
                cells = [_changed(table, column, drawn[column][who], random) for column in NINE]
                names = pa.array([f"P{number:08}" for number in ids[who]])
                writer.write_table(pa.table([*cells, names], schema=schema))
        path.with_suffix(".part").rename(path)
    return path


def _how_many(people: int, most: int, mean: float, random: np.random.Generator) -> np.ndarray:
    """Records of each person: many have few and few have many; their mean is exact."""
    if most == 1:
        return np.ones(people, dtype=np.int64)
    found = np.minimum(random.geometric(1 / mean, people), most)
    while (off := int(mean * people) - int(found.sum())) != 0:
        at = random.integers(0, people, abs(off))
        found[at] = np.clip(found[at] + np.sign(off), 1, most)
    return found


def _changed(table: pa.Table, column: str, rows: np.ndarray, random: np.random.Generator) -> pa.Array:
    """One column of records."""
    if column not in CONSTANT and column != "age":
        rows = np.where(random.random(len(rows)) < 0.1, random.integers(0, table.num_rows, len(rows)), rows)
    cells = table.column(column).combine_chunks().take(pa.array(rows))
    if column != "age":
        return cells
    return pa.array(np.clip(np.asarray(cells) + random.integers(0, 5, len(rows)), 17, 90), cells.type)


def csv(name: str, columns: Sequence[str], rows: int) -> Path:
    """The same table as a CSV file."""
    path = DATA / f"{name}.csv"
    if not path.exists():
        source = pq.ParquetFile(parquet(name, columns, rows))
        options = pyarrow.csv.WriteOptions(quoting_style="needed")
        with pyarrow.csv.CSVWriter(path.with_suffix(".part"), source.schema_arrow, write_options=options) as writer:
            for batch in source.iter_batches():
                writer.write_batch(batch)
        path.with_suffix(".part").rename(path)
    return path


def wide(rows: int, width: int) -> pa.Table:
    """Columns of few and many values, skewed as real ones are, and each partly determined by the one before."""
    random = np.random.default_rng(SEED)
    before, columns = random.integers(0, 100, rows), {}
    for at in range(width):
        values = int(random.choice([2, 3, 5, 8, 16, 40, 100]))
        weights = 1 / np.arange(1, values + 1) ** 1.2
        drawn = random.choice(values, rows, p=weights / weights.sum())
        before = np.where(random.random(rows) < 0.5, before % values, drawn)
        columns[f"c{at:02}"] = before
    return pa.table(columns)


def wide_parquet(name: str, rows: int, width: int) -> Path:
    """The same as a Parquet file."""
    path = DATA / f"{name}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        pq.write_table(wide(rows, width), path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)
    return path


def uniform(rows: int, width: int) -> pa.Table:
    """Columns of 2 to 49 equally frequent values that tell nothing of each other."""
    random = np.random.default_rng(SEED)
    values = random.integers(2, 50, width).tolist()
    return pa.table({f"c{at:02}": random.integers(0, n, rows) for at, n in enumerate(values)})
