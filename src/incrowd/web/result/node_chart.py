"""Pictures of a lattice: its nodes, rows by the sum of their levels, or only how many there are in each row."""

from __future__ import annotations

from typing import Any

from incrowd.anonymization.lattice_nodes import STATES, LatticeNodes, State, spelled
from incrowd.charts import BLUE, GREY, ORANGE
from incrowd.web.parts.tables import format_score

MOST = 400
"""Nodes that can be told apart in a picture."""
_INK, _LINE = "#1d2733", "#d5dce3"
_COLORS = {State.SATISFIED: BLUE, State.NOT_SATISFIED: ORANGE, State.UNKNOWN: GREY}
_SYMBOLS = {State.SATISFIED: "circle", State.NOT_SATISFIED: "rect", State.UNKNOWN: "triangle"}


def describe(nodes: LatticeNodes, number: int) -> str:
    """Return a node in words."""
    node = nodes.node(number)
    score = node["score"]
    known = (
        f"at least {format_score(nodes.metric, node['bound'])}" if score is None else format_score(nodes.metric, score)
    )
    return f"{spelled(node['levels'])}: {node['state']}, {nodes.metric.replace('_', ' ')} {known}"


def of_nodes(nodes: LatticeNodes, shown: Any, own: int | None, chosen: int | None) -> tuple[dict[str, Any], int]:
    """Return a picture of some nodes with lines between neighbors, and its height; each point has its node."""
    place = _places(nodes, shown)
    heights = [height for _, height in place.values()]
    series: list[dict[str, Any]] = [_lines(nodes, shown, place)]
    for state in _COLORS:
        points = [
            {
                "name": describe(nodes, number),
                "value": [*place[number], number],
                **_emphasis(number, own, chosen),
            }
            for number in shown[nodes.state[shown] == STATES.index(state)].tolist()
        ]
        series.append(
            {
                "type": "scatter",
                "name": str(state),
                "data": points,
                "symbol": _SYMBOLS[state],
                "symbolSize": 13,
                "itemStyle": {"color": _COLORS[state], "borderColor": "#fff", "borderWidth": 1},
                "tooltip": {"formatter": "{b}"},
            }
        )
    low, high = min(heights), max(heights)
    options = {
        "grid": {"left": 46, "right": 12, "top": 34, "bottom": 12},
        "legend": {"top": 0, "left": 0, "data": [str(each) for each in _COLORS], "textStyle": {"color": _INK}},
        "tooltip": {"confine": True},
        "xAxis": {"type": "value", "min": -1.05, "max": 1.05, "show": False},
        "yAxis": {
            "type": "value",
            "min": low - 0.5,
            "max": high + 0.5,
            "interval": 1,
            "name": "sum of levels",
            "nameLocation": "middle",
            "nameGap": 32,
            "nameTextStyle": {"color": _INK},
            "splitLine": {"show": False},
            "axisLabel": {"show": False},
            "axisLine": {"show": False},
            "axisTick": {"show": False},
        },
        "series": series,
    }
    return options, 70 + 58 * (high - low + 1)


def _places(nodes: LatticeNodes, shown: Any) -> dict[int, tuple[float, int]]:
    """Return where each node stands: a row for each sum of levels, spread over the width."""
    found = {}
    for height, row in nodes.rows(shown).items():
        width = min(1.0, len(row) / 12)
        for at, number in enumerate(row):
            found[number] = (round(0.0 if len(row) == 1 else width * (2 * at / (len(row) - 1) - 1), 4), height)
    return found


def _lines(nodes: LatticeNodes, shown: Any, place: dict[int, tuple[float, int]]) -> dict[str, Any]:
    """Return the lines between nodes that differ by one level in one column."""
    return {
        "type": "lines",
        "coordinateSystem": "cartesian2d",
        "data": [{"coords": [place[low], place[high]]} for low, high in nodes.edges(shown)],
        "silent": True,
        "lineStyle": {"color": _LINE, "width": 0.8, "opacity": 1},
        "tooltip": {"show": False},
    }


def _emphasis(number: int, own: int | None, chosen: int | None) -> dict[str, Any]:
    if number == own:
        return {"symbolSize": 20, "itemStyle": {"borderColor": "#000", "borderWidth": 3}}
    return {"symbolSize": 18, "itemStyle": {"borderColor": "#000", "borderWidth": 2}} if number == chosen else {}


def of_rows(rows: list[dict[str, int]]) -> tuple[dict[str, Any], int]:
    """Return a picture of how many nodes of each state have each sum of levels, and its height."""
    shown = rows[::-1]
    options = {
        "grid": {"left": 8, "right": 24, "top": 34, "bottom": 34, "containLabel": True},
        "legend": {"top": 0, "left": 0, "textStyle": {"color": _INK}},
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}, "confine": True},
        "xAxis": {
            "type": "value",
            "name": "nodes",
            "nameLocation": "middle",
            "nameGap": 24,
            "minInterval": 1,
            "splitLine": {"lineStyle": {"color": _LINE}},
            "axisLabel": {"color": _INK, "hideOverlap": True},
        },
        "yAxis": {
            "type": "category",
            "inverse": True,
            "name": "sum of levels",
            "nameLocation": "middle",
            "nameGap": 32,
            "data": [str(row["height"]) for row in shown],
            "axisLabel": {"color": _INK},
        },
        "series": [
            {
                "type": "bar",
                "stack": "nodes",
                "name": str(state),
                "data": [row[str(state)] for row in shown],
                "itemStyle": {"color": _COLORS[state]},
            }
            for state in _COLORS
        ],
    }
    return options, 90 + 24 * len(shown)
