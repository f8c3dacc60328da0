"""Charts as SVG text, for reports and pages alike: plain data in, real text in the picture, Okabe and Ito's colors.

Words come from data: matplotlib escapes them, what could steer a reader's screen is replaced, and long ones are cut.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any

from incrowd.errors import UsageError
from incrowd.text import percent, printable

if TYPE_CHECKING:
    from incrowd.risk_map import RiskMap

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#E69F00", "#009E73", "#999999"
"""Distinguishable by people who do not see all colors."""
_LONGEST = 34
"""Letters of a label that are shown."""
_WIDTH = 8.6
"""Width of a chart, in inches."""
_LETTER = 0.082
"""Width of a letter of a label, in inches."""
_STYLE: Any = {
    "svg.fonttype": "none",
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "xtick.color": "#333333",
    "ytick.color": "#333333",
}

Bars = Sequence[tuple[str, float]]


def are_possible() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


class Chart(str):
    """A chart as SVG text, shown by a notebook as the picture that it is."""

    _make: Callable[[], Any] | None = None

    def figure(self) -> Any:
        """Return the chart as a figure of matplotlib, to change it or to save it in another format."""
        if self._make is None:
            raise UsageError.invalid("the figure of a chart", "a pickle keeps its picture alone", "draw it again")
        return self._make()

    def __getstate__(self) -> None:
        """Return nothing: a pickle keeps the text alone."""

    def __repr__(self) -> str:
        return f"<Chart: {len(self):,} characters of SVG>"

    def _repr_html_(self) -> str:
        # On white, also where the page is dark: the words are dark.
        return f'<div style="background:#fff;color:#000;max-width:56em;padding:.5em">{self}</div>'


def class_sizes(bins: Bars, k: int | None = None, size: str = "class size") -> Chart:
    """Return a chart of the number of records by class size, one bar per bin."""

    def plot(figure: Any) -> None:
        crowded = len(bins) * max((len(name) for name, _ in bins), default=0) > 100
        axes = _panel(figure, left=0.8, bottom=1.1 if crowded else 0.6, top=0.15)
        axes.bar(range(len(bins)), [value for _, value in bins], color=BLUE, width=0.8)
        # A single bar must not fill the chart.
        axes.set_xlim(-0.6, max(len(bins), 4) - 0.4)
        turned: dict[str, Any] = {"rotation": 40, "ha": "right"} if crowded else {}
        axes.set_xticks(range(len(bins)), [_label(name) for name, _ in bins], **turned)
        axes.set_xlabel(size + (f" (required: {k:,} or more)" if k else ""))
        axes.set_ylabel("records")
        _thousands(axes.yaxis)
        for at, (_, value) in enumerate(bins):
            if value:
                axes.annotate(f"{value:,.0f}", (at, value), (0, 2), textcoords="offset points", ha="center", fontsize=8)
        axes.margins(y=0.12)

    return _drawn(plot, 3.1, ("class sizes", *bins))


def bars(values: Bars, axis: str, share: bool = False) -> Chart:
    """Return a chart with a horizontal bar for each name; `share` shows 0 to 1 as percentages."""

    def plot(figure: Any) -> None:
        axes = _panel(figure, left=_room(name for name, _ in values), bottom=0.55, top=0.1, right=0.75)
        _lying(axes, values, BLUE, share)
        axes.set_xlabel(axis)
        if share:
            axes.set_xlim(0, 1)

    return _drawn(plot, 0.75 + 0.24 * max(1, len(values)), (axis, *values))


def before_and_after(before: Bars, after: Bars, is_estimated: bool = False) -> Chart:
    """Return a chart of a column before and after: records per value on the left, as published on the right.

    If `is_estimated`, the right ones are estimated from what the cells cover.
    """

    def plot(figure: Any) -> None:
        half = _WIDTH / 2
        for at, (heading, values, color) in enumerate(
            (("before", before, GREY), ("estimated from the release" if is_estimated else "published", after, BLUE))
        ):
            room = min(2.2, _room(name for name, _ in values))
            axes = _panel(figure, left=at * half + room, right=(1 - at) * half + 0.62, bottom=0.35, top=0.3)
            _lying(axes, values, color, share=False, longest=26)
            # As thick as those beside them.
            axes.set_ylim(max(len(before), len(after), 1) - 0.4, -0.6)
            axes.set_title(heading, loc="left", fontsize=9, fontweight="bold")
            axes.xaxis.set_major_locator(_few_ticks())
            # The same length is the same number of records on both sides.
            axes.set_xlim(0, 1.05 * max((value for _, value in (*before, *after)), default=1) or 1)

    return _drawn(plot, 0.75 + 0.2 * max(1, len(before), len(after)), ("before", *before, "after", *after))


def one_distribution(values: Bars) -> Chart:
    """Return a chart of the records per value of a column."""

    def plot(figure: Any) -> None:
        axes = _panel(figure, left=_room(name for name, _ in values), bottom=0.5, top=0.1, right=0.75)
        _lying(axes, values, BLUE, share=False)
        axes.set_xlabel("records")

    return _drawn(plot, 0.7 + 0.22 * max(1, len(values)), ("values", *values))


def suppression(curve: Sequence[tuple[int, float]]) -> Chart:
    """Return a chart of the share of records to suppress for each k."""

    def plot(figure: Any) -> None:
        axes = _panel(figure, left=0.8, bottom=0.55, top=0.15)
        axes.step(
            [k for k, _ in curve],
            [share for _, share in curve],
            where="mid",
            color=BLUE,
            linewidth=2,
            marker="o",
            markersize=3,
        )
        axes.set_xlabel("k")
        axes.set_ylabel("records to suppress")
        axes.set_ylim(0, 1.02)
        _percentages(axes.yaxis)
        axes.xaxis.set_major_locator(_few_ticks(10))
        axes.set_axisbelow(True)
        axes.grid(color="#dddddd", linewidth=0.8)

    return _drawn(plot, 2.8, ("suppression", *curve))


def risk_map(found: RiskMap) -> Chart:
    """Return the risk-utility map."""
    _refuse_without_matplotlib()
    from incrowd.risk_map import figure_of, rendered

    chart = Chart(in_page(rendered(found, "svg").decode()))
    chart._make = partial(figure_of, found)
    return chart


def _lying(axes: Any, values: Bars, color: str, share: bool, longest: int = _LONGEST) -> None:
    """Draw horizontal bars, the first on top, each with its number."""
    axes.barh(range(len(values)), [value for _, value in values], color=color, height=0.75)
    axes.set_yticks(range(len(values)), [_label(name, longest) for name, _ in values], fontsize=8.5)
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    for at, (_, value) in enumerate(values):
        number = percent(value) if share else f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"
        axes.annotate(number, (value, at), (3, 0), textcoords="offset points", va="center", fontsize=8)
    _percentages(axes.xaxis) if share else _thousands(axes.xaxis)
    axes.set_xlim(left=0)
    axes.set_ylim(len(values) - 0.4, -0.6)


def _panel(figure: Any, left: float, bottom: float, top: float, right: float = 0.15) -> Any:
    """Return axes with these margins in inches: faster than automatic layout, and charts line up."""
    width, height = figure.get_size_inches()
    return figure.add_axes(
        (left / width, bottom / height, (width - left - right) / width, (height - bottom - top) / height)
    )


def _room(names: Any) -> float:
    """Return the inches that the labels of bars take."""
    return 0.2 + _LETTER * max((_columns(_cut(name, _LONGEST)) for name in names), default=0)


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _cut(text: str, longest: int) -> str:
    """Return a long text without its middle: names often differ at their end."""
    label = printable(text)
    if len(label) <= longest:
        return label
    end = longest // 3
    return label[: longest - 1 - end] + "\N{HORIZONTAL ELLIPSIS}" + label[-end:]


def _label(text: str, longest: int = _LONGEST) -> str:
    """Return a label with dollar signs escaped, since they would begin a formula."""
    return _cut(text, longest).replace("$", r"\$")


def _thousands(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:,.0f}" if value == int(value) else f"{value:,.4g}")
    )


def _percentages(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f}%"))


def _few_ticks(most: int = 3) -> Any:
    """Return a locator for a few ticks, each a whole number."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=most, integer=True)


def _drawn(plot: Callable[[Any], None], height: float, data: object) -> Chart:
    """Return a figure as SVG to embed in a page; equal data give equal text."""
    _refuse_without_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    salt = sha256(repr(data).encode("utf-8", "replace")).hexdigest()[:16]
    with rc_context({**_STYLE, "svg.hashsalt": salt}), warnings.catch_warnings():
        # The reader's own font shows what this one lacks.
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")

        def make() -> Any:
            figure = Figure(figsize=(_WIDTH, height))
            plot(figure)
            return figure

        written = StringIO()
        make().savefig(written, format="svg", metadata={"Date": None}, transparent=True)
    chart = Chart(in_page(written.getvalue()))
    chart._make = make
    return chart


def _refuse_without_matplotlib() -> None:
    if not are_possible():
        raise UsageError.invalid("the picture", "matplotlib is not installed", "run: pip install 'incrowd[report]'")


def in_page(svg: str) -> str:
    """Return a drawing without the parts of a separate file: declarations, metadata, names used twice in a page."""
    drawing = svg[svg.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    return re.sub(r'<g id="[\w.]+"', "<g", drawing)
