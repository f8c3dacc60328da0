"""The thesis' comparisons: each gives rows of figures, by method and by what is varied."""

from collections.abc import Callable, Iterable
from typing import Any

from data import Table, adult, invented_census, synthetic
from methods import METHODS, measured

Rows = list[dict[str, Any]]

KS = (5, 10, 25, 50, 100)
WEIGHTS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
DECADES = "ranges=0..9/10..19/20..29/30..39/40..49,domain=0..49"
"""The level-2 ancestors of an income, as the thesis' note to figure 6.3 says."""
HALVES = "ranges=0..9/10..15/16..19,domain=0..19"
"""Of the synthetic columns; the figure of their hierarchy is lost, these are the ranges of policy P5 in table 6.2."""


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    """To four digits, without the time, which differs from run to run."""
    told = {name: value for name, value in figures.items() if name != "cpu"}
    return {name: value if isinstance(value, int) else float(f"{value:.4g}") for name, value in told.items()}


def _by_k(table: Table, names: Iterable[str], ks: Iterable[int]) -> Rows:
    return [
        {"method": name, "k": k, **_rounded(measured(table, k, METHODS[name]).figures)} for k in ks for name in names
    ]


def runtime() -> Rows:
    """Figure 4.1: seconds of CPU on samples of Adult, k = 5."""
    names = ("Mondrian", "K-Members", "MRG", "MRG, no subspaces", "tradeoff")
    found = []
    for rows in (500, 1000, 2000, 5000, 10_000):
        table = adult(rows)
        for name in names:
            cpu = min(measured(table, 5, METHODS[name]).cpu for _ in range(3))
            found.append({"method": name, "rows": rows, "cpu": float(f"{cpu:.2g}")})
    return found


def quality() -> Rows:
    """Figures 4.3, 4.9, 4.10 and 4.11: Adult, equal weights."""
    return _by_k(adult(), METHODS, KS)


def quality_synthetic() -> Rows:
    """The same on the synthetic table."""
    names = ("Mondrian", "K-Members-p", "MRG", "tradeoff", "tradeoff, w_p = 0.1")
    return _by_k(synthetic(100_000, 6, 2), names, (10, 50))


def weights() -> Rows:
    """Figures 4.5 and 4.6: Adult, k = 10, the weight of protection."""
    table, found = adult(), []
    for weight in WEIGHTS:
        for name, clusters in (("MRG", "seeded"), ("tradeoff", "joined")):
            search = {"tradeoff": {"protection": weight, "clusters": clusters}}
            found.append({"method": name, "w_p": weight, **_rounded(measured(table, 10, search).figures)})
    return found


def guarantees() -> Rows:
    """Figures 6.4 to 6.11: a census, U = 0.7, P = 0.5; TOC suppresses what it cannot cluster, UPC what fits nowhere."""
    table, found = invented_census(), []
    limit = f"range_diversity:p=0.5,column=income,{DECADES}"
    for k in (2, 5):
        for delta in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
            search = {"tradeoff": {"delta": delta, "leftovers": "suppress"}}
            told = _rounded(measured(table, k, search, judge=limit).figures)
            found.append({"method": f"TOC, delta = {delta}", "k": k, **told})
        told = _rounded(measured(table, k, {"guaranteed": {"utility": 0.7}}, limit, limit).figures)
        found.append({"method": "UPC", "k": k, **told})
    return found


def benchmarks() -> Rows:
    """Figures 6.26 to 6.30: a synthetic table of 50,000, P = 0.7, U what K-Members needs in its worst group."""
    table, found = synthetic(50_000, 5, 2), []
    limit = "&".join(f"range_diversity:p=0.7,column={name},{HALVES}" for name in ("s1", "s2"))
    for k in (2, 10, 25, 50):
        plain = measured(table, k, "k_members", judge=limit)
        found.append({"method": "K-Members", "k": k, **_rounded(plain.figures)})
        protecting = measured(table, k, {"k_members": {"objective": "protection"}}, judge=limit)
        found.append({"method": "K-Members-p", "k": k, **_rounded(protecting.figures)})
        utility = {"guaranteed": {"utility": float(plain.spans.max())}}
        found.append({"method": "UPC", "k": k, **_rounded(measured(table, k, utility, limit, limit).figures)})
    return found


def thresholds() -> Rows:
    """Figures 6.32 to 6.35: a synthetic table of 50,000 with one sensitive column, k = 25; P or U is varied."""
    table, found = synthetic(50_000, 5, 1), []

    def row(p: float, utility: float) -> dict[str, Any]:
        limit = f"range_diversity:p={p},column=s1,{HALVES}"
        told = measured(table, 25, {"guaranteed": {"utility": utility}}, limit, limit).figures
        return {"P": p, "U": utility, **_rounded(told)}

    for p in (0.1, 0.3, 0.4, 0.5, 0.7, 1.0):
        found.append(row(p, 0.3))
    for utility in (0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        found.append(row(0.5, utility))
    return found


FIGURES: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (runtime, quality, quality_synthetic, weights, guarantees, benchmarks, thresholds)
}
