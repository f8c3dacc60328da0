"""One small table, every verb on it; each cell is a text that occurs nowhere else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

import incrowd

CELLS = ("Quokka", "7654", "zebra", "1907-")
"""How the cells of each column begin: towns, incomes, illnesses and dates of birth."""

TOWNS = [f"Quokka{at}" for at in range(4)]
ILLNESSES = [f"zebra{at}" for at in range(5)]


def people() -> pa.Table:
    """Forty persons."""
    return pa.table(
        {
            "town": [TOWNS[at % 4] for at in range(40)],
            "income": [76540 + at % 8 for at in range(40)],
            "born": [f"1907-0{1 + at % 3}-1{at % 5}" for at in range(40)],
            "illness": [ILLNESSES[at * 7 % 5] for at in range(40)],
            "asks": [["light", "grave"][at * 7 % 5 > 1] for at in range(40)],
        }
    )


def columns() -> dict[str, Any]:
    """What they are for, with hierarchies that are written into the job."""
    towns = {"tree": {"groups": {"north": TOWNS[:2], "south": TOWNS[2:]}}}
    illnesses = {"tree": {"groups": {"light": ILLNESSES[:2], "grave": ILLNESSES[2:]}}}
    return {
        "town": {"role": "quasi", "hierarchy": towns},
        "income": {"role": "quasi"},
        "born": {"role": "keep"},
        "illness": {"role": "sensitive", "hierarchy": illnesses},
        "asks": {"role": "drop"},
    }


ORDERED = {"t_closeness": {"t": 0.9, "column": "illness", "distance": "ordered", "order": ILLNESSES}}
"""A model that lists values."""

OTHER_MODELS: dict[str, Any] = {
    "anatomy": [{"distinct_l": {"l": 2, "column": "illness"}}],
    "consistent": [{"consistent_k": {"k": 2, "notion": "k_k"}}],
    "guaranteed": [{"range_diversity": {"p": 1, "column": "illness"}}],
    "personalized": [{"personal_breach": {"p": 0.9, "column": "illness", "guard": "asks"}}],
    **{search: [{"k_anonymity": {"k": 2}}] for search in ("fewest_cells", "forest", "greedy_cover")},
}
"""What the searches judge that know no others."""

OPTIONS: dict[str, Any] = {
    "guaranteed": {"guaranteed": {"utility": 1}},
    "top_down_specialization": {"top_down_specialization": {"label": "illness"}},
}
"""Of searches that need some."""


def job(search: str = "optimal", **settings: Any) -> dict[str, Any]:
    """A job about them."""
    models = OTHER_MODELS.get(search, [{"k_anonymity": {"k": 2}}, ORDERED])
    suppress = 0 if search == "consistent" else 0.2
    return {
        "columns": columns(),
        "models": models,
        "suppress": suppress,
        "search": OPTIONS.get(search, search),
        **settings,
    }


def _released(folder: Path, table: pa.Table) -> str:
    made = incrowd.anonymize(table, job(output=str(folder / "release.csv")))
    assert made.output is not None
    return made.output


def _attacked(folder: Path, table: pa.Table) -> Any:
    release = _released(folder, table)
    outside = table.select(["town", "income", "born"])
    return incrowd.attack(release, outside=outside, name="born", other=release, knows="illness!=zebra1")


def _diagnosed(folder: Path, table: pa.Table) -> Any:
    diagnosis = incrowd.diagnose(table)
    return [diagnosis, diagnosis.ask(k=3), diagnosis.ask(k=3, suppress=incrowd.FIND)]


def _tabulated(folder: Path, table: pa.Table) -> Any:
    return incrowd.table(table, ["town", "illness"], hierarchies={"town": columns()["town"]["hierarchy"]})


RESULTS: dict[str, Callable[[Path, pa.Table], Any]] = {
    "apply": lambda folder, table: incrowd.apply(_released(folder, table) + ".record.json", table),
    "attack": _attacked,
    "diagnose": _diagnosed,
    "explore": lambda folder, table: incrowd.explore(table, ["town", "born"]),
    "frontier": lambda folder, table: incrowd.frontier(table, job(), k=[2, 3]),
    "grid": lambda folder, table: incrowd.frontier(table, job(), grid=True),
    "head": lambda folder, table: incrowd.head(table, 3),
    "hierarchy": lambda folder, table: incrowd.hierarchy(table, "town", columns()["town"]["hierarchy"]),
    "init": lambda folder, table: incrowd.init(table),
    "inspect": lambda folder, table: incrowd.inspect(table),
    "measure": lambda folder, table: incrowd.measure(table, _released(folder, table)),
    "lattice": lambda folder, table: incrowd.lattice(table, job()),
    "costs": lambda folder, table: incrowd.costs(table, job()),
    "neighbors": lambda folder, table: incrowd.neighbors(table, job(), {"town": 1, "income": 1}),
    "read": lambda folder, table: [incrowd.read(table), incrowd.read(_released(folder, table))],
    "records": lambda folder, table: incrowd.records(_released(folder, table), table),
    "report": lambda folder, table: incrowd.report(incrowd.anonymize(table, job())),
    "risk": lambda folder, table: incrowd.risk(table, ["town", "born"], sensitive=["illness"]),
    "table": _tabulated,
    "verify": lambda folder, table: incrowd.verify(_released(folder, table)),
}
"""What every public function but anonymize gives."""
