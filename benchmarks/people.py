"""Counting people beside counting records in the same run: python benchmarks/people.py [NAME...]

The tables: people who are Adult's records, resampled with cells redrawn as for the other large tables, with 1 to 20
records each and 5 on average. Sex, race, education and native country are constant for a person, age moves by up to
four years, and each other cell is redrawn from its column for one record in ten. Records stand in no order.
"""

import tempfile
from pathlib import Path

import tables
from harness import Figures, Row, command, measure, run

from anonymization import HIERARCHIES, K

PERSON = "person"


def _job(search: str, person: bool) -> dict[str, object]:
    columns: dict[str, object] = {
        each: {"role": "quasi", "hierarchy": str(HIERARCHIES / f"{each}.csv")} for each in tables.NINE
    }
    if person:
        columns[PERSON] = {"role": "person"}
    return {
        "columns": columns,
        "models": [{"k_anonymity": {"k": 5}}],
        "suppress": 0.02,
        "search": search,
    }


def _searched(name: str, search: str, person: bool) -> Figures:
    """From Parquet to what the search found: counting, preparation and search, without publishing."""
    import pyarrow.parquet as pq

    path = tables.DATA / f"{name}.parquet"
    _found(next(pq.ParquetFile(path).iter_batches(1000)), search, person)  # imports what is imported on first use
    return measure(lambda: _found(str(path), search, person))


def _found(source: object, search: str, person: bool) -> str:
    import pyarrow as pa

    from incrowd.anonymization.preparation import Preparation
    from incrowd.anonymization.preparing import prepare
    from incrowd.formats import read
    from incrowd.jobs import Job
    from incrowd.watch import Watch

    job = Job.from_dict(_job(search, person))
    table = pa.Table.from_batches([source]) if isinstance(source, pa.RecordBatch) else source
    with Watch() as watch:
        prepared = prepare(Preparation(read(table)), job, {}, watch)
        found = job.search.run(prepared.problem, watch)
    return f"{found.counted} counted, {prepared.counted.combinations} combinations"


def _commanded(name: str, search: str, person: bool, role: str = "person") -> Figures:
    """A whole command: from Parquet to a verified release."""
    quasi = [word for each in tables.NINE for word in ("-q", f"{each}={HIERARCHIES / each}.csv")]
    who = [f"--{role}", PERSON] if person else []
    with tempfile.TemporaryDirectory(dir=tables.DATA) as folder:
        return command(
            "anonymize", str(tables.DATA / f"{name}.parquet"), *quasi, *who, "-m", K, "--search", search,
            "--suppress", "0.02", "-o", str(Path(folder) / "out.parquet"),
        )  # fmt: skip


def optimal_people() -> Figures:
    return _searched("people-200k", "optimal", True)


def optimal_records() -> Figures:
    return _searched("people-200k", "optimal", False)


def mondrian_people() -> Figures:
    return _searched("people-200k", "mondrian", True)


def mondrian_records() -> Figures:
    return _searched("people-200k", "mondrian", False)


def whole_optimal_people() -> Figures:
    return _commanded("people-200k", "optimal", True)


def whole_optimal_records() -> Figures:
    return _commanded("people-200k", "optimal", False)


def whole_mondrian_people() -> Figures:
    return _commanded("people-200k", "mondrian", True)


def whole_mondrian_records() -> Figures:
    return _commanded("people-200k", "mondrian", False)


def one_each_people() -> Figures:
    return _commanded("people-one-each", "optimal", True)


def one_each_records() -> Figures:
    return _commanded("people-one-each", "optimal", False)


def repeated_identifier() -> Figures:
    return _commanded("people-200k", "optimal", True, "identifier")


def unique_identifier() -> Figures:
    return _commanded("people-one-each", "optimal", True, "identifier")


def few_people() -> Figures:
    return _commanded("people-30k", "optimal", True)


def few_records() -> Figures:
    return _commanded("people-30k", "optimal", False)


def ten_million() -> Figures:
    return _commanded("people-2m", "optimal", True)


def ten_million_mondrian() -> Figures:
    return _commanded("people-2m", "mondrian", True)


ROWS = [
    Row("1 M records of 200,000 people, optimal / by records", "optimal_people", "optimal_records", "cpu", 5.0),
    Row("the same, memory in MB", "optimal_people", None, "memory", 1024.0),
    Row("the same, mondrian / by records", "mondrian_people", "mondrian_records", "cpu", 3.0),
    Row("the whole command, optimal / by records", "whole_optimal_people", "whole_optimal_records", "cpu", 5.0),
    Row("the same, memory in MB", "whole_optimal_people", None, "memory", 1024.0),
    Row("the same, mondrian / by records", "whole_mondrian_people", "whole_mondrian_records", "cpu", 3.0),
    Row("1 M records of 1 M people, optimal / without a person", "one_each_people", "one_each_records", "cpu", 1.1),
    Row(
        "an identifier that repeats: the warning / without", "repeated_identifier", "whole_optimal_records", "cpu", 1.3
    ),
    Row("an identifier that does not / without it", "unique_identifier", "one_each_records", "cpu", 1.1),
    Row("30,000 records of 30,000 people / without a person", "few_people", "few_records", "cpu", 1.1),
    Row("10 M records of 2 M people, optimal: memory in MB", "ten_million", None, "memory", 16384.0),
    Row("the same, mondrian: memory in MB", "ten_million_mondrian", None, "memory", 16384.0),
]


def prepare() -> None:
    """The tables of people."""
    tables.of_people("people-200k", 200_000)
    tables.of_people("people-one-each", 1_000_000, most=1)
    tables.of_people("people-30k", 30_000, most=1)
    tables.of_people("people-2m", 2_000_000)


if __name__ == "__main__":
    run(__file__, globals(), ROWS, prepare)
