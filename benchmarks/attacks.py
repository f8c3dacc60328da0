"""Attacks on releases of Adult: python benchmarks/attacks.py

Adult's complete records, and tables of twice and four times as many as `tables.resampled` makes them, are anonymized to
k = 5 by a full-domain search and by Mondrian; then every attack is tried on them, with the people of the original table
as the outside table and the other release as the second one. Seconds are CPU time of the attacks, reading included.
"""

import time
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import tables

import incrowd
from anonymization import hierarchies
from incrowd.attacks import ATTACKS

QUASI = tuple(name for name in tables.NINE if name not in ("occupation", "salary-class"))
SENSITIVE = "occupation"
SEARCHES = {"optimal": {"search": "optimal", "suppress": 0.02}, "mondrian": {"search": "mondrian"}}


def columns() -> dict[str, Any]:
    """Roles, and the hierarchies of the shared folder."""
    ladders = hierarchies((*QUASI, SENSITIVE))
    found = {name: {"role": "quasi", "hierarchy": ladders[name]} for name in QUASI}
    return {**found, SENSITIVE: {"role": "sensitive", "hierarchy": ladders[SENSITIVE]}}


def released(table: pa.Table) -> dict[str, pa.Table]:
    """Two releases of a table."""
    described = {name: {"role": each["role"]} for name, each in columns().items()}
    for name in QUASI:
        described[name]["hierarchy"] = str(tables.ADULT.parent / "hierarchies" / f"{name}.csv")
    job = {"columns": described, "models": ["k_anonymity:k=5"]}
    return {name: incrowd.anonymize(table, {**job, **settings}).frame for name, settings in SEARCHES.items()}


def timed(release: pa.Table, given: Mapping[str, Any], attack: str) -> tuple[float, int | None]:
    """CPU seconds of one attack, reading included, and how many it exposes."""
    start = time.process_time()
    found = incrowd.attack(release, columns(), [attack], **given)
    return time.process_time() - start, found.exposures[0].records


def main() -> None:
    """All attacks on all releases."""
    names = [*QUASI, SENSITIVE]
    sizes = {1: tables.adult().select(names)}
    for times in (2, 4):
        sizes[times] = pa.concat_tables(tables.resampled(names, times * sizes[1].num_rows))
    for times, table in sizes.items():
        releases = released(table)
        for name, release in releases.items():
            [other] = [each for key, each in releases.items() if key != name]
            given = {"outside": table.select(QUASI), "other": other, "knows": [f"{SENSITIVE}!=Sales"]}
            start = time.process_time()
            found = incrowd.attack(release, columns(), **given)
            whole = time.process_time() - start
            print(f"Adult x{times}, {name}: {found.records:,} records, {found.classes:,} classes, all: {whole:.2f} s")
            for attack in sorted(ATTACKS.known()):
                seconds, exposed = timed(release, given, attack)
                print(f"  {attack}: {seconds:.2f} s, exposed {exposed if exposed is not None else 'not known'}")


if __name__ == "__main__":
    main()
