"""A grid of generalization and suppression as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from incrowd.core.grid import Allowed, Generalize, Suppress
from incrowd.text import Cell, attributes, count, number, percent, printable, table

if TYPE_CHECKING:
    from incrowd.frontiers.grid import Grid

_HEADERS = (
    "",
    "point",
    "generalized",
    "suppressed",
    "records kept",
    "cells kept",
    "cells suppressed",
    "loss",
    "search",
)
_LEAST = ">"


def parts(found: Grid) -> list[str]:
    """Return what is said of a grid, part by part."""
    said = [_summary(found), _releases(found), _legend(found), *_without(found), *_notes(found), *_commands(found)]
    return [part for part in said if part]


def _summary(found: Grid) -> str:
    feasible = sum(each.release is not None for each in found.points)
    lines = [
        f"{printable(found.source)}: {count(found.records, 'record')}, {count(found.columns, 'quasi-identifier')}; "
        f"{count(len(found.points), 'point')} of the grid, {count(feasible, 'release')}. Nothing is published."
    ]
    if found.stopped is not None:
        lines.append("Partial result: interrupted.")
    return "\n".join(lines)


def _releases(found: Grid) -> str:
    rows = list(_rows(found))
    return table((*_HEADERS, "guarantee"), rows) if rows else ""


def _rows(found: Grid) -> Iterator[list[Cell]]:
    for each in found.points:
        release, run = each.release, each.run
        if release is None or run is None:
            continue
        promise = release.guarantee if release.stopped is None else f"stopped ({release.stopped})"
        yield [
            _LEAST if each is found.least_loss else "",
            str(each.point),
            "-" if each.point.generalize == Generalize.NONE else f"{each.point.generalize}s",
            "-" if each.point.suppress == Suppress.NONE else f"{each.point.suppress}s",
            f"{number(release.records)} ({percent(release.records / max(1, found.records))})",
            percent(release.cells_kept),
            percent(release.cells_wiped),
            percent(release.loss),
            run.search,
            promise,
        ]


def _legend(found: Grid) -> str:
    if found.least_loss is None:
        return ""
    cells = number(found.records * found.columns)
    return (
        f"Cells are the {cells} quasi-identifier cells of all records: kept unchanged, suppressed (in a suppressed "
        "record, or\ngeneralized to the top of the hierarchy), or otherwise generalized.\n"
        f"{_LEAST} least loss."
    )


def _without(found: Grid) -> list[str]:
    rows = [(str(each.point), each.point.words, each.reason or "") for each in found.points if each.reason]
    return ["No release:", table(("point", "", "reason"), rows)] if rows else []


def _commands(found: Grid) -> list[str]:
    if found.least_loss is None:
        return ["No release was found: relax the models, or drop quasi-identifiers."]
    if not found.has_command:
        return ["To publish one in Python: incrowd.anonymize(source, grid['AG_TS'].run.job)"]
    command = found.command(found.least_loss)
    if command is None:
        return []
    # The commands are long and differ in a few words: one is enough here.
    return [f"To publish {found.least_loss.point} (--json has the commands of all):", f"  {printable(command)}"]


def _notes(found: Grid) -> Iterator[str]:
    runs = [each.run for each in found.points if each.run is not None]
    for each in found.points:
        if each.run is not None and each.point.suppress == Suppress.ROW:
            yield f"Suppression limit: {_limit(each.run.suppress, each.run.job.counts_lost_people)}."
            break
    for search, keys in dict.fromkeys((run.search, run.left_out) for run in runs if run.left_out):
        yield f"Note: {printable(search)} does not support {attributes(keys)}; ignored in its runs."
    yield f"{count(len(runs), 'run')} took {sum(run.seconds for run in runs):.1f} seconds."


def _limit(suppress: Allowed, of_people: bool) -> str:
    words = "people who lose a record" if of_people else "records"
    match suppress:
        case Suppress():
            return "none, since the job sets none"
        case int():
            return f"{f'{number(suppress)} {words}' if of_people else count(suppress, 'record')}, as in the job"
        case _:
            return f"{percent(float(suppress))} of the {words}, as in the job"
