"""What attacks find, as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from incrowd.text import Cell, attributes, count, number, percent, printable, table

if TYPE_CHECKING:
    from incrowd.attacks._contract import Exposure
    from incrowd.attacks._running import AttackReport

_MOST_NAMES = 20


def report(found: AttackReport) -> str:
    """All attacks in a table, then each that exposes somebody or has a note: nobody found may be nobody tried."""
    parts = ["\n".join(_sentences(found)), _overview(found)]
    parts += ["\n".join(_told(each, found)) for each in found.exposures if each.records or each.at_most or each.note]
    unknown = [f"  {each.attack}, {printable(each.column or '')}: {each.why}" for each in found.exposures if each.why]
    if unknown:
        parts.append("\n".join(["Cannot be told:", "", *unknown]))
    if found.untried:
        parts.append("\n".join(["Not tried:", "", *(f"  {name}: {why}" for name, why in found.untried.items())]))
    return "\n\n".join(parts)


def worst_classes(found: AttackReport) -> str:
    """The published cells of the class that each attack hits hardest."""
    rows: list[list[Cell]] = [
        [each.attack, each.worst.number, each.worst.size, *found.shown[each.worst.number]]
        for each in found.exposures
        if each.worst is not None
    ]
    return "The worst classes as they are published:\n\n" + table(["attack", "class", "records", *found.quasi], rows)


def _sentences(found: AttackReport) -> Iterator[str]:
    yield f"Release: {found.release}, {count(found.records, 'record')} in {count(found.classes, 'class')}."
    yield f"Quasi-identifiers: {attributes(found.quasi)}."
    if found.sensitive:
        yield f"Sensitive: {attributes(found.sensitive)}."
    if found.stopped:
        yield f"This is not all: {'the time was up' if found.stopped == 'time' else 'you interrupted'}."


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


def _told(exposure: Exposure, found: AttackReport) -> Iterator[str]:
    about = f", {printable(exposure.column)}" if exposure.column else ""
    yield f"{exposure.attack}{about}"
    yield _line("story", exposure.story)
    yield _line("knows", f"{exposure.knows}.")
    assert exposure.records is not None
    whole, who = (found.records, "records") if exposure.among is None else (exposure.among, "people looked for")
    may = "" if exposure.at_most in (None, exposure.records) else f" for certain, {number(exposure.at_most)} at most"
    share = percent(exposure.records / max(1, whole))
    yield _line("exposed", f"{number(exposure.records)} of {number(whole)} {who} ({share}){may}")
    yield from (_line("", f"{printable(what)}: {number(of)}") for what, of in exposure.details.items())
    if exposure.people:
        shown = ", ".join(map(printable, exposure.people[:_MOST_NAMES]))
        more = len(exposure.people) - _MOST_NAMES
        yield _line("people", f"{shown}{f' and {more:,} more' if more > 0 else ''}")
    if exposure.records or exposure.at_most:
        yield _line("stopped by", exposure.stopped_by)
    if exposure.note:
        yield _line("note", f"{exposure.note}.")


def _line(heading: str, text: str) -> str:
    """A text behind its heading, in lines of a readable length."""
    begin = f"  {heading + ':' if heading else '':12} "
    # A word of a model must not be torn: it is meant to be copied.
    return fill(
        text, 100, initial_indent=begin, subsequent_indent=" " * 15, break_long_words=False, break_on_hyphens=False
    )
