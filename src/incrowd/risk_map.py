"""The risk-utility map: each release a point, what it is worth to the right or left, how risky it is up or down."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from incrowd.errors import UsageError
from incrowd.files.outputs import check_outputs
from incrowd.files.whole import whole_file
from incrowd.text import printable

_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colors, distinguishable by people who do not see all colors; points also differ in shape."""
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_AROUND = ((9, 7), (9, -13), (-16, 7), (-16, -13), (-3, 13), (-3, -20), (18, -3), (-26, -3))
"""Positions of a letter beside its point, in points; the first free one is taken."""
_FORMS = (".svg", ".png", ".html")


class Spot(NamedTuple):
    """A release on the map; one without a place on both axes is not drawn."""

    across: float | None
    up: float | None
    letter: str
    """The letter beside it; empty if there is only one."""
    name: str


@dataclass(frozen=True)
class RiskMap:
    """The content of a map."""

    across: str
    """The horizontal axis, and which end is better."""
    up: str
    spots: tuple[Spot, ...]
    legend: tuple[tuple[str, tuple[int, ...]], ...]
    """The points that look alike, each under its words."""
    front: tuple[int, ...] = ()
    """Points that a line joins: those worth having, in its order."""
    recommended: int | None = None
    letters: str = ""
    """The meaning of the letters beside the points, if the legend does not show it."""

    @property
    def shown(self) -> list[int]:
        """Return the points that have a position."""
        return [at for at, spot in enumerate(self.spots) if spot.across is not None and spot.up is not None]


def check_drawable(path: str | Path) -> None:
    """Refuse what cannot be drawn, before anything takes long."""
    suffix = Path(path).suffix
    if suffix.lower() not in _FORMS:
        raise UsageError.not_one_of("the extension of the map file", suffix, _FORMS)
    if find_spec("matplotlib") is None:
        raise UsageError.invalid("the map", "matplotlib is not installed", "run: pip install 'incrowd[report]'")


def draw(found: RiskMap, path: str | Path, replace: bool = False) -> None:
    """Write the map into a file, whole or not at all: SVG, PNG or HTML, by its ending."""
    check_drawable(path)
    check_outputs([("the map", path)], (), replace)
    form = Path(path).suffix.lower()
    picture = rendered(found, "png" if form == ".png" else "svg")
    if form == ".html":
        picture = _page(found, picture.decode()).encode()
    with whole_file(str(path), replace) as file:
        file.write(picture)


def figure_of(found: RiskMap) -> Any:
    """Return the map as a figure of matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    FigureCanvasAgg(figure)
    _plot(figure.add_subplot(), found)
    return figure


def rendered(found: RiskMap, form: str) -> bytes:
    from matplotlib import rc_context

    # The same map is the same bytes; its words stay words, which a reader's own font shows.
    with rc_context({"svg.hashsalt": "incrowd", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif"}):
        written = BytesIO()
        figure_of(found).savefig(written, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return written.getvalue()


def _plot(axes: Any, found: RiskMap) -> None:
    shown = found.shown
    _draw_front(axes, found)
    for at, (words, members) in enumerate(found.legend):
        places = [found.spots[member][:2] for member in members if member in shown]
        if places:
            color, marker = _COLORS[at % len(_COLORS)], _MARKERS[at % len(_MARKERS)]
            style: dict[str, Any] = {"marker": marker, "color": color, "markersize": 9, "linestyle": "none"}
            axes.plot(*zip(*places, strict=True), **style, label=_in_legend(words), zorder=3)
    axes.set_xlabel(found.across)
    axes.set_ylabel(found.up)
    title = f"Risk and utility of {len(shown)} {'release' if len(shown) == 1 else 'releases'}"
    axes.set_title(f"{title}; {found.letters}" if found.letters else title, loc="left")
    axes.grid(color="#dddddd", linewidth=0.8, zorder=0)
    axes.margins(0.12)
    axes.spines[["top", "right"]].set_visible(False)
    placed: list[Placed] = []
    for at in shown:
        if found.spots[at].letter:
            _letter(axes, found.spots[at], placed)
    if shown:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9, labelspacing=0.9)


def _draw_front(axes: Any, found: RiskMap) -> None:
    """Draw the line through the Pareto-optimal releases, and a ring around the recommended one."""
    if found.front:
        across, up = zip(*(found.spots[at][:2] for at in found.front), strict=True)
        axes.plot(across, up, color="#888888", linewidth=1.2, label="Pareto-optimal", zorder=1)
    if found.recommended is not None:
        ring: dict[str, Any] = {"marker": "o", "markersize": 16, "markerfacecolor": "none", "markeredgewidth": 1.6}
        place = found.spots[found.recommended][:2]
        axes.plot(*place, **ring, color="#000000", linestyle="none", label="recommended", zorder=2)


class Placed(NamedTuple):
    """The position of a text, and its number of letters."""

    x: float
    y: float
    length: int


def _letter(axes: Any, spot: Spot, placed: list[Placed]) -> None:
    """Write a letter beside its point, where no other one stands."""
    axes.figure.canvas.draw() if not placed else None
    point = spot[:2]
    here = axes.transData.transform(point)
    scale = axes.figure.dpi / 72
    length = len(spot.letter)
    places = [Placed(here[0] + dx * scale, here[1] + dy * scale, length) for dx, dy in _AROUND]
    free = [at for at, place in enumerate(places) if all(_apart(place, other, scale) for other in placed)]
    chosen = free[0] if free else 0
    placed.append(places[chosen])
    axes.annotate(spot.letter, point, xytext=_AROUND[chosen], textcoords="offset points", fontweight="bold", zorder=4)


def _apart(one: Placed, other: Placed, scale: float) -> bool:
    """Return whether two texts do not touch: a letter is about 12 points high, and 7 points wide."""
    width = 12 + 7 * ((one if one.x < other.x else other).length - 1)
    return abs(one.x - other.x) > width * scale or abs(one.y - other.y) > 12 * scale


def _in_legend(words: str) -> str:
    """Return a text for the legend with dollar signs escaped, since they would begin a formula."""
    return printable(words).replace("$", r"\$")


def _page(found: RiskMap, picture: str) -> str:
    """Return the map as a page of its own, with its numbers as a table for screen readers."""
    drawing = picture[picture.index("<svg") :]
    rows = "\n".join(
        f"<tr><th>{escape(spot.letter)}</th><td>{escape(printable(spot.name))}</td><td>{_number(spot.across)}</td>"
        f"<td>{_number(spot.up)}</td></tr>"
        for spot in found.spots
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Risk and utility</title>\n'
        "<style>body { font-family: sans-serif; max-width: 60rem; margin: 2rem auto } svg { max-width: 100%; "
        "height: auto } th, td { padding: 0.2rem 0.8rem; text-align: left }</style>\n</head>\n<body>\n"
        f'<figure role="img" aria-label="Risk-utility map">\n{drawing}</figure>\n<table>\n'
        f"<tr><th></th><th>release</th><th>{escape(found.across)}</th><th>{escape(found.up)}</th></tr>\n{rows}\n"
        "</table>\n</body>\n</html>\n"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
