"""A frontier as a risk-utility map: loss across, risk upwards, a line through the Pareto-optimal releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.frontiers.options import Risk
from incrowd.risk_map import RiskMap, Spot
from incrowd.risk_map import draw as draw_map

if TYPE_CHECKING:
    from incrowd.frontiers.result import Frontier

_LOSS = "information loss  (lower is better)"
_RISKS = {
    Risk.HIGHEST: "highest re-identification risk: 1 / smallest class  (lower is safer)",
    Risk.AVERAGE: "average re-identification risk: classes / records  (lower is safer)",
}


def draw(found: Frontier, path: str | Path, replace: bool = False) -> None:
    """Write the map to a file."""
    draw_map(map_of(found), path, replace)


def map_of(found: Frontier) -> RiskMap:
    """Return the map; each point is labeled with the k of its run."""
    runs = list(found.distinct)
    several = len({run.suppress for run in runs}) > 1
    spots: list[Spot] = []
    legend: dict[str, list[int]] = {}
    for at, run in enumerate(runs):
        assert run.release is not None
        point = run.release.point(found.risk)
        alike = run.search + (f", suppress {run.suppress}" if several else "")
        spots.append(Spot(point.loss, point.risk, f"{run.k}", f"{alike}, k = {run.k}"))
        legend.setdefault(alike, []).append(at)
    return RiskMap(
        _LOSS,
        _RISKS[found.risk],
        tuple(spots),
        tuple((alike, tuple(members)) for alike, members in legend.items()),
        tuple(runs.index(run) for run in found.front),
        None if found.recommended is None else runs.index(found.recommended),
        "labels: k",
    )
