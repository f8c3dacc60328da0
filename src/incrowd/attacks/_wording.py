"""The results of attacks as text for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from incrowd.text import Cell, attributes, count, number, percent, printable, table

if TYPE_CHECKING:
    from incrowd.attacks._contract import Exposure
    from incrowd.attacks._running import AttackReport

_MOST_NAMES = 20
_LABELS = (
    ("people whom no record fits", "people who match no record"),
    ("people whom one record fits", "people who match exactly one record"),
    (
        "of these, nobody else of the outside table fits it",
        "of these, people whose record matches nobody else in the outside table",
    ),
    (r"people whom fewer than (\d+) fit", r"people who match fewer than \1 records"),
)
"""Patterns of keys among the details of an exposure, with their displayed labels."""


def parts(found: AttackReport, with_names: bool = True) -> list[str]:
    """Return all attacks in a table, then each attack that exposes a record or has a note.

    An attack that exposes nothing is listed with its note, since nothing may have been compared. People are named only
    `with_names`.
    """
    said = ["\n".join(_sentences(found)), _overview(found)]
    said += [
        "\n".join(_details(each, found, with_names))
        for each in found.exposures
        if each.records or each.at_most or each.note
    ]
    unknown = [f"  {each.attack}, {printable(each.column or '')}: {each.why}" for each in found.exposures if each.why]
    if unknown:
        said.append("\n".join(["Not assessed:", "", *unknown]))
    if found.untried:
        said.append("\n".join(["Not tried:", "", *(f"  {name}: {why}" for name, why in found.untried.items())]))
    return said


def worst_classes(found: AttackReport) -> str:
    """Return the published cells of the worst class of each attack."""
    rows: list[list[Cell]] = [
        [each.attack, each.worst.number, each.worst.size, *found.shown[each.worst.number]]
        for each in found.exposures
        if each.worst is not None
    ]
    return "Worst classes as published:\n\n" + table(["attack", "class", "records", *found.quasi], rows)


def _sentences(found: AttackReport) -> Iterator[str]:
    yield f"Release: {found.release}, {count(found.records, 'record')} in {count(found.classes, 'class')}."
    yield f"Quasi-identifiers: {attributes(found.quasi)}."
    if found.sensitive:
        yield f"Sensitive: {attributes(found.sensitive)}."
    if found.stopped:
        yield f"Partial result: {'time limit reached' if found.stopped == 'time' else 'interrupted'}."


def _overview(found: AttackReport) -> str:
    rows: list[list[Cell]] = [
        [each.attack, printable(each.column or ""), _exposed(each), each.classes, _worst(each)]
        for each in found.exposures
    ]
    return table(["attack", "column", "exposed", "classes", "worst class"], rows)


def _worst(exposure: Exposure) -> Cell:
    return "" if exposure.worst is None else f"{number(exposure.worst.number)}: {exposure.worst.told}"


def _exposed(exposure: Exposure) -> Cell:
    if exposure.at_most in (None, exposure.records) or exposure.records is None:
        return exposure.records
    return f"{number(exposure.records)} to {number(exposure.at_most)}"


def _details(exposure: Exposure, found: AttackReport, with_names: bool) -> Iterator[str]:
    about = f", {printable(exposure.column)}" if exposure.column else ""
    yield f"{exposure.attack}{about}"
    yield _line("attack", exposure.story)
    yield _line("knowledge", f"{exposure.knows}.")
    assert exposure.records is not None
    whole, who = (found.records, "records") if exposure.among is None else (exposure.among, "people looked for")
    may = "" if exposure.at_most in (None, exposure.records) else f" for certain, at most {number(exposure.at_most)}"
    share = percent(exposure.records / max(1, whole))
    yield _line("exposed", f"{number(exposure.records)} of {number(whole)} {who} ({share}){may}")
    yield from (_line("", f"{printable(_label(what))}: {number(of)}") for what, of in exposure.details.items())
    if exposure.people and with_names:
        shown = ", ".join(map(printable, exposure.people[:_MOST_NAMES]))
        more = len(exposure.people) - _MOST_NAMES
        yield _line("people", f"{shown}{f' and {more:,} more' if more > 0 else ''}")
    if exposure.records or exposure.at_most:
        yield _line("prevented by", exposure.stopped_by)
    if exposure.note:
        yield _line("note", f"{exposure.note}.")


def _label(what: str) -> str:
    """Return the displayed label of a number among the details, whose keys in JSON stay."""
    return next((match.expand(label) for key, label in _LABELS if (match := re.fullmatch(key, what))), what)


def _line(heading: str, text: str) -> str:
    """Return a text after its heading, in lines of a readable length."""
    begin = f"  {heading + ':' if heading else '':13} "
    # Do not split the text of a model: it is meant to be copied.
    return fill(
        text, 100, initial_indent=begin, subsequent_indent=" " * 16, break_long_words=False, break_on_hyphens=False
    )
