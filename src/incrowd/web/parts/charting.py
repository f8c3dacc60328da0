"""Charts that a page draws (ECharts): plain data in, nothing from the network. A table beside each says the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from incrowd.charts import BLUE, GREY, ORANGE
from incrowd.text import printable
from incrowd.web.parts import layout

_INK = "#1d2733"
_LINE = "#d5dce3"
_LONGEST = 26
"""Letters of a label that are shown."""
_BAR = 18
"""Height of a bar, in pixels."""
_ROUNDED = "((n) => n == null ? '' : n.toLocaleString('en-US', {maximumFractionDigits: Math.abs(n) >= 10 ? 0 : 1}))"
"""A number as a reader wants it: without decimals from 10 on, thousands apart."""
_SCALE = ("#f4f8fb", "#9ecae1", "#3182bd", "#08306b")
"""From no association to the strongest: also told apart by people who do not see all colors."""


def show(
    options: dict[str, Any], label: str, mark: str, height: int, picked: Callable[[Any], Any] | None = None
) -> Any:
    """Show a chart; `label` is what it shows, for those who do not see it; `picked` gets each click on a part."""
    chart = ui.echart(
        {"animation": False, "textStyle": {"fontFamily": "system-ui, sans-serif", "color": _INK}, **options},
        on_point_click=picked,
        renderer="svg",
    )
    chart.classes("drawn").style(f"height: {height}px")
    chart.props["role"], chart.props["aria-label"] = "img", label
    return layout.mark(chart, mark)


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Return a long text without its middle: names often differ at their end."""
    label = printable(text)
    return label if len(label) <= longest else f"{label[: longest - 1 - longest // 3]}…{label[-(longest // 3) :]}"


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float | None]], unit: str) -> tuple[dict[str, Any], int]:
    """Return bars that lie below each other, one of each series for every label, and the height of the chart."""
    colors = dict(zip(series, (GREY, BLUE, ORANGE), strict=False))
    options = {
        "grid": {"left": 8, "right": 56, "top": 34, "bottom": 34, "containLabel": True},
        "legend": {"top": 0, "left": 0, "itemWidth": 14, "textStyle": {"color": _INK}},
        "tooltip": {
            "trigger": "axis",
            "axisPointer": {"type": "shadow"},
            "confine": True,
            ":valueFormatter": _ROUNDED,
        },
        "xAxis": {
            "type": "value",
            "name": unit,
            "nameLocation": "middle",
            "nameGap": 24,
            "minInterval": 1,
            "splitNumber": 4,
            "splitLine": {"lineStyle": {"color": _LINE}},
            "axisLabel": {"color": _INK, "hideOverlap": True},
        },
        "yAxis": {
            "type": "category",
            "inverse": True,
            "data": [shorten(label) for label in labels],
            "axisTick": {"show": False},
            "axisLabel": {"color": _INK, "interval": 0},
        },
        "series": [
            {
                "type": "bar",
                "name": name,
                "data": [None if value is None else round(value, 1) for value in values],
                "itemStyle": {"color": colors[name]},
                "barGap": "0%",
                "barCategoryGap": "24%",
                "label": {
                    "show": True,
                    "position": "right",
                    "color": _INK,
                    "fontSize": 11,
                    ":formatter": f"(part) => {_ROUNDED}(part.value)",
                },
            }
            for name, values in series.items()
        ],
    }
    return options, 90 + len(labels) * (len(series) * _BAR + 10)


def heat_map(names: Sequence[str], values: Mapping[tuple[str, str], float]) -> tuple[dict[str, Any], int]:
    """Return a square of cells from 0 to 1, one for each pair of names, and the height of the chart."""
    place = {name: at for at, name in enumerate(names)}
    cells = [
        [place[one], place[other], round(value, 2)]
        for (first, second), value in values.items()
        for one, other in ((first, second), (second, first))
    ]
    shown = [shorten(name, 14) for name in names]
    axis = {"type": "category", "data": shown, "splitArea": {"show": False}, "axisTick": {"show": False}}
    size = max(14, min(38, 420 // max(1, len(names))))
    options = {
        "grid": {"left": 8, "right": 8, "top": 8, "bottom": 56, "containLabel": True},
        "tooltip": {"confine": True, "formatter": "{c}"},
        "xAxis": {**axis, "axisLabel": {"color": _INK, "rotate": 40, "interval": 0, "fontSize": 11}},
        "yAxis": {**axis, "inverse": True, "axisLabel": {"color": _INK, "interval": 0, "fontSize": 11}},
        "visualMap": {
            "min": 0,
            "max": 1,
            "precision": 1,
            "orient": "horizontal",
            "left": "center",
            "bottom": 0,
            "itemHeight": 120,
            "text": ["1", "0"],
            "inRange": {"color": list(_SCALE)},
        },
        "series": [{"type": "heatmap", "data": cells, "itemStyle": {"borderColor": "#fff", "borderWidth": 1}}],
    }
    return options, 170 + size * len(names)
