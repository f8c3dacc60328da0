"""Whole commands in new processes: a release from the table to the verified file, and what is done with it then.

Each function measures one command; those that look at a release use one that `prepare` has made.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tables
from harness import Figures, command, measure

HIERARCHIES = tables.ADULT.parent / "hierarchies"
QUASI = [word for name in tables.NINE for word in ("-q", f"{name}={HIERARCHIES / name}.csv")]
ARX_START = (3.1, 5.0)
"""CPU seconds of a process of ARX that reads Adult's CSV and writes a release, which it does not verify; an earlier run
on a machine like this one, since ARX cannot be installed here."""


@contextmanager
def _folder() -> Iterator[Path]:
    tables.DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tables.DATA) as folder:
        yield Path(folder)


def _anonymize(given: Path, out: Path, *words: str) -> Figures:
    return command(
        "anonymize", str(given), *QUASI, "-m", "k_anonymity:k=5", "--suppress", "0.02", *words, "-o", str(out)
    )


def _run(given: Path, *words: str, name: str = "out.csv") -> Figures:
    """A release, with the loss that its private record tells."""
    with _folder() as folder:
        out = folder / name
        found = _anonymize(given, out, *words)
        record = json.loads(Path(f"{out}.record.json").read_text("utf-8"))
    return {**found, "loss": record["figures"]["scores"]["loss"]}


NAMES = {1_000_000: "one-million-nine", 10_000_000: "ten-million", 100_000_000: "hundred-million"}


def _cut(columns: tuple[str, ...], rows: int) -> Path:
    return tables.parquet(NAMES[rows], columns, rows)


# From a new process on.


def start_anonymize() -> Figures:
    return _run(tables.ADULT, "--missing", "?", "--search", "optimal")


def start_anonymize_auto() -> Figures:
    return _run(tables.ADULT, "--missing", "?")


def start_libraries() -> Figures:
    """What the libraries that every run needs take to load by themselves."""
    libraries = "numpy, pyarrow, pyarrow.csv, pyarrow.compute, pydantic, yaml, typer"
    return command("-c", f"import {libraries}", program=sys.executable)


def five_million_csv() -> Figures:
    return _run(tables.csv("five-million", tables.NINE, 5_000_000), "--search", "optimal")


def five_million_csv_one_thread() -> Figures:
    return _run(tables.csv("five-million", tables.NINE, 5_000_000), "--search", "optimal", "--threads", "1")


# Local searches on a million rows.


def million_mondrian() -> Figures:
    return _run(_cut(tables.NINE, 1_000_000), "--search", "mondrian")


def million_layered() -> Figures:
    return _run(_cut(tables.NINE, 1_000_000), "--search", "layered")


def million_k_members() -> Figures:
    return _run(_cut(tables.NINE, 1_000_000), "--search", "k_members")


# Many records: Parquet to verified Parquet.


def ten_million_mondrian() -> Figures:
    return _run(_cut(tables.NINE, 10_000_000), "--search", "mondrian", name="out.parquet")


def hundred_million_mondrian() -> Figures:
    return _run(_cut(tables.NINE, 100_000_000), "--search", "mondrian", name="out.parquet")


# Local searches on a wide table: 500,000 rows, 30 columns, hierarchies as the table proposes them.


def _wide(*words: str) -> Figures:
    with _folder() as folder:
        out = folder / "out.csv"
        path = tables.wide_parquet("wide-500k-30", 500_000, 30)
        quasi = [word for at in range(30) for word in ("-q", f"c{at:02}")]
        found = command("anonymize", str(path), *quasi, "-m", "k_anonymity:k=5", *words, "-o", str(out))
        record = json.loads(Path(f"{out}.record.json").read_text("utf-8"))
    return {**found, "loss": record["figures"]["scores"]["loss"]}


def wide_mondrian() -> Figures:
    return _wide("--search", "mondrian")


def wide_layered() -> Figures:
    return _wide("--search", "layered")


def wide_k_members() -> Figures:
    return _wide("--search", "k_members:block=1024,refine=0")


def wide_auto() -> Figures:
    return _wide()


# What is done with a release.

RELEASES = tables.DATA / "releases"


def made(name: str, rows: int, search: str) -> Path:
    """A release, made once."""
    out = RELEASES / name
    if not Path(f"{out}.manifest.json").exists():
        RELEASES.mkdir(parents=True, exist_ok=True)
        _anonymize(_cut(tables.NINE, rows), out, "--search", search, "--replace")
    return out


def ten_million_release() -> Path:
    return made("ten-million-optimal.parquet", 10_000_000, "optimal")


def mondrian_release() -> Path:
    return made("one-million-mondrian.csv", 1_000_000, "mondrian")


def optimal_release() -> Path:
    return made("one-million-optimal.csv", 1_000_000, "optimal")


def verify_ten_million() -> Figures:
    return command("verify", str(ten_million_release()))


def verify_ten_million_duckdb() -> Figures:
    """One GROUP BY of the released file."""
    import duckdb

    columns = ", ".join(f'"{name}"' for name in tables.NINE)
    query = f"SELECT count(*), min(n) FROM (SELECT count(*) n FROM '{ten_million_release()}' GROUP BY {columns})"
    return measure(lambda: duckdb.connect().sql(query).fetchall()[0][0])


def verify_mondrian() -> Figures:
    release = mondrian_release()
    return command("verify", str(release), "--record", f"{release}.record.json")


def report_mondrian() -> Figures:
    with _folder() as folder:
        return command("report", str(mondrian_release()), "-o", str(folder / "report.html"))


def measure_optimal() -> Figures:
    return command("measure", str(_cut(tables.NINE, 1_000_000)), str(optimal_release()))


def prepare() -> None:
    """Tables and releases."""
    tables.csv("five-million", tables.NINE, 5_000_000)
    for release in (ten_million_release, mondrian_release, optimal_release):
        release()


def compiled() -> None:
    """Let Python compile what it has not yet: an installed program is."""
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(Path(__file__).parents[1] / "src")], check=False)
