"""Whether claims of the thesis hold: each check reads the results and says it in a few words."""

from itertools import pairwise
from typing import Any

Rows = list[dict[str, Any]]
Results = dict[str, Rows]

YES, ORDER, NO = "agrees", "agrees in order", "does not"
MRG = ("MRGB", "MRGU", "MRGP")
OTHERS = ("Mondrian", "K-Members", "K-Members-p")


def _row(rows: Rows, /, **wanted: Any) -> dict[str, Any]:
    return next(row for row in rows if all(row[name] == value for name, value in wanted.items()))


def _values(rows: Rows, figure: str, key: str, /, **wanted: Any) -> dict[Any, float]:
    return {row[key]: row[figure] for row in rows if all(row[name] == value for name, value in wanted.items())}


def _ahead(rows: Rows, figure: str, key: str, method: str, others: tuple[str, ...]) -> list[Any]:
    """Where a method has the lowest figure."""
    own = _values(rows, figure, key, method=method)
    rest = [_values(rows, figure, key, method=other) for other in others]
    return [at for at in own if all(own[at] < each[at] for each in rest)]


def _where(at: list[Any], every: Any, name: str = "k") -> str:
    """Yes where it holds everywhere, else where it does."""
    if len(at) == len(every):
        return YES
    return f"{ORDER}: at {name} = {', '.join(map(str, at))}" if at else NO


def _mean(results: Results) -> Rows:
    return [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality"]]


def _ks(results: Results) -> list[int]:
    return list(dict.fromkeys(row["k"] for row in results["quality"]))


# Chapter 3.


def no_range(results: Results) -> str:
    rows = results["ranges"]
    found = {
        name: [_row(rows, method=name, k=k)["up to 0"] for k in (2, 5)] for name in {row["method"] for row in rows}
    }
    for name in ("table 4.2, strict cuts", "table 4.2, relaxed cuts"):
        if all(abs(each - thesis) < 0.03 for each, thesis in zip(found[name], (0.57, 0.21), strict=True)):
            return YES
    strict, ninth = found["table 4.2, strict cuts"], found["occupation as a ninth, relaxed cuts"]
    told = f"{NO}: {strict[0]:.0%} and {strict[1]:.0%}"
    near = all(abs(each - thesis) < 0.03 for each, thesis in zip(ninth, (0.57, 0.21), strict=True))
    return f"{told}; with occupation as a quasi-identifier {ninth[0]:.0%} and {ninth[1]:.0%}" if near else told


def delta_on_a_sample(results: Results) -> str:
    rows = [row for row in results["choosing_delta"] if "UM" in row]
    best = {}
    for method in ("sample", "Adult"):
        own = [row for row in rows if row["method"] == method]
        best[method] = min(own, key=lambda row: row["UM"] + row["MPM"])["delta"]
    same = best["sample"] == best["Adult"]
    return YES if same else f"{NO}: {best['sample']:g} on the sample, {best['Adult']:g} on the table"


def s_settles(results: Results) -> str:
    own = {row["s"]: row["UM"] + row["MPM"] for row in results["choosing_s"] if row["method"] == "Adult"}
    best = min(own, key=lambda s: own[s])
    return YES if abs(own[20] - own[40]) < 0.01 and own[20] < 1.05 * own[best] else f"{NO}: s = {best} is best"


# Chapter 4.


def sampled_delta(results: Results) -> str:
    worst = max(row["RQL"] for row in results["heuristics"])
    return YES if worst <= 0.05 else f"{NO}: up to {worst:.2g}"


def doubled_s(results: Results) -> str:
    rows = results["sizes"]
    worst = max(row["RQL"] for row in rows)
    last = [_row(rows, k=k, iteration=5)["RQL"] <= _row(rows, k=k, iteration=1)["RQL"] for k in (2, 5, 10, 50, 100)]
    if worst <= 0.06:
        return YES if all(last) else ORDER
    return f"{NO}: up to {worst:.2g}" + ("" if all(last) else ", and more as s grows")


def _cpu(results: Results, method: str) -> float:
    return float(_row(results["runtime"], method=method, rows=10_000)["cpu"])


def mondrian_is_fast(results: Results) -> str:
    times = min(_cpu(results, "K-Members"), _cpu(results, "MRG, no subspaces")) / _cpu(results, "Mondrian")
    return YES if times >= 10 else f"{ORDER}: {times:.0f} times" if times > 2 else f"{NO}: {times:.1f} times"


def mrg_against_k_members(results: Results) -> str:
    times = _cpu(results, "K-Members") / _cpu(results, "MRG, no subspaces")
    return YES if times >= 6 else f"{NO}: {1 / times:.0f} times slower"


def mrg_against_mondrian(results: Results) -> str:
    times = _cpu(results, "MRG") / _cpu(results, "Mondrian")
    return YES if times <= 1.1 else f"{NO}: {times:.0f} times as long"


def subspaces_are_fast(results: Results) -> str:
    rows = results["subspaces"]
    times = _row(rows, s=30_162)["cpu"] / _row(rows, s=50)["cpu"]
    return YES if times >= 20 else f"{ORDER}: {times:.0f} times" if times > 1.5 else f"{NO}: {times:.1f} times"


def ahead_in_both(results: Results) -> str:
    return _where(_ahead(_mean(results), "mean", "k", "MRG", OTHERS), _ks(results))


def subspaces_do_no_harm(results: Results) -> str:
    rows = _mean(results)
    own, without = (_values(rows, "mean", "k", method=name) for name in ("MRG", "MRG, no subspaces"))
    return YES if all(own[k] <= 1.1 * without[k] for k in own) else NO


def ahead_by_weight(results: Results) -> str:
    rows = results["weights"]
    weights = list(dict.fromkeys(row["w_p"] for row in rows))
    return _where(_ahead(rows, "mean", "w_p", "MRG", OTHERS), weights, "w_p")


def _steers(rows: Rows) -> str:
    um, mpm = (list(_values(rows, figure, "w_p", method="MRG").values()) for figure in ("UM", "MPM"))
    falls = um[0] < um[-1] and mpm[0] > mpm[-1]
    steps = all(a <= b + 0.02 for a, b in pairwise(um))
    steps &= all(a >= b - 0.02 for a, b in pairwise(mpm))
    return YES if falls and steps else ORDER if falls else NO


def weights_steer(results: Results) -> str:
    return _steers(results["weights"])


def weights_steer_synthetic(results: Results) -> str:
    return _steers(results["weights_synthetic"])


def _by_weight(results: Results, figure: str) -> str:
    """Equal weights, and utility alone where those do not agree."""
    equal, alone = (_ahead(results["quality"], figure, "k", name, ("Mondrian",)) for name in ("MRG", "MRG, w_p = 0"))
    told = _where(equal, _ks(results))
    return told if told != NO or not alone else f"{NO}; with w_p = 0 it {_where(alone, _ks(results))}"


def ahead_in_um(results: Results) -> str:
    return _by_weight(results, "UM")


def ahead_in_dm(results: Results) -> str:
    return _by_weight(results, "DM")


def ahead_in_mpm(results: Results) -> str:
    return _where(_ahead(results["quality"], "MPM", "k", "MRG", ("Mondrian", "K-Members")), _ks(results))


def as_protected(results: Results) -> str:
    own, other = (_values(results["quality"], "MPM", "k", method=name) for name in ("MRG", "K-Members-p"))
    return YES if all(own[k] <= 1.2 * other[k] + 0.01 for k in own) else NO


def _errors_ahead(results: Results, kind: int, asked: str, most: int) -> dict[str, list[int]]:
    rows = [row for row in results["answers"] if (row["type"], row["asked"]) == (kind, asked) and row["k"] <= most]
    return {name: _ahead(rows, "ARE", "k", name, ("Mondrian", "K-Members")) for name in MRG}


def answers(results: Results, kind: int, most: int) -> str:
    ks = [k for k in dict.fromkeys(row["k"] for row in results["answers"]) if k <= most]
    for asked in ("single values", "shares"):
        found = _errors_ahead(results, kind, asked, most)
        if all(len(found[name]) == len(ks) for name in MRG):
            return YES
    some = [name for name, at in _errors_ahead(results, kind, "single values", most).items() if at]
    return f"{ORDER}: {', '.join(some)} at some k" if some else NO


# Chapter 6.


def within_u(results: Results) -> str:
    rows = results["guarantees"]
    upc = all(row["WGU"] <= 0.7 and row["suppressed"] == 0 for row in rows if row["method"] == "UPC")
    toc = [row for row in rows if row["method"].startswith("TOC") and "WGU" in row]
    over = [row["method"].rpartition("= ")[2] for row in toc if row["WGU"] > 0.7]
    small = all(row["suppressed"] > 0.7 for row in toc if float(row["method"].rpartition("= ")[2]) < 0.3)
    if not upc:
        return NO
    return (
        YES
        if small and not over
        else f"{ORDER}: TOC exceeds U at delta = {', '.join(dict.fromkeys(over))}"
        if small
        else ORDER
    )


def toc_unprotected(results: Results) -> str:
    toc = [row for row in results["guarantees"] if row["method"].startswith("TOC") and "unprotected" in row]
    upc = [row for row in results["guarantees"] if row["method"] == "UPC"]
    safe = [row["method"].rpartition("= ")[2] for row in toc if row["unprotected"] == 0]
    if any(row["unprotected"] for row in upc):
        return NO
    return YES if not safe else f"{ORDER}: but for delta = {', '.join(dict.fromkeys(safe))}"


INCOGNITO = ("Incognito, (2,2)-diversity", "Incognito, 0.9-closeness")


def _compared(results: Results, figure: str) -> dict[str, list[float]]:
    """UPC's figure as a share of the others', at k = 2 and 10."""
    rows = results["constrained"]
    own = [_row(rows, method="UPC", k=k)[figure] for k in (2, 10)]
    names = (*INCOGNITO, "Personalized")
    return {
        name: [mine / _row(rows, method=name, k=k)[figure] for mine, k in zip(own, (2, 10), strict=True)]
        for name in names
    }


def errors_of_ranges(results: Results) -> str:
    found = _compared(results, "RE 1")
    less = [each for name in INCOGNITO for each in found[name]]
    if max(less) <= 0.15 and max(found["Personalized"]) <= 1.5:
        return YES
    told = f"{min(1 / each for each in less):.1f} to {max(1 / each for each in less):.1f} times lower than Incognito's"
    return f"{ORDER}: {told}" if max(less) < 1 else NO


def errors_of_values(results: Results) -> str:
    found = _compared(results, "RE 2")
    behind = [name for name, each in found.items() if max(each) >= 1]
    return YES if not behind else f"{ORDER}: not ahead of {', '.join(behind)}" if len(behind) < 3 else NO


def spans_of_guaranteed(results: Results) -> str:
    rows = results["constrained"]
    upc = [row for row in rows if row["method"] == "UPC"]
    if any(row["WGU"] > 0.7 for row in upc):
        return NO
    less = all(row["UM"] < _row(rows, method=name, k=row["k"])["UM"] for row in upc for name in INCOGNITO)
    return YES if less else f"{ORDER}: WGU within U, UM not lower than Incognito's at every k"


def ranges_of_guaranteed(results: Results) -> str:
    rows = results["constrained"]
    upc = all(row["WGP"] <= 0.5 + 1e-9 for row in rows if row["method"] == "UPC")
    fails = {
        name: [row["k"] for row in rows if row["method"] == name and row["WGP"] > 0.5]
        for name in (INCOGNITO[0], "Personalized")
    }
    whole = all(_row(rows, method=INCOGNITO[0], k=k)["RD spread"][-1] > 0.85 for k in (2, 10))
    if not upc:
        return NO
    return (
        YES
        if all(fails.values()) and whole
        else f"{ORDER}: UPC keeps P, few records of the others exceed it"
        if any(fails.values())
        else NO
    )


def errors_of_benchmarks(results: Results) -> str:
    rows = results["benchmarks"]
    ratio = []
    for k in (2, 10):
        upc = _row(rows, method="UPC", k=k)["RE"]
        if upc >= _row(rows, method="Incognito, 0.8-closeness", k=k)["RE"]:
            return NO
        ratio.append(upc / _row(rows, method="K-Members", k=k)["RE"])
    return YES if max(ratio) <= 1.5 else f"{ORDER}: {ratio[0]:.1f} and {ratio[1]:.1f} times K-Members' error"


def same_worst_group(results: Results) -> str:
    rows = [row for row in results["benchmarks"] if row["method"] == "UPC"]
    within = all(
        row["WGU"] <= _row(results["benchmarks"], method="K-Members", k=row["k"])["WGU"] + 1e-4 for row in rows
    )
    most = max(row["suppressed"] for row in rows)
    return NO if not within else YES if most == 0 else f"{ORDER}: U and P yes, but up to {most:.1%} suppressed"


def unprotected(results: Results) -> str:
    rows = results["centers"]
    names = ("range_diversity, k = 2", "range_diversity, k = 10")
    near = [row for row in rows if any(_close(row, kind) for kind in ("range_diversity", "protection"))]
    first = rows[0]
    if _close(first, "range_diversity"):
        return YES
    told = f"{NO}: {first[names[0]]:.1%} and {first[names[1]]:.1%}"
    if not near:
        return told
    row = near[0]
    kind = "range_diversity" if _close(row, "range_diversity") else "protection"
    share = [row[f"{kind}, k = {k}"] for k in (2, 10)]
    return f"{told}; with the center {row['center']:g} of the sensitive columns {share[0]:.0%} and {share[1]:.0%}"


def _close(row: dict[str, Any], kind: str) -> bool:
    return abs(row[f"{kind}, k = 2"] - 0.83) < 0.05 and abs(row[f"{kind}, k = 10"] - 0.65) < 0.05


def worst_protected(results: Results) -> str:
    rows = results["benchmarks"]
    upc = all(row["WGP"] <= 0.7 + 1e-9 for row in rows if row["method"] == "UPC")
    failing = [row["k"] for row in rows if row["method"] == "K-Members-p" and row["WGP"] > 0.7]
    ks = list(dict.fromkeys(row["k"] for row in rows))
    return (
        NO
        if not upc or not failing
        else YES
        if failing == ks
        else f"{ORDER}: K-Members-p fails at k = {', '.join(map(str, failing))}"
    )


def _center(results: Results) -> Rows:
    return [row for row in results["policies"] if row["center"] == results["policies"][0]["center"]]


def strict_policies_cost(results: Results) -> str:
    rows = [row for row in _center(results) if "RE" in row]
    rises = [_row(rows, policy="P5", k=k)["RE"] / _row(rows, policy="P1", k=k)["RE"] for k in (2, 5, 10, 25, 50)]
    if min(rises) >= 5:
        return YES
    return (
        f"{ORDER}: P5 costs {min(rises):.1f} to {max(rises):.1f} times P1"
        if min(rises) > 1.05
        else f"{NO}: P5 costs {min(rises):.1f} to {max(rises):.1f} times P1"
    )


def same_spans(results: Results) -> str:
    rows = _center(results)
    spans = {k: [row["UM"] for row in rows if row["k"] == k and "UM" in row] for k in (2, 5, 10, 25, 50)}
    suppressed = max(row["suppressed"] for row in rows)
    alike = all(max(each) - min(each) <= 0.02 for each in spans.values())
    near = all(abs(value - 0.18) < 0.02 for value in spans[2])
    if alike and near and suppressed == 0:
        return YES
    return ORDER if alike else f"{NO}: {min(spans[2]):.2f} to {max(spans[2]):.2f} at k = 2"


def limits(results: Results) -> str:
    rows = [row for row in results["thresholds"] if "UM" in row]
    within = all(row["UM"] <= row["U"] + 1e-4 for row in rows)
    p = [row["suppressed"] for row in results["thresholds"] if row["U"] == 0.3]
    u = [row["suppressed"] for row in results["thresholds"] if row["P"] == 0.5]
    return YES if within and p[0] >= p[-1] and u[0] >= u[-1] else NO


def _times(rows: Rows, key: str, at: int) -> list[float]:
    upc = _row(rows, method="UPC", **{key: at})["cpu"]
    return [_row(rows, method=name, **{key: at})["cpu"] / upc for name in (*INCOGNITO, "Mondrian")]


def scales(results: Results) -> str:
    rows = results["scaling"]
    growth = _row(rows, method="UPC", rows=200_000)["cpu"] / _row(rows, method="UPC", rows=50_000)["cpu"]
    return f"{YES if growth <= 5 else NO}: four times the records take {growth:.1f} times as long"


def faster_than_incognito(results: Results) -> str:
    times = min(_times(results["scaling"], "rows", 200_000)[:2])
    return YES if times >= 10 else f"{NO}: Incognito takes {times:.2g} times UPC's time"


def by_columns(results: Results) -> str:
    rows = results["columns"]
    growth = _row(rows, method="UPC", columns=7)["cpu"] / _row(rows, method="UPC", columns=2)["cpu"]
    other = _row(rows, method=INCOGNITO[0], columns=7)["cpu"] / _row(rows, method=INCOGNITO[0], columns=2)["cpu"]
    told = f"2 to 7 columns: UPC {growth:.0f} times as long, Incognito {other:.0f} times"
    return f"{YES}: {told}" if growth <= 7 and other > 20 else f"{ORDER}: {told}" if growth < other else f"{NO}: {told}"
