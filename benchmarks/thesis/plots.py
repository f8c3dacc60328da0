"""The plots of docs/thesis.md: small SVG files under docs/thesis."""

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
    _lines("4-1", results["runtime"], "rows", "cpu", "seconds of CPU", log="xy")
    _lines("4-3", quality, "k", "mean", "(UM + MPM) / 2", log="x")
    _lines("4-9", [row for row in quality if row["method"] != "K-Members-p"], "k", "UM", "UM", log="xy")
    _lines("4-10", quality, "k", "DM", "DM", log="xy")
    _lines("4-11", quality, "k", "MPM", "MPM", log="x")
    _lines("4-5", results["weights"], "w_p", "UM", "UM")
    _lines("4-6", results["weights"], "w_p", "MPM", "MPM")
    _guarantees(results["guarantees"])


def _lines(name: str, rows: Rows, key: str, figure: str, label: str, log: str = "") -> None:
    axes = _begun(key if key != "w_p" else "weight of protection w_p", label)
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method]
        axes.plot([row[key] for row in own], [row[figure] for row in own], marker="o", markersize=3, label=method)
    if "x" in log:
        axes.set_xscale("log")
        axes.set_xticks(sorted({row[key] for row in rows}), [str(at) for at in sorted({row[key] for row in rows})])
        axes.minorticks_off()
    if "y" in log:
        axes.set_yscale("log")
    _saved(name)


def _guarantees(rows: Rows) -> None:
    axes = _begun("threshold delta of TOC; UPC has 0 % of both", "share of the records")
    for k in dict.fromkeys(row["k"] for row in rows):
        own = [row for row in rows if row["k"] == k and row["method"].startswith("TOC")]
        delta = [float(row["method"].rpartition("= ")[2]) for row in own]
        for figure in ("suppressed", "unprotected"):
            axes.plot(delta, [row[figure] for row in own], marker="o", markersize=3, label=f"TOC, {figure}, k = {k}")
    _saved("6-6")


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
