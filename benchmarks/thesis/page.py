"""The tables of docs/thesis.md and of its chapters, from the results."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from printed import LARGEST_ERROR, MEAN_ERROR, POLICY_UM, RELATIVE_LOSS, SIZES, UNPROTECTED, ZERO_RANGES
from verdicts import VERDICTS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = (DOCS / "thesis.md", *(DOCS / "thesis" / f"chapter-{number}.md" for number in (3, 4, 6)))

Rows = list[dict[str, Any]]

_FEW = {"UM": "UM", "WGU": "WGU", "WGP": "WGP", "unprotected": "unprotected", "suppressed": "suppressed"}
_BY_K = {"k": "k", "method": "", **_FEW}


def tables(results: dict[str, Rows]) -> dict[str, str]:
    """By the mark in the page that a table follows: F for figures of the thesis, T for its tables."""
    quality = [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality"]]
    synthetic = [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality_synthetic"]]
    mrg = [row for row in results["weights"] if row["method"] in ("MRG", "MRG, no subspaces", "tradeoff")]
    return {
        "verdicts": _verdicts(results),
        "best": _best(results["best"]),
        "seconds": _seconds(results["seconds"]),
        "F3.3": _ranges(results["ranges"]),
        "F3.8": across(results["choosing_delta"], "delta", ("UM", "MPM"), "{:.3f}", skip=True),
        "F3.9": across(results["choosing_s"], "s", ("UM", "MPM"), "{:.3f}"),
        **{f"T{name}": _relative(results["heuristics"], name) for name in RELATIVE_LOSS},
        "T4.7": _sizes(results["sizes"]),
        "F4.1": across(results["runtime"], "rows", ("cpu",), "{:.2g}", "records"),
        "F4.2": down(
            results["subspaces"], {"s": "s", "subspaces": "subspaces", "cpu": "seconds", "mean": "(UM + MPM) / 2"}
        ),
        "F4.3": across(quality, "k", ("mean",), "{:.3f}"),
        "readings": down(
            results["readings"],
            {"varied": "varied", "as": "", "k": "k", "delta": "delta", "s": "s", "mean": "(UM + MPM) / 2"},
        ),
        "F4.4": across(results["weights"], "w_p", ("mean",), "{:.3f}"),
        "F4.5": across(mrg, "w_p", ("UM",), "{:.4f}"),
        "F4.6": across(mrg, "w_p", ("MPM",), "{:.3f}"),
        "F4.7": across(results["weights_synthetic"], "w_p", ("UM",), "{:.4f}"),
        "F4.8": across(results["weights_synthetic"], "w_p", ("MPM",), "{:.3f}"),
        "F4.9": across(quality, "k", ("UM",), "{:.4f}"),
        "formed": across(
            quality, "k", ("UM formed", "MPM formed"), "{:.3f}", only=("Mondrian", "K-Members", "K-Members-p", "MRG")
        ),
        "F4.10": across(quality, "k", ("DM",), "{:.3g}"),
        "F4.11": across(quality, "k", ("MPM",), "{:.3f}"),
        **{
            f"F4.{11 + kind}{'s' if asked == 'shares' else ''}": across(
                [row for row in results["answers"] if (row["type"], row["asked"]) == (kind, asked)],
                "k",
                ("ARE",),
                "{:.3f}",
            )
            for kind in (1, 2)
            for asked in ("single values", "shares")
        },
        "synthetic": down(synthetic, {"k": "k", "method": "", "UM": "UM", "MPM": "MPM", "mean": "mean of both"}),
        "F6.4": down(results["guarantees"], _BY_K),
        "F6.14": _errors([row for row in results["constrained"] if "RE 1" in row], ("RE 1", "RE 2")),
        "F6.18": down(results["constrained"], _BY_K),
        "F6.24": _errors([row for row in results["benchmarks"] if "RE" in row], ("RE",)),
        "F6.26": down(results["benchmarks"], _BY_K),
        "tightness": down(
            results["tightness"],
            {"k": "k", "K-Members": "K-Members", "U": "U", "s": "s", "UM": "UM", "suppressed": "suppressed"},
        ),
        "centers": _centers(results["centers"]),
        "T6.3": _policies(results["policies"], "RE", MEAN_ERROR, "{:.3f}"),
        "T6.4": _policies(results["policies"], "RE most", LARGEST_ERROR, "{:.4g}"),
        "T6.5": _policies(results["policies"], "UM", POLICY_UM, "{:.3f}"),
        "ranges": _by_policy(results["policies"]),
        "subspaces": down(results["same_subspaces"], {"k": "k", "s": "s", "UM": "UM", "RE": "mean RE"}),
        "F6.32": down(results["thresholds"], {"P": "P", "U": "U", **_FEW}),
        "F6.36": across(results["scaling"], "rows", ("cpu",), "{:.2g}", "records"),
        "F6.37": across(results["columns"], "columns", ("cpu",), "{:.2g}"),
    }


def across(
    rows: Rows,
    key: str,
    figures: tuple[str, ...],
    form: str,
    name: str | None = None,
    skip: bool = False,
    only: tuple[str, ...] = (),
) -> str:
    """Methods down, what is varied across; with `skip` without what none has a figure for."""
    rows = [row for row in rows if not only or row["method"] in only]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    values = list(dict.fromkeys(row[key] for row in rows if not skip or figures[0] in row))
    found = {(row["method"], row[key], figure): row.get(figure) for row in rows for figure in figures}
    head = [f"{name or key} = {value:,}" for value in values]
    body = []
    for method in methods:
        for figure in figures:
            cells = [found.get((method, value, figure)) for value in values]
            label = method if len(figures) == 1 else f"{method}, {figure}"
            body.append([label, *("-" if cell is None else form.format(cell) for cell in cells)])
    return _table(["", *head], body)


def down(rows: Rows, columns: dict[str, str]) -> str:
    """One row each."""
    return _table(list(columns.values()), [[_cell(name, row.get(name)) for name in columns] for row in rows])


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name in ("unprotected", "suppressed"):
        return f"{value:.1%}"
    if isinstance(value, float) and name not in ("P", "U", "delta", "cpu"):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else f"{value}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _verdicts(results: dict[str, Rows]) -> str:
    rows = [[each.of, each.claim, f"[{each.verdict(results)}]({each.where})"] for each in VERDICTS]
    return _table(["of the thesis", "claim", "here"], rows)


def _best(rows: Rows) -> str:
    """Heuristics beside the best of the grid."""
    ks = list(dict.fromkeys(row["k"] for row in rows))
    body = []
    for method in dict.fromkeys(row["method"] for row in rows):
        own = {row["k"]: row for row in rows if row["method"] == method}
        cells = [f"{own[k]['mean']:.3f} (delta = {own[k]['delta']:g}, s = {own[k]['s']})" for k in ks]
        body.append([method, *cells])
    return _table(["(UM + MPM) / 2", *(f"k = {k}" for k in ks)], body)


def _seconds(rows: Rows) -> str:
    total = sum(row["cpu"] for row in rows)
    cells = [[row["experiment"], f"{row['cpu']:.0f}"] for row in rows]
    return _table(["experiment", "CPU seconds"], [*cells, ["all", f"{total:.0f}"]])


def _ranges(rows: Rows) -> str:
    steps = [name for name in rows[0] if name.startswith("up to ")]
    printed = [
        [f"{k}", "**thesis**", "-", f"{share:.0%}", *["-"] * (len(steps) - 1)] for k, share in ZERO_RANGES.items()
    ]
    body = []
    for k, first in zip(ZERO_RANGES, printed, strict=True):
        body.append(first)
        for row in rows:
            if row["k"] == k:
                body.append([f"{k}", row["method"], f"{row['groups']:,}", *(f"{row[step]:.1%}" for step in steps)])
    return _table(["k", "", "groups", "no range", *(f"range {step}" for step in steps[1:])], body)


def _relative(rows: Rows, name: str) -> str:
    own = [row for row in rows if row["table"] == name]
    return _table(
        ["RQL", *(row["at"] for row in own)],
        [["thesis", *RELATIVE_LOSS[name]], ["here", *(f"{row['RQL']:.3g}" for row in own)]],
    )


def _sizes(rows: Rows) -> str:
    body = []
    for at in range(1, 6):
        own = {row["k"]: row["RQL"] for row in rows if row["iteration"] == at}
        body.append([f"{at}", *(f"{SIZES[k][at - 1]} / {own[k]:.3g}" for k in SIZES)])
    return _table(["iteration", *(f"k = {k}" for k in SIZES)], body)


def _errors(rows: Rows, names: tuple[str, ...]) -> str:
    """Mean, and the error that half and a tenth of the queries exceed."""
    head = ["k", ""]
    for name in names:
        of = f", type {name[-1]}" if " " in name else ""
        head += [f"mean RE{of}", f"median{of}", f"a tenth exceeds{of}"]
    body = []
    for row in rows:
        cells = [f"{row['k']}", row["method"]]
        for name in names:
            spread = row[f"{name} spread"]
            cells += [f"{each:.3g}" for each in (row[name], spread[10], spread[2])]
        body.append(cells)
    return _table(head, body)


def _centers(rows: Rows) -> str:
    names = [name for name in rows[0] if name not in ("center", "deviation", "seed")]
    thesis = ["**thesis**", "not printed", "-", *(f"{UNPROTECTED[int(name.rpartition(' ')[2])]:.0%}" for name in names)]
    body = [
        [f"{row['center']:g}", f"{row['deviation']:g}", f"{row['seed']}", *(f"{row[name]:.1%}" for name in names)]
        for row in rows
    ]
    return _table(["center", "standard deviation", "seed", *names], [thesis, *body])


def _policies(rows: Rows, figure: str, printed: dict[int, tuple[float, ...]], form: str) -> str:
    """The thesis' number / ours."""
    center = rows[0]["center"]
    own = {(row["k"], row["policy"]): row.get(figure) for row in rows if row["center"] == center}
    names = list(dict.fromkeys(row["policy"] for row in rows))
    body = []
    for k, numbers in printed.items():
        cells = [
            f"{form.format(number)} / {'-' if own[k, name] is None else form.format(own[k, name])}"
            for name, number in zip(names, numbers, strict=True)
        ]
        body.append([f"{k}", *cells])
    return _table(["k", *names], body)


def _by_policy(rows: Rows) -> str:
    """At k = 10 what varies with the center and with what the estimate counts."""
    columns = {
        "center": "center",
        "policy": "policy",
        "suppressed": "suppressed",
        "UM": "UM",
        "RE": "mean RE",
        "RE most": "largest RE",
        "RE ranges": "mean RE, ranges",
    }
    return down([row for row in rows if row["k"] == 10], columns)


def filled(page: str, found: dict[str, str]) -> str:
    """The page with these tables, each between `<!-- table NAME -->` and `<!-- end -->`."""
    parts = page.split("<!-- table ")
    told = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition(" -->")
        told.append(f"{name} -->\n\n{found[name]}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}")
    return "<!-- table ".join(told)


def written(results: dict[str, Rows]) -> None:
    """Put the tables into the pages."""
    found = tables(results)
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), found), encoding="utf-8")
