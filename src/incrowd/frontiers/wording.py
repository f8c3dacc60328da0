"""A sweep as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log2
from typing import TYPE_CHECKING

from incrowd.core.schema import WILDCARDS
from incrowd.frontiers.options import Risk
from incrowd.frontiers.pareto import Point
from incrowd.jobs.families import METRICS
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import is_consistent, is_local, matches_anything
from incrowd.text import Cell, attributes, count, number, percent, printable, table

if TYPE_CHECKING:
    from incrowd.frontiers.result import Frontier, FrontierRun

_FRACTIONS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 10: "a tenth"}
_ON_THE_FRONT = "*"
_RECOMMENDED = ">"


def report(found: Frontier) -> str:
    """Everything that was found."""
    parts = [_summary(found), _releases(found), _legend(found), _without(found), _advice(found), *_notes(found)]
    return "\n\n".join(part for part in parts if part)


def named(run: FrontierRun, also: tuple[FrontierRun, ...] = ()) -> str:
    """A run in a sentence; what may be suppressed is told where other runs differ in it."""
    several = any(other.suppress != run.suppress for other in also)
    return f"k = {run.k:,} with {printable(run.search)}" + (f" and suppress {run.suppress}" if several else "")


def why(recommended: FrontierRun | None, steps: Mapping[Point, FrontierRun], has_knee: bool, risk: Risk) -> str:
    """Why a run is recommended, in plain words."""
    if recommended is None:
        return "No release was found: allow more suppression, ask for a lower k, or leave out quasi-identifiers."
    points, runs = list(steps), list(steps.values())
    at = runs.index(recommended)
    name = named(recommended, tuple(runs))
    if len(points) == 1:
        empty = " Of the quasi-identifiers nothing is left in it." if points[0].loss >= 1 else ""
        return f"{name}: one point is the whole front. None has less loss, and none a lower {risk} risk.{empty}"
    if has_knee:
        gain = _step(points[at - 1], points[at], named(runs[at - 1], tuple(runs)), risk)
        beyond = _points(_per_halving(points[at], points[at + 1]))
        return f"{name}: {gain}; beyond it each further halving of the {risk} risk costs {beyond}."
    few = "two releases are worth having, too few for a knee" if len(points) == 2 else "the front has no knee"
    return f"{name}: {few}. It keeps most detail for its risk: {_beside(points, runs, at, risk)}."


def _beside(points: list[Point], runs: list[FrontierRun], at: int, risk: Risk) -> str:
    """A release compared with its neighbour on the front."""
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
    """A ratio of risks: half, a third, or so many per cent of it."""
    for parts, word in _FRACTIONS.items():
        if abs(ratio * parts - 1) < 0.005:
            return word if parts == 2 else f"{word} of"
    return f"{percent(ratio)} of"


def _points(loss: float) -> str:
    """A difference of losses in percentage points."""
    return "less than 0.1 points" if loss < 0.0005 else f"{100 * loss:.1f} points"


def _per_halving(here: Point, there: Point) -> float:
    return (there.loss - here.loss) / log2(here.risk / there.risk)


def _summary(found: Frontier) -> str:
    feasible = sum(run.release is not None for run in found.runs)
    lines = [
        f"{printable(found.source)}: {count(found.records, 'record')}; {count(len(found.runs), 'run')}, "
        f"{count(feasible, 'release')} within the limits, {len(found.front)} worth having. Nothing is published."
    ]
    if found.not_run:
        lines.append(f"This is not all: interrupted before {count(len(found.not_run), 'further run')}.")
    return "\n".join(lines)


def _releases(found: Frontier) -> str:
    rows = [row for _, row in sorted(_rows(found), key=lambda pair: pair[0])]
    if not rows:
        return ""
    several = len({run.suppress for run in found.runs}) > 1
    headers = ["", "search", "k asked", "k reached", "classes", "may go", "suppressed", "loss", "highest risk"]
    headers += ["average risk", "guarantee"]
    keep = [at for at in range(len(headers)) if several or headers[at] != "may go"]
    return table([headers[at] for at in keep], [[row[at] for at in keep] for row in rows])


def _rows(found: Frontier) -> Iterator[tuple[tuple[float, float, int], list[Cell]]]:
    """The releases, each with what it is sorted by: the highest risk first, and of equal risks the least loss."""
    for run in found.runs:
        release = run.release
        if release is None:
            continue
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
        f"{_ON_THE_FRONT} worth having: releases with less loss have a higher {found.risk} risk, and those with a "
        f"lower {found.risk} risk have more loss.\n{_RECOMMENDED} recommended."
    )


def _without(found: Frontier) -> str:
    asked: dict[tuple[str, str], dict[str, None]] = {}
    for run in found.runs:
        if run.reason is not None:
            asked.setdefault((run.search, run.reason), {})[number(run.k)] = None
    rows = [(search, "; ".join(k), reason) for (search, reason), k in asked.items()]
    return f"Without a release:\n\n{table(('search', 'k asked', 'why'), rows)}" if rows else ""


def _advice(found: Frontier) -> str:
    if found.recommended is None:
        return found.why
    told = f"Recommended: {found.why}"
    if found.command is not None:
        return f"{told}\n\nTo publish it:\n\n  {printable(found.command)}"
    return f"{told}\n\nTo publish it in Python: incrowd.anonymize(source, frontier.recommended.job)"


def _notes(found: Frontier) -> Iterator[str]:
    left_out = {(run.search, run.left_out): None for run in found.runs if run.left_out}
    for search, keys in left_out:
        yield f"Note: left out for {printable(search)}, which does not know it: {attributes(keys)}."
    jobs = [run.job for run in found.runs]
    if found.front and not all(isinstance(model, KAnonymity | ConsistentK) for model in jobs[0].models):
        yield "The other models of the job hold in every release as well."
    other = next((job for job in jobs if not is_local(job.search) and METRICS.is_other(job.metric, "loss")), None)
    if other is not None:
        metric = METRICS.spell(other.metric)
        yield f"Note: full-domain searches keep {metric} low, as the job says; releases are compared by loss."
    if any(job.nulls in WILDCARDS for job in jobs):
        yield "Note: missing cells match everything; k reached is the fewest records that match one."
    if any(is_consistent(job.search) for job in jobs):
        yield "Note: with consistent, k reached and risk count records that fit a person, which need not be alike."
    if any(matches_anything(job.search) for job in jobs):
        yield "Note: with wiped=anything wiped cells match everything; k reached is the fewest records that match one."
    slow = max(found.runs, key=lambda run: run.seconds, default=None)
    if slow is not None:
        took = f"{count(len(found.runs), 'run')} took {sum(run.seconds for run in found.runs):.1f} seconds"
        yield f"{took}, the longest {slow.seconds:.1f} ({named(slow)})."
