"""A comparison as a risk-utility map: any metric on each axis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from incrowd.comparison.wording import short_names
from incrowd.errors import UsageError
from incrowd.release_metrics.contract import Goal
from incrowd.risk_map import RiskMap, Spot
from incrowd.risk_map import draw as draw_map

if TYPE_CHECKING:
    from incrowd.comparison.compare import Comparison

RISK = "risk"


class Axis(NamedTuple):
    """One side of the map."""

    title: str
    values: tuple[float | None, ...]


def draw(found: Comparison, path: Path, x: str, y: str, replace: bool = False) -> None:
    """Write the map into a file, whole or not at all."""
    draw_map(map_of(found, x, y), path, replace)


def map_of(found: Comparison, x: str, y: str) -> RiskMap:
    """Return the map of these two metrics."""
    across, up = axis_of(found, x), axis_of(found, y)
    letters = short_names(found) if len(found.releases) > 1 else [""]
    spots = tuple(
        Spot(right, high, letter, release.name)
        for right, high, letter, release in zip(across.values, up.values, letters, found.releases, strict=True)
    )
    legend = tuple((_legend(spot), (at,)) for at, spot in enumerate(spots))
    return RiskMap(across.title, up.title, spots, legend)


def axis_of(found: Comparison, name: str) -> Axis:
    """Return the values of a metric, or the risk, with a text that names the better end."""
    if name == RISK:
        values = [1 / release.smallest if release.smallest else None for release in found.releases]
        return Axis("highest re-identification risk: 1 / smallest class  (lower is safer)", tuple(values))
    if name not in found.yardsticks:
        raise UsageError.not_one_of("an axis of the map", name, [RISK, *found.yardsticks])
    yardstick = found.yardsticks[name]
    better = "lower is better" if yardstick.goal == Goal.LOW else "higher is better"
    readings = [release.readings[name].value for release in found.releases]
    return Axis(f"{name}: {yardstick.meaning}  ({better})", tuple(readings))


def _legend(spot: Spot) -> str:
    """Return a release by its letter and the end of its name."""
    name = spot.name if len(spot.name) <= 40 else f"...{spot.name[-37:]}"
    return f"{spot.letter}  {name}" if spot.letter else name
