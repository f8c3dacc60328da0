"""Chapter 6: the utility and protection constrained method (UPC) beside methods that limit disclosure, and others."""

import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from data import DEVIATION, MIDDLE, SEED, WITH_AGES, Table, invented_census, synthetic, widened
from methods import Measured, measured, of_release, original_of, published
from queries import SIZE, Asked, asked, in_ranges, instead, of_census, of_synthetic, spread
from rows import Rows, rounded, short

import incrowd
from incrowd.anonymization.preparing import prepare
from incrowd.jobs import Job
from incrowd.searches import NothingFound
from incrowd.watch import Watch

INCOMES = "range_diversity:p=0.5,column=income,ranges=0..9/10..19/20..29/30..39/40..49,domain=0..49"
"""The level-2 ancestors of an income, as the thesis' note to figure 6.3 says; P = 0.5."""
POLICIES: dict[str, tuple[tuple[int, int], ...]] = {
    "P1": (),
    "P2": ((10, 15),),
    "P3": ((10, 15), (16, 17)),
    "P4": ((0, 9), (16, 19)),
    "P5": ((0, 9), (10, 15), (16, 19)),
}
"""Table 6.2; those of P5 are the level-2 ancestors of the lost figure 6.2, as far as table 6.2 shows it."""
UPC = {"guaranteed": {"utility": 0.7}}
KS = (2, 5, 10, 25, 50)


def limited(p: float, columns: int, policy: str = "P5") -> str:
    """A Range Diversity of at most p in each sensitive column of a synthetic table."""
    ranges = "/".join(f"{low}..{high}" for low, high in POLICIES[policy])
    within = f",ranges={ranges},domain=0..19" if ranges else ""
    return "&".join(f"range_diversity:p={p},column=s{at + 1}{within}" for at in range(columns))


# Section 6.2.


def guarantees() -> Rows:
    """Figures 6.4 to 6.11: a census, U = 0.7, P = 0.5; TOC suppresses what it cannot cluster, UPC what fits nowhere."""
    table, found = invented_census(), []
    for k in (2, 5):
        for delta in (0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7):
            search = {"tradeoff": {"delta": delta, "leftovers": "suppress"}}
            told = rounded(measured(table, k, search, judge=INCOMES).figures)
            found.append({"method": f"TOC, delta = {delta}", "k": k, **told})
        told = rounded(measured(table, k, UPC, INCOMES, INCOMES).figures)
        found.append({"method": "UPC", "k": k, **told})
    return found


# Section 6.3.


def constrained() -> Rows:
    """Figures 6.14 to 6.22: UPC, Incognito with two models and the personalized method on a census of
    20,000 records."""
    table = invented_census(20_000)
    found: Rows = []
    drawn: dict[int, Asked] = {}
    for k in (2, 10, 25, 50):
        for name, made in _constrained(table, k):
            row = {"method": name, "k": k, **rounded(made.figures)}
            if k in (2, 10):
                for kind in (1, 2):
                    if kind not in drawn:
                        drawn[kind] = asked(made.released, of_census(made.released, kind, SIZE, SEED))
                    errors = drawn[kind].errors(made.released)
                    row |= {f"RE {kind}": short(float(errors.mean())), f"RE {kind} spread": spread(errors)}
                row["RD spread"] = [short(each) for each in made.by_record()]
            found.append(row)
    return found


def _constrained(table: Table, k: int) -> Iterator[tuple[str, Measured]]:
    laid = {**table.hierarchies, **WITH_AGES}
    yield "UPC", measured(table, k, UPC, INCOMES, INCOMES)
    for name, model in (("(2,2)-diversity", "recursive_cl:c=2,l=2"), ("0.9-closeness", "t_closeness:t=0.9")):
        models = [f"k_anonymity:k={k}", f"{model},column=income"]
        yield (
            f"Incognito, {name}",
            published(table, {"models": models, "search": "incognito", "hierarchies": laid}, INCOMES),
        )
    yield "Personalized", _personalized(table, k)


def _guarded(table: Table, k: int) -> tuple[Job, pa.Table]:
    """Every record guards its own income, which may be found with a probability of at most 1/4."""
    rows = table.rows()
    rows = rows.append_column("guard", rows.column("income").cast(pa.string()))
    incomes = {"intervals": {"widths": [5, 10], "domain": [0, 50]}}
    models = [f"k_anonymity:k={k}", "personal_breach:p=0.25,column=income,guard=guard"]
    job = table.job(models, "personalized", {**table.hierarchies, "income": incomes}, drop=("guard",))
    return job, rows


def _personalized(table: Table, k: int) -> Measured:
    """Cells as published; what its classes disclose is judged by the incomes that they had."""
    job, rows = _guarded(table, k)
    begun = time.process_time()
    made = incrowd.anonymize(rows, job)
    cpu = time.process_time() - begun
    hierarchies = {**table.hierarchies, "income": {"intervals": {"widths": [5, 10], "domain": [0, 50]}}}
    released = original_of(table, hierarchies).released(
        "release", incrowd.read(made.frame).count(table.frequencies.names, Watch()), {}, None
    )
    with Watch() as watch:
        outcome = job.search.run(prepare(incrowd.read(rows), job, None, {}, watch).problem, watch)
    assert not isinstance(outcome, NothingFound)
    return of_release(released, INCOMES, outcome.groups, cpu)


# Section 6.4.


def benchmarks() -> Rows:
    """Figures 6.24 to 6.30: a synthetic table of 10,000, P = 0.7, U what K-Members needs in its worst group."""
    table, found = synthetic(10_000, 5, 2), []
    limit = limited(0.7, 2)
    laid = {name: {"intervals": {"cuts": [[5, 10, 16, 18], [10, 16]], "domain": [0, 20]}} for name in table.quasi}
    drawn: Asked | None = None
    for k in (2, 10, 25, 50):
        plain = measured(table, k, "k_members", judge=limit)
        closeness = [f"k_anonymity:k={k}", *(f"t_closeness:t=0.8,column=s{at}" for at in (1, 2))]
        job = {"models": closeness, "search": "incognito", "hierarchies": laid}
        made = {
            "K-Members": plain,
            # A limit of 1 holds always: it names the ranges.
            "K-Members-p": measured(table, k, {"k_members": {"objective": "range_diversity"}}, limited(1, 2), limit),
            "Incognito, 0.8-closeness": published(table, job, limit),
            "UPC": measured(table, k, {"guaranteed": {"utility": float(plain.spans.max())}}, limit, limit),
        }
        for name, each in made.items():
            row = {"method": name, "k": k, **rounded(each.figures)}
            if k in (2, 10):
                if drawn is None:
                    drawn = asked(each.released, of_synthetic(each.released, SIZE, SEED))
                if name != "K-Members-p":
                    errors = drawn.errors(each.released)
                    row |= {"RE": short(float(errors.mean())), "RE spread": spread(errors)}
                row["RD spread"] = [short(value) for value in each.by_record()]
            found.append(row)
    return found


def tightness() -> Rows:
    """What UPC suppresses where U is the WGU of K-Members, refined or as published, by the size s of subspaces."""
    table, found = synthetic(10_000, 5, 2), []
    limit = limited(0.7, 2)
    for k in (2, 10):
        for name, search in (("refined", "k_members"), ("as published", {"k_members": {"block": None, "refine": 0}})):
            most = float(measured(table, k, search).spans.max())
            for s in (None, k, 4 * k, 16 * k, 64 * k):
                made = measured(table, k, {"guaranteed": {"utility": most, "s": s}}, limit, limit)
                told = rounded({"U": most, **made.figures})
                row = {"k": k, "K-Members": name, "s": s or f"chosen: {made.details['s']}"}
                found.append({**row, **{each: told[each] for each in ("U", "UM", "suppressed") if each in told}})
    return found


def centers() -> Rows:
    """What K-Members-p leaves unprotected, by where the sensitive columns of a synthetic table of 8,000 records have
    their center."""
    found: Rows = []
    limit = limited(0.7, 2)
    for center, deviation, seed in (
        (MIDDLE, DEVIATION, SEED),
        (MIDDLE, DEVIATION, 1),
        (10.5, DEVIATION, SEED),
        (11.5, DEVIATION, SEED),
        (12.5, DEVIATION, SEED),
        (12.5, 2.25, SEED),
        (12.5, 2.25, 1),
        (12.5, 2.0, SEED),
        (13.5, DEVIATION, SEED),
    ):
        table = synthetic(8_000, 5, 2, seed=seed, secret=(center, deviation))
        row: dict[str, Any] = {"center": center, "deviation": deviation, "seed": seed}
        for objective in OBJECTIVES:
            for k in (2, 10):
                made = measured(table, k, {"k_members": {"objective": objective}}, limited(1, 2), limit)
                row[f"{objective}, k = {k}"] = rounded(made.figures)["unprotected"]
        found.append(row)
    return found


OBJECTIVES = ("protection", "range_diversity")
"""Of K-Members-p: that of chapter 4, and that of chapter 6."""


# Section 6.5.


def policies() -> Rows:
    """Tables 6.3 to 6.5: UPC with U = P = 0.5 under five policies, on the synthetic table with one sensitive column;
    queries for a value, and for its sensitive range in place of it."""
    found: Rows = []
    for center, deviation, ks in ((MIDDLE, DEVIATION, KS), (12.5, 2.25, (10,))):
        table = synthetic(20_000, 5, 1, secret=(center, deviation))
        for k in ks:
            for policy, ranges in POLICIES.items():
                limit = limited(0.5, 1, policy)
                made = measured(table, k, {"guaranteed": {"utility": 0.5}}, limit, limit)
                row = {"policy": policy, "k": k, "center": center, **rounded(made.figures)}
                if made.released.classes:
                    drawn = list(of_synthetic(made.released, SIZE, SEED))
                    once = asked(made.released, drawn)
                    errors = once.errors(made.released)
                    row |= {"RE": short(float(errors.mean())), "RE most": short(float(errors.max()))}
                    if k == 10:
                        wide = in_ranges(drawn, made.released, ranges)
                        row["RE ranges"] = short(float(instead(made.released, drawn, wide).mean()))
                found.append(row)
    return found


def same_subspaces() -> Rows:
    """Tables 6.3 and 6.5 again, policy P1: with subspaces of the same size whatever k is."""
    table, found = synthetic(20_000, 5, 1), []
    limit = limited(0.5, 1, "P1")
    for k in KS:
        for s in (None, max(k, 25)):
            made = measured(table, k, {"guaranteed": {"utility": 0.5, "s": s}}, limit, limit)
            errors = asked(made.released, of_synthetic(made.released, SIZE, SEED)).errors(made.released)
            row = {"k": k, "s": s or f"chosen: {made.details['s']}", "UM": short(made.figures["UM"])}
            found.append({**row, "RE": short(float(errors.mean()))})
    return found


def thresholds() -> Rows:
    """Figures 6.32 to 6.35: a synthetic table of 20,000 with one sensitive column, k = 25; P or U is varied."""
    table, found = synthetic(20_000, 5, 1), []

    def row(p: float, utility: float) -> dict[str, Any]:
        limit = limited(p, 1)
        told = measured(table, 25, {"guaranteed": {"utility": utility}}, limit, limit).figures
        return {"P": p, "U": utility, **rounded(told)}

    for p in (0.1, 0.3, 0.4, 0.5, 0.7, 1.0):
        found.append(row(p, 0.3))
    for utility in (0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        found.append(row(0.5, utility))
    return found


# Section 6.6.


def scaling() -> Rows:
    """Figure 6.36: seconds of CPU of the searches by the number of records, k = 5."""
    found: Rows = []
    for rows in (10_000, 50_000, 200_000):
        found += [{"rows": rows, **row} for row in _timed(invented_census(rows))]
    return found


def columns() -> Rows:
    """Figure 6.37: the same by the number of quasi-identifiers, 10,000 records."""
    found: Rows = []
    table = widened(invented_census(10_000))
    for number in range(2, 8):
        found += [{"columns": number, **row} for row in _timed(table.narrowed(number))]
    return found


def _timed(table: Table) -> Rows:
    laid = {**table.hierarchies, **WITH_AGES}
    k = "k_anonymity:k=5"
    jobs = {
        "UPC": (table.job([k, INCOMES], UPC), table.rows()),
        "Mondrian": (table.job([k], "mondrian"), table.rows()),
        "Incognito, (2,2)-diversity": (
            table.job([k, "recursive_cl:c=2,l=2,column=income"], "incognito", laid),
            table.rows(),
        ),
        "Incognito, 0.9-closeness": (
            table.job([k, "t_closeness:t=0.9,column=income"], "incognito", laid),
            table.rows(),
        ),
    }
    if table.frequencies.records <= 10_000:
        jobs["Personalized"] = _guarded(table, 5)
    found = []
    for name, (job, rows) in jobs.items():
        with Watch() as watch:
            problem = prepare(incrowd.read(rows), job, None, {}, watch).problem
            begun = time.process_time()
            job.search.run(problem, watch)
        found.append({"method": name, "cpu": short(time.process_time() - begun, 2)})
    return found


EXPERIMENTS = (
    guarantees,
    constrained,
    benchmarks,
    tightness,
    centers,
    policies,
    same_subspaces,
    thresholds,
    scaling,
    columns,
)
