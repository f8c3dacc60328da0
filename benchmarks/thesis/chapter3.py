"""Chapter 3: the ranges that Mondrian leaves (figures 3.3, 3.4), and how thresholds are chosen (3.8, 3.9)."""

import numpy as np
from data import SEED, Table, adult
from methods import measured
from rows import Rows, rounded, short

WHOLE = 1 << 30
"""As s: no subspaces."""
DELTAS = tuple(sorted((2 * at + 1) / 2 ** (i + 1) for i in (1, 2, 3) for at in range(2**i)))
"""What Algorithm 3 tries in three iterations."""
STEPS = (0, 1, 2, 3, 5, 8, 13)
"""Longest ranges of occupation of the bars of figures 3.3 and 3.4."""

COLUMNS = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country", "salary-class")
"""The quasi-identifiers of Mondrian's own experiments, as far as Adult's published columns go."""


def ranges() -> Rows:
    """Figures 3.3 and 3.4: the share of Mondrian's groups by the range of occupation that they have."""
    found: Rows = []
    of = "occupation"
    tables = (
        ("table 4.2", adult(sensitive=(of,))),
        ("eight columns", adult(quasi=COLUMNS, sensitive=(of,))),
        ("occupation as a ninth", adult(quasi=(*COLUMNS, of), sensitive=())),
    )
    for k in (2, 5):
        for name, table in tables:
            for cuts in ("strict", "relaxed"):
                formed = measured(table, k, {"mondrian": {"cuts": cuts}}).formed
                assert formed is not None
                axis = next(each for each in (*formed.axes, *formed.sensitive.values()) if each.name == of)
                wide = np.rint(formed.spread(axis) * 13)
                row = {f"up to {most}": short(float((wide <= most).mean())) for most in STEPS}
                found.append({"method": f"{name}, {cuts} cuts", "k": k, "groups": formed.groups.n, **row})
    return found


def _tried(table: Table, k: int, delta: float, s: int) -> dict[str, float]:
    made = measured(table, k, {"tradeoff": {"clusters": "seeded", "delta": delta, "s": s}})
    told = rounded(made.figures) if made.details["clusters"] else {}
    return {name: told[name] for name in ("UM", "MPM") if name in told}


def choosing_delta() -> Rows:
    """Figure 3.8: UM and MPM by delta, on a sample of 2.5 % of Adult and on all of it; k = 5, no subspaces."""
    table = adult()
    sample = table.sampled(table.frequencies.records // 40, SEED)
    return [
        {"method": name, "delta": delta, **_tried(of, 5, delta, WHOLE)}
        for delta in DELTAS
        for name, of in (("sample", sample), ("Adult", table))
    ]


def choosing_s() -> Rows:
    """Figure 3.9: UM and MPM by s, with the delta that figure 3.8 chose; k = 5."""
    table = adult()
    sample = table.sampled(table.frequencies.records // 40, SEED)
    tried = {delta: _tried(sample, 5, delta, WHOLE) for delta in DELTAS}
    delta = min((each for each in DELTAS if tried[each]), key=lambda each: sum(tried[each].values()))
    return [
        {"method": name, "delta": delta, "s": s, **_tried(of, 5, delta, s)}
        for s in (5 * 2**at for at in range(7))
        for name, of in (("sample", sample), ("Adult", table))
    ]


EXPERIMENTS = (ranges, choosing_delta, choosing_s)
