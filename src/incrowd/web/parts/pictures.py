"""Maps of risk and utility as SVG; labels are escaped where they are drawn."""

from __future__ import annotations

from typing import Any

from incrowd.jobs.suppression import in_words
from incrowd.risk_map import RiskMap, Spot, rendered

_LOSS = "information loss (lower is better)"


def to_svg(picture: RiskMap) -> str:
    """Return a map as SVG."""
    text = rendered(picture, "svg").decode()
    return text[text.index("<svg") :]


def draw_frontier(frontier: dict[str, Any]) -> str:
    """Return a map of the releases tried, or an empty text if there are none."""
    runs = {at: each for at, each in enumerate(frontier["runs"]) if _is_shown(each)}
    if not runs:
        return ""
    key = f"{frontier['risk']}_risk"
    spots, legend = [], dict[str, list[int]]()
    for at, each in enumerate(runs.values()):
        series = f"{each['search']}, suppression limit {in_words(each['suppress'])}"
        spots.append(Spot(each["loss"], each[key], str(each["k"]), f"{series}, k = {each['k']}"))
        legend.setdefault(series, []).append(at)
    place = {number: at for at, number in enumerate(runs)}
    recommended = frontier["recommended"]
    return to_svg(
        RiskMap(
            _LOSS,
            f"{frontier['risk']} risk (lower is better)",
            tuple(spots),
            tuple((series, tuple(members)) for series, members in legend.items()),
            tuple(place[number] for number in frontier["front"]),
            None if recommended is None else place[recommended],
            "numbers: k",
        )
    )


def _is_shown(run: dict[str, Any]) -> bool:
    """Return whether a run has a release that no other of equal worth stands for; older results do not tell."""
    return run["feasible"] and run.get("same_as") is None


def draw_releases(letters: str, facts: list[dict[str, Any]]) -> str:
    """Return a map of finished releases, each marked with a letter."""
    spots = tuple(
        Spot(each["scores"].get("loss"), 1 / max(1, each["smallest"]), letter, letter)
        for letter, each in zip(letters, facts, strict=False)
    )
    legend = tuple(
        (f"{letter}: {each['search']}, smallest class {each['smallest']}", (at,))
        for at, (letter, each) in enumerate(zip(letters, facts, strict=False))
    )
    return to_svg(RiskMap(_LOSS, "highest risk (lower is better)", spots, legend))
