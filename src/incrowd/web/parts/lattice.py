"""Lattices as clickable pictures; the buttons and tables beside them say the same in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.tables import format_score

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MOST = 8
"""Largest number of columns to draw; they have 255 sets, which can still be distinguished."""
_WIDTH = 1100
_HEAD = 28
_LABELED = 5
"""Largest number of columns for which set names fit beside the spots."""
_BOXES = 9
"""Largest number of boxes in a row in which words fit."""
_PICKED = "(event) => { const at = event.target.closest('[data-at]'); if (at) emit(Number(at.dataset.at)); }"


def show(picture: str, mark: str, picked: Callable[[int], Awaitable[None]]) -> None:
    """Show a picture; call `picked` with the number of the clicked part."""

    async def clicked(event: Any) -> None:
        await picked(int(event.args))

    # Only for mouse users who see it; the buttons and tables beside it do the same.
    box = ui.html(picture, sanitize=False).classes("chart lattice").props("aria-hidden=true")
    layout.mark(box, mark).on("click", clicked, js_handler=_PICKED)


class _Spot(NamedTuple):
    """Position of a set."""

    x: float
    y: float


def draw_sets(names: Sequence[str], sets: Sequence[dict[str, Any]], chosen: Iterable[str], k: int) -> str:
    """Return a picture of all sets of some columns: one column per size, lines between neighbors."""
    found = {frozenset(each["quasi"]): (at, each["k"]) for at, each in enumerate(sets)}
    longest = max(len(list(combinations(names, size))) for size in range(1, len(names) + 1))
    step = 46 if len(names) <= _LABELED else max(10, min(24, 560 // longest))
    height = _HEAD + longest * step
    places = _places(names, step, height)
    current = frozenset(chosen)
    radius = min(8.0, step * 0.38)
    parts = [_size_headings(len(names)), _lines(places, "edges"), _lines(places, "edges near", current)]
    for members, spot in places.items():
        at, reached = found[members]
        kind = "safe" if reached >= k else "low" if reached > 1 else "unique"
        title = f"k = {reached:,}: {_join_names(names, members)}"
        here = " here" if members == current else ""
        parts.append(
            f'<g class="spot {kind}{here}" data-at="{at}"><title>{escape(title)}</title>{_shape(kind, spot, radius)}'
        )
        if len(names) <= _LABELED:
            parts.append(f'<text x="{spot.x + 13:.0f}" y="{spot.y + 4:.0f}">{escape(_shorten(title, 26))}</text>')
        parts.append("</g>")
    return _picture(parts, height)


def _places(names: Sequence[str], step: int, height: int) -> dict[frozenset[str], _Spot]:
    places = {}
    for size in range(1, len(names) + 1):
        row = list(combinations(names, size))
        top = _HEAD + (height - _HEAD - len(row) * step) / 2 + step / 2
        for at, members in enumerate(row):
            places[frozenset(members)] = _Spot(_x_of_size(size, len(names)), top + at * step)
    return places


def _x_of_size(size: int, columns: int) -> float:
    return (size - 0.5) * _WIDTH / columns - (70 if columns <= _LABELED else 0)


def _size_headings(columns: int) -> str:
    anchor = "start" if columns <= _LABELED else "middle"
    words = ["1 column", *(f"{size} columns" for size in range(2, columns + 1))]
    return "".join(
        f'<text class="head" x="{_x_of_size(at, columns):.0f}" y="14" text-anchor="{anchor}">{word}</text>'
        for at, word in enumerate(words, 1)
    )


def _lines(places: dict[frozenset[str], _Spot], kind: str, near: frozenset[str] | None = None) -> str:
    """Return a path of all lines, or of those that meet at one set."""
    lines = []
    for members, spot in places.items():
        for name in members if len(members) > 1 else ():
            less = members - {name}
            if near is None or near in (members, less):
                other = places[less]
                lines.append(f"M{other.x:.0f} {other.y:.1f}L{spot.x:.0f} {spot.y:.1f}")
    return f'<path class="{kind}" d="{"".join(lines)}"/>'


def _shape(kind: str, spot: _Spot, radius: float) -> str:
    """Return a circle for a safe set and a square for others, so color is not needed to tell them apart."""
    if kind == "safe":
        return f'<circle cx="{spot.x:.0f}" cy="{spot.y:.1f}" r="{radius:.1f}"/>'
    side = radius * 1.75
    return f'<rect x="{spot.x - side / 2:.1f}" y="{spot.y - side / 2:.1f}" width="{side:.1f}" height="{side:.1f}"/>'


def draw_nodes(nodes: Sequence[dict[str, Any]], metric: str, own: str) -> str:
    """Return a picture of a node, called `own`, among its neighbors, less detail above; empty if there are too many."""
    above = [at for at, node in enumerate(nodes) if node["step"] == "above"]
    below = [at for at, node in enumerate(nodes) if node["step"] == "below"]
    if max(len(above), len(below)) > _BOXES:
        return ""
    rows = [row for row in (above, [0], below) if row]
    middle = rows.index([0])
    boxes, lines = [], []
    for at_row, row in enumerate(rows):
        width = min(190.0, _WIDTH / len(row) - 12)
        for place, at in enumerate(row):
            x = (place + 0.5) * _WIDTH / len(row)
            boxes.append(_box(nodes, at, (metric, own), x - width / 2, 10 + at_row * 100, width))
            if at_row != middle:
                near, far = (
                    (10 + middle * 100, 64 + at_row * 100)
                    if at_row < middle
                    else (64 + middle * 100, 10 + at_row * 100)
                )
                lines.append(f"M{_WIDTH / 2:.0f} {near}L{x:.0f} {far}")
    return _picture([f'<path class="edges" d="{"".join(lines)}"/>', *boxes], len(rows) * 100 - 20)


def _box(nodes: Sequence[dict[str, Any]], at: int, words: tuple[str, str], x: float, y: float, width: float) -> str:
    node, room = nodes[at], int(width / 7.2)
    metric, own = words
    name = node["column"]
    first = own if name is None else f"{name} {nodes[0]['levels'][name]} → {node['levels'][name]}"
    second = (
        f"{node['suppressed']:,} suppressed"
        if node["score"] is None
        else f"{metric} {format_score(metric, node['score'])}"
    )
    kind = "here" if at == 0 else "safe" if node["feasible"] else "beyond"
    picked = f' data-at="{at}"' if at else ""
    middle, third = x + width / 2, escape(_shorten(second, room))
    return (
        f'<g class="box {kind}"{picked}><title>{escape(f"{first}: {second}")}</title>'
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="54" rx="6"/>'
        f'<text x="{middle:.0f}" y="{y + 22:.0f}" text-anchor="middle">{escape(_shorten(first, room))}</text>'
        f'<text class="score" x="{middle:.0f}" y="{y + 42:.0f}" text-anchor="middle">{third}</text></g>'
    )


def _picture(parts: Sequence[str], height: float) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'


def _join_names(names: Sequence[str], members: frozenset[str]) -> str:
    return ", ".join(name for name in names if name in members)


def _shorten(words: str, room: int) -> str:
    return words if len(words) <= room else f"{words[: max(1, room - 1)]}…"
