"""The text of a report on several releases, and the risk-utility map."""

from collections.abc import Iterator
from functools import partial

from incrowd import charts
from incrowd.comparison.wording import shown
from incrowd.reports.blocks import Block, Cell, Grid, Picture, Points, Section, Share, Words
from incrowd.reports.comparison_facts import ComparisonFacts, FrontierFacts, ReadingFacts, RunFacts
from incrowd.risk_map import RiskMap, Spot
from incrowd.text import attributes, count, number, percent

_SIDES = {"utility": "Utility", "protection": "Protection"}
_RISK = {
    "highest": "highest re-identification risk (lower is safer)",
    "average": "average re-identification risk (lower is safer)",
}


def comparison_sections(facts: ComparisonFacts) -> tuple[Section, ...]:
    """Return the sections of a report on releases that were compared."""
    found = [
        Section("Summary", tuple(_short(facts))),
        Section("Settings", tuple(_settings(facts))),
        Section("Risk and utility", tuple(_map(facts))),
        *(Section(title, tuple(_readings(facts, side))) for side, title in _SIDES.items()),
    ]
    return tuple(section for section in found if section.blocks)


def _short(facts: ComparisonFacts) -> Iterator[Block]:
    lines = [
        f"{_name(facts, at)}: {count(each.records, 'record')} in {count(each.classes, 'class')}; smallest class: "
        f"{number(each.smallest)}."
        for at, each in enumerate(facts.releases)
    ]
    if len(facts.releases) > 1:
        best = {each.name: _best(facts, each).split(", ") for each in facts.readings}
        for release in facts.releases:
            by = [name for name, letters in best.items() if release.letter in letters]
            lines += [f"{release.letter} is best, or tied for best, by {attributes(by)}."] if by else []
        if all(letters == [""] for letters in best.values()):
            lines.append("The releases tie by every metric.")
    yield Points(tuple(lines))
    if facts.stopped:
        why = "time limit reached" if facts.stopped == "time" else "interrupted"
        yield Words(f"Partial result: {why}.", warns=True)


def _name(facts: ComparisonFacts, at: int) -> str:
    release = facts.releases[at]
    return f"{release.letter}, {release.name}" if release.letter else release.name


def _best(facts: ComparisonFacts, reading: ReadingFacts) -> str:
    """Return the letters of the best releases; an empty text if all tie."""
    known = [value for value in reading.values if value is not None]
    if len({f"{value:.4g}" for value in known}) < 2:
        return ""
    best = min(known) if reading.better == "lower" else max(known)
    pairs = zip(facts.releases, reading.values, strict=True)
    return ", ".join(each.letter for each, value in pairs if value is not None and f"{value:.4g}" == f"{best:.4g}")


def _settings(facts: ComparisonFacts) -> Iterator[Block]:
    lines = [f"The original table has {count(facts.records, 'record')}."]
    lines = [f"The original table {facts.original} has {count(facts.records, 'record')}."] if facts.original else lines
    lines.append(f"Quasi-identifiers: {attributes(facts.quasi)}.")
    lines += [f"Sensitive: {attributes(facts.sensitive)}."] if facts.sensitive else []
    lines += [f"Label to predict: {attributes([facts.label])}."] if facts.label is not None else []
    yield Points(tuple(lines))
    rows = tuple((each.letter or None, each.name, each.records, each.classes, each.smallest) for each in facts.releases)
    yield Grid("Releases", ("letter", "release", "records", "classes", "smallest class"), rows).without_empty()
    yield from (Words(f"{note}.") for note in facts.notes)


def _map(facts: ComparisonFacts) -> Iterator[Block]:
    if len(facts.releases) < 2 or facts.across is None or facts.up is None:
        return
    spots = tuple(
        Spot(across, up, each.letter, each.name)
        for each, (across, up) in zip(facts.releases, facts.points, strict=True)
    )
    legend = tuple((f"{spot.letter}  {_end(spot.name)}", (at,)) for at, spot in enumerate(spots))
    rows = tuple((spot.letter, spot.name, spot.across, spot.up) for spot in spots)
    grid = Grid("Risk-utility map", ("letter", "release", facts.across, facts.up), rows)
    yield Words(
        "Each release is a point. Further left is better if the metric is one where lower is better; further down is "
        "safer."
    )
    yield Picture(partial(charts.risk_map, RiskMap(facts.across, facts.up, spots, legend)), grid)


def _end(name: str) -> str:
    return name if len(name) <= 28 else f"...{name[-25:]}"


def _readings(facts: ComparisonFacts, side: str) -> Iterator[Block]:
    of_side = [each for each in facts.readings if each.side == side]
    known = [each for each in of_side if any(value is not None for value in each.values)]
    several = len(facts.releases) > 1
    if known:
        rows: list[tuple[Cell, ...]] = [
            (
                each.name,
                each.better,
                *(_value(value) for value in each.values),
                *((_best(facts, each) or "tie",) if several else ()),
                each.meaning,
            )
            for each in known
        ]
        letters = tuple(each.letter or "release" for each in facts.releases)
        headers = ("metric", "better", *letters, *(("best",) if several else ()), "meaning")
        yield Grid(f"{_SIDES[side]} metrics", headers, tuple(rows))
    silent = [f"{each.name}: {why}." for each in of_side for why in each.why]
    if silent:
        yield Words("Not measured:")
        yield Points(tuple(silent))


def _value(value: float | None) -> Cell:
    cell = shown(value)
    return cell if not isinstance(cell, str) else None


def frontier_sections(facts: FrontierFacts) -> tuple[Section, ...]:
    """Return the sections of a report on a risk-utility frontier."""
    return (
        Section("Summary", tuple(_frontier_short(facts))),
        Section("Risk and utility", tuple(_frontier_map(facts))),
        Section("All runs", tuple(_frontier_runs(facts))),
    )


def _frontier_short(facts: FrontierFacts) -> Iterator[Block]:
    found = [run for run in facts.runs if run.loss is not None]
    lines = [f"{count(len(facts.runs), 'run')} on {count(facts.records, 'record')}; {len(found)} found a release."]
    best = next((run for run in found if run.is_recommended), None)
    if best is not None:
        lines.append(
            f"Recommended: {best.search} with k = {number(best.k)}. Information loss: {percent(best.loss or 0)}. "
            f"Smallest class: {count(best.smallest or 0, 'record')}."
        )
    yield Points(tuple(lines))


def _frontier_map(facts: FrontierFacts) -> Iterator[Block]:
    runs = [run for run in facts.runs if run.loss is not None]
    if not runs:
        yield Words("No run found a release.")
        return
    several = len({run.suppress for run in runs}) > 1
    legend: dict[str, list[int]] = {}
    for at, run in enumerate(runs):
        legend.setdefault(_alike(run, several), []).append(at)
    front = sorted((at for at, run in enumerate(runs) if run.is_worth_having), key=lambda at: runs[at].loss or 0.0)
    drawn = RiskMap(
        "information loss  (lower is better)",
        _RISK[facts.risk],
        tuple(Spot(run.loss, run.risk, str(run.k), f"{_alike(run, several)}, k = {run.k}") for run in runs),
        tuple((alike, tuple(members)) for alike, members in legend.items()),
        tuple(front),
        next((at for at, run in enumerate(runs) if run.is_recommended), None),
        "labels: k",
    )
    rows = tuple((run.search, run.k, run.loss, run.risk) for run in runs)
    yield Picture(partial(charts.risk_map, drawn), Grid("Risk-utility map", ("search", "k", "loss", "risk"), rows))


def _alike(run: RunFacts, several: bool) -> str:
    allowed = run.suppress if isinstance(run.suppress, str) else f"{run.suppress:g}"
    return run.search + (f", suppress {allowed}" if several else "")


def _frontier_runs(facts: FrontierFacts) -> Iterator[Block]:
    rows = tuple(
        (
            run.search,
            run.k,
            run.suppress,
            run.smallest,
            run.suppressed,
            None if run.loss is None else Share(run.loss),
            None if run.risk is None else Share(run.risk),
            "recommended" if run.is_recommended else "Pareto-optimal" if run.is_worth_having else run.reason or "",
        )
        for run in facts.runs
    )
    headers = ("search", "k", "suppression limit", "smallest class", "suppressed", "loss", "risk", "result")
    yield Grid("All runs", headers, rows)
