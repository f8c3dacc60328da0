"""The risk-utility map: each release a point, what it is worth to the right or left, how risky it is up or down."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from incrowd.errors import UsageError
from incrowd.measuring.wording import short_names
from incrowd.metrics._yardstick import Goal
from incrowd.reporting.text import printable

if TYPE_CHECKING:
    from incrowd.measuring.comparing import Comparison

RISK = "risk"
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, told apart by those who do not see all colours; points differ in shape as well."""
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_AROUND = ((9, 7), (9, -13), (-16, 7), (-16, -13), (-3, 13), (-3, -20), (18, -3), (-26, -3))
"""Where a letter may stand beside its point, in points of print; the first place that is free is taken."""
_FORMS = (".svg", ".png", ".html")


class Axis(NamedTuple):
    """One side of the map."""

    title: str
    values: tuple[float | None, ...]


def draw(found: Comparison, path: Path, x: str, y: str) -> None:
    """Write the map into a file, whole or not at all."""
    from incrowd.formats._atomic import whole_file

    form = path.suffix.lower()
    if form not in _FORMS:
        raise UsageError.not_one_of("the ending of the map's file", path.suffix, _FORMS)
    across, up = _axis(found, x), _axis(found, y)
    picture = _rendered(found, across, up, "png" if form == ".png" else "svg")
    if form == ".html":
        picture = _page(found, across, up, picture.decode()).encode()
    with whole_file(str(path), replace=True, mode=0o666) as file:
        file.write(picture)


def _axis(found: Comparison, name: str) -> Axis:
    """The values of a yardstick, or the risk, with words on which end is the better one."""
    if name == RISK:
        values = [1 / release.smallest if release.smallest else None for release in found.releases]
        return Axis("highest risk of being found: 1 / smallest class  (lower is safer)", tuple(values))
    if name not in found.yardsticks:
        raise UsageError.not_one_of("an axis of the map", name, [RISK, *found.yardsticks])
    yardstick = found.yardsticks[name]
    better = "lower is better" if yardstick.goal == Goal.LOW else "higher is better"
    readings = [release.readings[name].value for release in found.releases]
    return Axis(f"{name}: {yardstick.meaning}  ({better})", tuple(readings))


def _rendered(found: Comparison, across: Axis, up: Axis, form: str) -> bytes:
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError.senseless(
            "the map", "drawing it needs matplotlib, which is not installed", "run: pip install 'incrowd[report]'"
        ) from None
    # The same map is the same bytes; its words stay words, which a reader's own font shows.
    with rc_context({"svg.hashsalt": "incrowd", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif"}):
        figure = Figure(figsize=(9, 6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _plot(axes, found, across, up)
        written = BytesIO()
        figure.savefig(written, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return written.getvalue()


def _plot(axes: Any, found: Comparison, across: Axis, up: Axis) -> None:
    letters = short_names(found)
    placed: list[tuple[float, float]] = []
    shown = [at for at in range(len(letters)) if across.values[at] is not None and up.values[at] is not None]
    for at in shown:
        place = across.values[at], up.values[at]
        colour, marker = _COLOURS[at % len(_COLOURS)], _MARKERS[at % len(_MARKERS)]
        name = _legend(letters[at], found.releases[at].name)
        axes.plot(*place, marker=marker, color=colour, markersize=9, linestyle="none", label=name, zorder=3)
    axes.set_xlabel(across.title)
    axes.set_ylabel(up.title)
    axes.set_title(f"Risk and utility of {len(shown)} {'release' if len(shown) == 1 else 'releases'}", loc="left")
    axes.grid(color="#dddddd", linewidth=0.8, zorder=0)
    axes.margins(0.12)
    axes.spines[["top", "right"]].set_visible(False)
    if len(found.releases) > 1:
        for at in shown:
            _letter(axes, letters[at], (across.values[at], up.values[at]), placed)
    if shown:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)


def _letter(axes: Any, letter: str, point: Any, placed: list[tuple[float, float]]) -> None:
    """Write a letter beside its point, where no other one stands."""
    axes.figure.canvas.draw() if not placed else None
    here = axes.transData.transform(point)
    scale = axes.figure.dpi / 72
    places = [(here[0] + dx * scale, here[1] + dy * scale) for dx, dy in _AROUND]
    free = [at for at, place in enumerate(places) if all(_apart(place, other, scale) for other in placed)]
    chosen = free[0] if free else 0
    placed.append(places[chosen])
    axes.annotate(letter, point, xytext=_AROUND[chosen], textcoords="offset points", fontweight="bold", zorder=4)


def _apart(one: Sequence[float], other: Sequence[float], scale: float) -> bool:
    return abs(one[0] - other[0]) > 12 * scale or abs(one[1] - other[1]) > 12 * scale


def _legend(letter: str, name: str) -> str:
    """A release in the legend; a dollar sign would begin a formula."""
    short = printable(name if len(name) <= 40 else f"...{name[-37:]}").replace("$", r"\$")
    return short if letter == "release" else f"{letter}  {short}"


def _page(found: Comparison, across: Axis, up: Axis, picture: str) -> str:
    """The map in a page of its own, with its numbers as a table for those who cannot see it."""
    drawing = picture[picture.index("<svg") :]
    rows = "\n".join(
        f"<tr><th>{escape(letter)}</th><td>{escape(printable(release.name))}</td><td>{_number(x)}</td>"
        f"<td>{_number(y)}</td></tr>"
        for letter, release, x, y in zip(short_names(found), found.releases, across.values, up.values, strict=True)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Risk and utility</title>\n'
        "<style>body { font-family: sans-serif; max-width: 60rem; margin: 2rem auto } svg { max-width: 100%; "
        "height: auto } th, td { padding: 0.2rem 0.8rem; text-align: left }</style>\n</head>\n<body>\n"
        f'<figure role="img" aria-label="Risk-utility map">\n{drawing}</figure>\n<table>\n'
        f"<tr><th></th><th>release</th><th>{escape(across.title)}</th><th>{escape(up.title)}</th></tr>\n{rows}\n"
        "</table>\n</body>\n</html>\n"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
