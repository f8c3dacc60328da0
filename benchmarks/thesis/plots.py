"""The plots of the pages on the thesis: small SVG files under docs/thesis, named as its figures."""

from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "thesis"
matplotlib.rcParams["svg.fonttype"] = "none"

FOLDER = Path(__file__).parents[2] / "docs" / "thesis"

Rows = list[dict[str, Any]]


def drawn(results: dict[str, Rows]) -> None:
    """Draw all of them."""
    quality = [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality"]]
    mrg = [row for row in results["weights"] if row["method"] in ("MRG", "MRG, no subspaces", "tradeoff")]
    _both("3-8", [row for row in results["choosing_delta"] if "UM" in row], "delta", "threshold delta")
    _both("3-9", results["choosing_s"], "s", "least size s of a subspace", log="x")
    _lines("4-1", results["runtime"], "rows", "cpu", "seconds of CPU", log="xy")
    _lines("4-2", results["subspaces"], "s", "cpu", "seconds of CPU", log="x")
    _lines("4-3", quality, "k", "mean", "(UM + MPM) / 2", log="x")
    _lines("4-4", results["weights"], "w_p", "mean", "weighted mean of UM and MPM")
    _lines("4-5", mrg, "w_p", "UM", "UM")
    _lines("4-6", mrg, "w_p", "MPM", "MPM")
    _lines("4-7", results["weights_synthetic"], "w_p", "UM", "UM")
    _lines("4-8", results["weights_synthetic"], "w_p", "MPM", "MPM")
    _lines("4-9", [row for row in quality if row["method"] != "K-Members-p"], "k", "UM", "UM", log="xy")
    _lines("4-10", quality, "k", "DM", "DM", log="xy")
    _lines("4-11", quality, "k", "MPM", "MPM", log="x")
    for kind in (1, 2):
        own = [row for row in results["answers"] if (row["type"], row["asked"]) == (kind, "single values")]
        thesis = [row for row in own if not row["method"].startswith("tradeoff")]
        _lines(f"4-{11 + kind}", thesis, "k", "normalized", f"normalized ARE, type {kind}", log="x")
    _guarantees(results["guarantees"])
    for k, kind, name in ((2, 1, "6-14"), (10, 1, "6-15"), (2, 2, "6-16"), (10, 2, "6-17")):
        _spreads(
            name,
            results["constrained"],
            k,
            f"RE {kind} spread",
            f"relative error, type {kind}, k = {k}",
            "queries",
            True,
        )
    for k, name in ((2, "6-20"), (10, "6-21")):
        _spreads(name, results["constrained"], k, "RD spread", f"Range Diversity, k = {k}", "records")
    for k, name in ((2, "6-24"), (10, "6-25")):
        _spreads(name, results["benchmarks"], k, "RE spread", f"relative error, k = {k}", "queries", True)
    for k, name in ((2, "6-28"), (10, "6-29")):
        _spreads(name, results["benchmarks"], k, "RD spread", f"Range Diversity, k = {k}", "records")
    for figure, names in (("UM", ("6-19", "6-27")), ("WGU", ("6-18", "6-26")), ("WGP", ("6-22", "6-30"))):
        for name, of in zip(names, ("constrained", "benchmarks"), strict=True):
            _lines(name, results[of], "k", figure, figure, log="x")
    _lines("6-36", results["scaling"], "rows", "cpu", "seconds of CPU", log="xy")
    _lines("6-37", results["columns"], "columns", "cpu", "seconds of CPU", log="y")


_NAMES = {
    "w_p": "weight of protection w_p",
    "rows": "records",
    "columns": "quasi-identifiers",
    "s": "least size s of a subspace",
}


def _lines(name: str, rows: Rows, key: str, figure: str, label: str, log: str = "") -> None:
    axes = _begun(_NAMES.get(key, key), label)
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method and figure in row]
        axes.plot([row[key] for row in own], [row[figure] for row in own], marker="o", markersize=3, label=method)
    _scaled(axes, rows, key, log)
    _saved(name)


def _scaled(axes: Any, rows: Rows, key: str, log: str) -> None:
    if "x" in log:
        axes.set_xscale("log")
        at = sorted({row[key] for row in rows})
        axes.set_xticks(at, [f"{each:,}" for each in at])
        axes.minorticks_off()
    if "y" in log:
        axes.set_yscale("log")


def _both(name: str, rows: Rows, key: str, label: str, log: str = "") -> None:
    """UM and MPM of each method."""
    axes = _begun(label, "UM, MPM")
    for method in dict.fromkeys(row["method"] for row in rows):
        for figure, style in (("UM", "-"), ("MPM", "--")):
            own = [row for row in rows if row["method"] == method]
            axes.plot(
                [row[key] for row in own],
                [row[figure] for row in own],
                style,
                marker="o",
                markersize=3,
                label=f"{figure}, {method}",
            )
    _scaled(axes, rows, key, log)
    _saved(name)


def _guarantees(rows: Rows) -> None:
    axes = _begun("threshold delta of TOC; UPC has 0 of both", "share of the records")
    for k in dict.fromkeys(row["k"] for row in rows):
        own = [row for row in rows if row["k"] == k and row["method"].startswith("TOC")]
        delta = [float(row["method"].rpartition("= ")[2]) for row in own]
        for figure in ("suppressed", "unprotected"):
            known = [(at, row[figure]) for at, row in zip(delta, own, strict=True) if figure in row]
            axes.plot(*zip(*known, strict=True), marker="o", markersize=3, label=f"TOC, {figure}, k = {k}")
    _saved("6-6")


def _spreads(name: str, rows: Rows, k: int, figure: str, label: str, of: str, log: bool = False) -> None:
    """Curves from the largest value down."""
    axes = _begun(f"share of the {of}", label)
    for row in rows:
        if row["k"] == k and figure in row:
            values = row[figure]
            # A logarithmic axis has no 0.
            shown = [max(each, 1e-3) if log else each for each in values]
            axes.plot([at / (len(values) - 1) for at in range(len(values))], shown, label=row["method"])
    if log:
        axes.set_yscale("log")
    _saved(name)


def _begun(x: str, y: str) -> Any:
    _, axes = plt.subplots(figsize=(6, 3.4))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return axes


def _saved(name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    plt.legend(fontsize=7)
    plt.tight_layout()
    plt.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})
    plt.close()
