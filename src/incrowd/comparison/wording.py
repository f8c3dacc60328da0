"""A comparison as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from incrowd.release_metrics.contract import Goal, Side
from incrowd.text import Cell, attributes, count, table

if TYPE_CHECKING:
    from incrowd.comparison.compare import Comparison
    from incrowd.release_metrics.contract import ReleaseMetric

_HEADINGS = {Side.UTILITY: "Utility", Side.PROTECTION: "Protection"}
BETTER = {Goal.LOW: "lower", Goal.HIGH: "higher"}


def parts(found: Comparison) -> list[str]:
    """Return what is said of a comparison, with the best of several releases by each metric."""
    said = ["\n".join(_sentences(found)), _releases(found)]
    for side, heading in _HEADINGS.items():
        rows = list(_rows(found, side))
        if rows:
            headers = ["metric", "better", *short_names(found), *(["best"] if len(found.releases) > 1 else [])]
            said += [f"{heading}:", table(headers, rows)]
    meanings = [f"  {name}: {each.meaning}" for name, each in measured_by(found).items()]
    said.append("\n".join(["Metrics:", "", *meanings]))
    silent = list(_silent(found))
    if silent:
        said.append("\n".join(["Not measured:", "", *silent]))
    return [*said, *(f"Note: {note}." for note in found.notes)]


def tables(found: Comparison) -> list[str]:
    """Return the table of two columns of each release."""
    said = []
    for name, release in zip(short_names(found), found.releases, strict=True):
        if release.table is not None:
            pair = attributes([release.table.first, release.table.second])
            expected = "records before -> in the release, spread evenly over what each cell covers"
            said += [f"{pair}, {name}: {expected}:", release.table.text()]
    return said


def short_names(found: Comparison) -> list[str]:
    """Return a letter for each release, or two if there are many; `release` if there is only one."""
    if len(found.releases) == 1:
        return ["release"]
    letters = [*ascii_uppercase, *(a + b for a in ascii_uppercase for b in ascii_uppercase)]
    return letters[: len(found.releases)]


def _sentences(found: Comparison) -> Iterator[str]:
    yield f"Original: {found.original}, {count(found.records, 'record')}."
    yield f"Quasi-identifiers: {attributes(found.quasi)}."
    if found.sensitive:
        yield f"Sensitive: {attributes(found.sensitive)}."
    if found.label is not None:
        yield f"Label: {attributes([found.label])}."
    if found.stopped:
        why = "time limit reached" if found.stopped == "time" else "interrupted"
        yield f"Partial result: {why}."


def _releases(found: Comparison) -> str:
    rows: list[list[Cell]] = [[each.name, each.records, each.classes] for each in found.releases]
    if len(rows) == 1:
        return table(["release", "records", "classes"], rows)
    lettered = [[short, *row] for short, row in zip(short_names(found), rows, strict=True)]
    return table(["", "release", "records", "classes"], lettered)


def measured_by(found: Comparison) -> dict[str, ReleaseMetric]:
    """Return the metrics that have a value for at least one release."""
    return {
        name: each
        for name, each in found.yardsticks.items()
        if any(release.readings[name].value is not None for release in found.releases)
    }


def _rows(found: Comparison, side: Side) -> Iterator[list[Cell]]:
    for name in measured_by(found):
        yardstick = found.yardsticks[name]
        if yardstick.side == side:
            values = [release.readings[name].value for release in found.releases]
            best = [", ".join(_best(values, yardstick.goal, short_names(found)))] if len(values) > 1 else []
            yield [name, BETTER[yardstick.goal], *map(shown, values), *best]


def shown(value: float | None) -> Cell:
    """Return a number, rounded if it is whole or at least 1,000."""
    return value if value is None or (value < 1000 and not float(value).is_integer()) else round(value)


def _best(values: list[float | None], goal: Goal, names: list[str]) -> list[str]:
    """Return the best names; [] if all tie at 4 significant digits."""
    known = [value for value in values if value is not None]
    if len(set(map("{:.4g}".format, known))) < 2:
        return []
    best = min(known) if goal == Goal.LOW else max(known)
    rows = zip(names, values, strict=True)
    return [name for name, value in rows if value is not None and f"{value:.4g}" == f"{best:.4g}"]


def _silent(found: Comparison) -> Iterator[str]:
    """Yield why a metric has no value for some releases."""
    for name in found.yardsticks:
        whys = {release.readings[name].why for release in found.releases if release.readings[name].value is None}
        yield from (f"  {name}: {why}" for why in sorted(whys))


def details(found: Comparison) -> str:
    """Return the parts of each number, release by release."""
    parts = []
    for name in measured_by(found):
        readings = [release.readings[name] for release in found.releases]
        flat = [_flat(reading.parts) for reading in readings]
        names = dict.fromkeys(part for each in flat for part in each)
        rows: list[list[Cell]] = [[part, *(shown(each.get(part)) for each in flat)] for part in names]
        if rows:
            parts.append(table([name, *short_names(found)], rows))
    return "\n\n".join(parts)


def _flat(parts: Mapping[str, Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in parts.items():
        found |= (
            {f"{name}, {inner}": of for inner, of in value.items()} if isinstance(value, Mapping) else {name: value}
        )
    return found
