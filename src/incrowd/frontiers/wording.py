"""A frontier as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING

from incrowd.anonymization.unsatisfiable import NEVER
from incrowd.core.schema import WILDCARDS
from incrowd.frontiers.options import Risk
from incrowd.frontiers.pareto import Point
from incrowd.jobs.families import METRICS
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import CellsSearch, LocalSearch
from incrowd.text import Cell, attributes, count, number, percent, printable, table

if TYPE_CHECKING:
    from incrowd.frontiers.result import Frontier, FrontierRun

_FRACTIONS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 10: "a tenth"}
_ON_THE_FRONT = "*"
_RECOMMENDED = ">"


def parts(found: Frontier) -> list[str]:
    """Return what is said of a frontier, part by part."""
    listed = [_summary(found), _releases(found), _equal(found), _legend(found), *_without(found)]
    return [part for part in [*listed, *_advice(found), *_notes(found)] if part]


def named(run: FrontierRun, also: tuple[FrontierRun, ...] = ()) -> str:
    """Return the name of a run, with its suppression limit if other runs have another one."""
    several = any(other.suppress != run.suppress for other in also)
    return f"k = {run.k:,} with {printable(run.search)}" + (f" and suppress {run.suppress}" if several else "")


def why_none(runs: Sequence[FrontierRun], records: int) -> str:
    """Return why nothing is recommended, and what would help."""
    if not records:
        return "No release was found: the table has no records."
    if runs and all(run.reason is not None and run.reason.startswith("timed out") for run in runs):
        return "No release was found in time: raise the time limit, or choose other searches."
    never = next((run.reason for run in runs if run.reason is not None and run.reason.startswith(NEVER)), None)
    if never is not None:
        return f"No release was found: {never}."
    return "No release was found: allow more suppression, lower k, or drop quasi-identifiers."


def why(recommended: FrontierRun, steps: Mapping[Point, FrontierRun], has_knee: bool, risk: Risk) -> str:
    """Return why a run is recommended."""
    points, runs = list(steps), list(steps.values())
    at = runs.index(recommended)
    name = named(recommended, tuple(runs))
    if len(points) == 1:
        empty = " Its quasi-identifiers carry no information." if points[0].loss >= 1 else ""
        return f"{name}: the only Pareto-optimal release. None has less loss or a lower {risk} risk.{empty}"
    if has_knee:
        gain = _step(points[at - 1], points[at], named(runs[at - 1], tuple(runs)), risk)
        beyond = _points(_per_halving(points[at], points[at + 1]))
        return f"{name}: {gain}; beyond it each further halving of the {risk} risk costs {beyond}."
    few = "two Pareto-optimal releases are too few for a knee" if len(points) == 2 else "the front has no knee"
    return f"{name}: {few}. It loses least for its risk: {_against_neighbor(points, runs, at, risk)}."


def _against_neighbor(points: list[Point], runs: list[FrontierRun], at: int, risk: Risk) -> str:
    """Return a comparison of a release with its neighbor on the front."""
    if at:
        return _step(points[at - 1], points[at], named(runs[at - 1], tuple(runs)), risk)
    more = _points(points[1].loss - points[0].loss)
    return (
        f"{named(runs[1], tuple(runs))} would have {_share(points[1].risk / points[0].risk)} the {risk} risk, "
        f"for {more} more loss"
    )


def _step(before: Point, here: Point, name: str, risk: Risk) -> str:
    return (
        f"{_share(here.risk / before.risk)} the {risk} risk of {name} for {_points(here.loss - before.loss)} more loss"
    )


def _share(ratio: float) -> str:
    """Return a ratio of risks: half, a third, or a percentage."""
    for parts, word in _FRACTIONS.items():
        if abs(ratio * parts - 1) < 0.005:
            return word if parts == 2 else f"{word} of"
    return f"{percent(ratio)} of"


def _points(loss: float) -> str:
    """Return a difference of losses in percentage points."""
    return "less than 0.1 points" if loss < 0.0005 else f"{100 * loss:.1f} points"


def _per_halving(here: Point, there: Point) -> float:
    return (there.loss - here.loss) / log2(here.risk / there.risk)


def _summary(found: Frontier) -> str:
    feasible = sum(run.release is not None for run in found.runs)
    lines = [
        f"{printable(found.source)}: {count(found.records, 'record')}; {count(len(found.runs), 'run')}, "
        f"{count(feasible, 'release')} within the limits, {len(found.front)} Pareto-optimal. Nothing is published."
    ]
    if any(run.job.person for run in found.runs):
        lines.append("k and risk count people, suppressed counts records.")
    if found.not_run:
        lines.append(f"Partial result: interrupted before {count(len(found.not_run), 'further run')}.")
    return "\n".join(lines)


def _releases(found: Frontier) -> str:
    rows = [row for _, row in sorted(_rows(found), key=lambda pair: pair[0])]
    if not rows:
        return ""
    several = len({run.suppress for run in found.runs}) > 1
    headers = ["", "search", "k", "k reached", "classes", "limit", "suppressed", "loss", "highest risk"]
    headers += ["average risk", "guarantee"]
    keep = [at for at in range(len(headers)) if several or headers[at] != "limit"]
    return table([headers[at] for at in keep], [[row[at] for at in keep] for row in rows])


def _rows(found: Frontier) -> Iterator[tuple[tuple[float, float, int], list[Cell]]]:
    """Yield the releases, each with its sort key: the highest risk first, and of equal risks the least loss."""
    for run in found.distinct:
        release = run.release
        assert release is not None
        point = release.point(found.risk)
        mark = _RECOMMENDED if run is found.recommended else _ON_THE_FRONT if run in found.front else ""
        average = "-" if release.average_risk is None else percent(release.average_risk)
        promise = release.guarantee if release.stopped is None else f"stopped ({release.stopped})"
        row: list[Cell] = [mark, run.search, run.k, release.smallest, release.classes, str(run.suppress)]
        row += [release.suppressed, percent(release.loss), percent(release.highest_risk), average, promise]
        yield (-point.risk, point.loss, run.k), row


def _legend(found: Frontier) -> str:
    if not found.front:
        return ""
    return (
        f"{_ON_THE_FRONT} Pareto-optimal: releases with less loss have a higher {found.risk} risk, and those with a "
        f"lower {found.risk} risk have more loss.\n{_RECOMMENDED} recommended."
    )


def _equal(found: Frontier) -> str:
    """Return which releases are not listed, because others have the same loss and the same risks."""
    lines = []
    for run in found.distinct:
        others = found.equal_to(run)
        if others:
            lines.append(f"  {named(run, found.runs)} = {'; '.join(named(other, found.runs) for other in others)}")
    return "\n".join(["Releases of equal loss and risks are listed once:", *lines]) if lines else ""


def _without(found: Frontier) -> list[str]:
    tried: dict[tuple[str, str], dict[str, None]] = {}
    for run in found.runs:
        if run.reason is not None:
            tried.setdefault((run.search, run.reason), {})[number(run.k)] = None
    rows = [(search, "; ".join(k), reason) for (search, reason), k in tried.items()]
    return ["No release:", table(("search", "k", "reason"), rows)] if rows else []


def _advice(found: Frontier) -> list[str]:
    if found.recommended is None:
        return [found.why]
    advice = f"Recommended: {found.why}"
    if found.command is not None:
        return [advice, "To publish it:", f"  {printable(found.command)}"]
    return [advice, "To publish it in Python: incrowd.anonymize(source, frontier.recommended.job)"]


def _notes(found: Frontier) -> Iterator[str]:
    left_out = {(run.search, run.left_out): None for run in found.runs if run.left_out}
    for search, keys in left_out:
        yield f"Note: {printable(search)} does not support {attributes(keys)}; ignored in its runs."
    jobs = [run.job for run in found.runs]
    if found.front and not all(isinstance(model, KAnonymity | ConsistentK) for model in jobs[0].models):
        yield "Every release also satisfies the other models of the job."
    other = next(
        (job for job in jobs if not isinstance(job.search, LocalSearch) and METRICS.is_other(job.metric, "loss")), None
    )
    if other is not None:
        metric = METRICS.spell(other.metric)
        yield f"Note: full-domain searches minimize {metric}, as the job says; releases are compared by loss."
    if any(job.nulls in WILDCARDS for job in jobs):
        yield "Note: missing values match everything; k reached is the smallest number of records that match one."
    if any(isinstance(job.search, CellsSearch) and job.search.consistent for job in jobs):
        yield (
            "Note: with consistent, k reached and risk count the records that are consistent with a person; these "
            "need not be equal."
        )
    if any(isinstance(job.search, CellsSearch) and job.search.matches_anything for job in jobs):
        yield (
            "Note: with wiped=anything, suppressed cells match everything; k reached is the smallest number of records "
            "that match one."
        )
    slow = max(found.runs, key=lambda run: run.seconds, default=None)
    if slow is not None:
        took = f"{count(len(found.runs), 'run')} took {sum(run.seconds for run in found.runs):.1f} seconds"
        yield f"{took}, the longest {slow.seconds:.1f} ({named(slow)})."
