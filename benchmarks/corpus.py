"""The first release of real tables, by default: python benchmarks/corpus.py FOLDER [--roles FILE] [--tables NAME,...] [--k-alone]

FOLDER holds CSV files, one table each. For each, a first job (`init`: k = 5, 1% of the records) is run as it is, and
with the search that was the default before (optimal, for at most 20 seconds). Printed are: the loss, the share of
quasi-identifiers of which nothing is left, CPU seconds, the mean relative error of random count queries, and the
accuracy of a classifier of a sensitive column of few values, beside that of one trained on the original. --roles names
a JSON file with other roles, {table: {column: role}}, in place of those that are suggested; benchmarks/roles.py writes
one with the Incrowd that runs it, such as an earlier version. --k-alone omits the models of sensitive columns.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import polars

import incrowd
from incrowd.errors import IncrowdError
from incrowd.watch import Watch

SEARCHES = {"before": {"search": "optimal", "time": 20}, "default": {}}
MEASURED = ["query_error:size=200", "classifier_accuracy"]
MOST_RECORDS = 40_000
"""Larger tables are not measured beyond their loss."""
SHOWN = ("loss", "gone", "seconds", "query_error", "classifier", "original")


class Table(NamedTuple):
    """One table, read once."""

    name: str
    path: str
    frame: polars.DataFrame


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--roles", type=Path)
    asked.add_argument("--tables", default="")
    asked.add_argument("--k-alone", action="store_true")
    given = asked.parse_args()
    if not given.folder.is_dir():
        sys.exit(f"skipped: there is no folder {given.folder}; the tables are not part of this project")
    roles = json.loads(given.roles.read_text(encoding="utf-8")) if given.roles else {}
    wanted = set(filter(None, given.tables.split(",")))
    rows: list[dict[str, Any]] = []
    for path in sorted(given.folder.glob("*.csv"), key=lambda each: each.stat().st_size):
        if wanted and path.stem not in wanted:
            continue
        try:
            frame = named(polars.read_csv(path, infer_schema_length=None))
            rows.append(one(Table(path.stem, str(path), frame), roles.get(path.stem), given.k_alone))
        except (IncrowdError, polars.exceptions.PolarsError) as error:
            print(f"{path.stem}: not run: {str(error).splitlines()[0]}", flush=True)
            continue
        print(json.dumps(rows[-1]), flush=True)
    summarize(rows)


def named(frame: polars.DataFrame) -> polars.DataFrame:
    """Return a table with a name for a column without one, such as the row names of an export."""
    return frame.rename({"": "row"}) if "" in frame.columns else frame


def one(table: Table, roles: dict[str, str] | None, k_alone: bool) -> dict[str, Any]:
    """Return the figures of a table."""
    begun = process_time()
    drafted = drafted_job(table, roles)
    seconds = process_time() - begun
    job = {key: value for key, value in drafted.items() if key not in ("data", "output")}
    if k_alone:
        job["models"] = [model for model in job["models"] if "k_anonymity" in model]
    quasi = [name for name, column in job["columns"].items() if column["role"] == "quasi"]
    found: dict[str, Any] = {"table": table.name, "records": table.frame.height, "quasi": len(quasi), "init": seconds}
    for name, change in SEARCHES.items():
        found[name] = release(table, {**job, **change}, quasi)
    return found


def drafted_job(table: Table, roles: dict[str, str] | None) -> dict[str, Any]:
    """Return the first job of a table, with the roles that are suggested or others."""
    given = table.frame if "row" in table.frame.columns else table.path
    if roles is None:
        return incrowd.init(given).to_dict()
    from incrowd.anonymization.first_job import first_job
    from incrowd.core.schema import Role

    source = incrowd.read(given)
    chosen = {name: Role(role) for name, role in roles.items()}
    return first_job(source, incrowd.inspect(given), Watch(), chosen).to_dict()


def release(table: Table, job: dict[str, Any], quasi: list[str]) -> dict[str, Any]:
    """Return the figures of one release."""
    begun = process_time()
    made: Any = incrowd.anonymize(table.frame, job)
    seconds = process_time() - begun
    told_apart = [name for name in quasi if table.frame[name].n_unique() > 1]
    gone = [name for name in told_apart if made.frame[name].n_unique() <= 1]
    figures = {
        "search": made.figures.search.name,
        "loss": made.figures.scores["loss"],
        "gone": len(gone) / max(1, len(told_apart)),
        "seconds": seconds,
    }
    return figures | (measured(table, job, made) if table.frame.height <= MOST_RECORDS else {})


def measured(table: Table, job: dict[str, Any], made: Any) -> dict[str, float]:
    """Return the error of queries, and the accuracy of a classifier if there is something to classify."""
    label = label_of(table, job)
    # The labels of a hierarchy, or the order of a scale, are not in the cells.
    roles = {
        name: {"role": "quasi", **{key: column[key] for key in ("hierarchy", "scale") if key in column}}
        for name, column in job["columns"].items()
        if column["role"] == "quasi"
    } | ({} if label is None else {label: {"role": "sensitive"}})
    metrics = MEASURED if label else MEASURED[:1]
    try:
        compared = incrowd.measure(table.frame, {"r": made.frame}, roles, label=label, metrics=metrics, time=60)
    except IncrowdError as error:
        print(f"{table.name}: not measured: {error}", flush=True)
        return {}
    return readings(compared.to_dict())


def readings(compared: dict[str, Any]) -> dict[str, float]:
    """Return the numbers that were measured."""
    [release] = compared["releases"]
    found = {}
    for name, reading in release["readings"].items():
        kind = "classifier" if name.startswith("classifier") else "query_error"
        if reading.get("value") is not None:
            found[kind] = reading["value"]
        if kind == "classifier" and reading.get("parts"):
            found["original"] = reading["parts"]["taught by the original"]
    return found


def label_of(table: Table, job: dict[str, Any]) -> str | None:
    """Return the first sensitive column of 2 to 10 values; None if there is none."""
    sensitive = [name for name, column in job["columns"].items() if column["role"] == "sensitive"]
    return next((name for name in sensitive if 2 <= table.frame[name].drop_nulls().n_unique() <= 10), None)


def summarize(rows: list[dict[str, Any]]) -> None:
    """Print median and ninth decile of every figure."""
    print(f"\n{len(rows)} tables; init: median {median(row['init'] for row in rows):.2f} s" if rows else "no table")
    for name in SEARCHES if rows else ():
        for figure in SHOWN:
            values = sorted(row[name][figure] for row in rows if figure in row[name])
            if values:
                tail = values[int(0.9 * (len(values) - 1))]
                print(
                    f"{name:8} {figure:12} median {median(values):.3f}, ninth decile {tail:.3f} ({len(values)} tables)"
                )


if __name__ == "__main__":
    main()
