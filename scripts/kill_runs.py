#!/usr/bin/env python3
"""Kill runs with SIGKILL, many times and in every kind of output, and look at what they left.

    scripts/kill_runs.py --kills 1000

Each kind of output gets its share of the kills, half of them where nothing is there and half where a release is
replaced. Exits with 1 if any output was without its manifest, did not fit it, or if the next run left anything.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from anonymization.killing import FILES, TABLES, Counts, killed_often, target
from postgres_server import postgres_programs, running

KINDS = (*FILES, *TABLES)


@contextmanager
def server(wanted: bool) -> Iterator[str]:
    """The URL of a PostgreSQL server; empty if none is needed."""
    if not wanted:
        yield ""
        return
    programs = postgres_programs()
    if programs is None:
        sys.exit("no PostgreSQL server is installed; leave it out: --kinds csv,parquet,...")
    with running(programs) as url:
        yield url


def main() -> None:
    """Print what was found, kind by kind."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--kills", type=int, default=1000, help="how many in all")
    asked.add_argument("--kinds", default=",".join(KINDS), help="kinds of output, comma-separated")
    asked.add_argument("--seed", type=int, default=11, help="random seed")
    given = asked.parse_args()
    kinds = given.kinds.split(",")
    settings = [(kind, replacing) for kind in kinds for replacing in (False, True)]
    shares = [given.kills // len(settings) + (at < given.kills % len(settings)) for at in range(len(settings))]
    total = Counts()
    print(f"{'output':<10} {'':<10} {'kills':>6} {'nothing':>8} {'old':>6} {'new':>6} {'undone':>7}  faults")
    with server("postgres" in kinds) as url:
        for (kind, replacing), kills in zip(settings, shares, strict=True):
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as folder, target(kind, Path(folder), url) as place:
                found = killed_often(place, kills, replacing, given.seed)
            total += found
            _print(kind, "replacing" if replacing else "fresh", found, f"  ({time.monotonic() - started:.0f} s)")
    _print("all", "", total)
    sys.exit(1 if total.faults else 0)


def _print(kind: str, how: str, found: Counts, further: str = "") -> None:
    faults = "; ".join(f"{number} x {what}" for what, number in found.faults.items()) or "0"
    numbers = f"{found.kills:>6} {found.none:>8} {found.old:>6} {found.new:>6} {found.undone:>7}"
    print(f"{kind:<10} {how:<10} {numbers}  {faults}{further}", flush=True)


if __name__ == "__main__":
    main()
