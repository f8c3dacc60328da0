"""Maps of risk and utility as pictures in a page; their words are escaped where they are drawn."""

from __future__ import annotations

from typing import Any

from incrowd.risk_map import RiskMap, Spot, rendered

_LOSS = "loss (left is better)"


def drawn(picture: RiskMap) -> str:
    """A map as SVG."""
    text = rendered(picture, "svg").decode()
    return text[text.index("<svg") :]


def of_sweep(swept: dict[str, Any]) -> str:
    """What a sweep tried; empty where there is nothing to draw."""
    runs = {at: each for at, each in enumerate(swept["runs"]) if each["feasible"]}
    if not runs:
        return ""
    key = f"{swept['risk']}_risk"
    spots, legend = [], dict[str, list[int]]()
    for at, each in enumerate(runs.values()):
        alike = f"{each['search']}, {float(each['suppress']) * 100:g} % left out"
        spots.append(Spot(each["loss"], each[key], str(each["k"]), f"{alike}, k = {each['k']}"))
        legend.setdefault(alike, []).append(at)
    place = {number: at for at, number in enumerate(runs)}
    recommended = swept["recommended"]
    return drawn(
        RiskMap(
            _LOSS,
            f"{swept['risk']} risk (down is better)",
            tuple(spots),
            tuple((alike, tuple(members)) for alike, members in legend.items()),
            tuple(place[number] for number in swept["front"]),
            None if recommended is None else place[recommended],
            "the numbers are k",
        )
    )


def of_releases(letters: str, facts: list[dict[str, Any]]) -> str:
    """Releases that were made, each by a letter."""
    spots = tuple(
        Spot(each["scores"].get("loss"), 1 / max(1, each["smallest"]), letter, letter)
        for letter, each in zip(letters, facts, strict=False)
    )
    legend = tuple(
        (f"{letter}: {each['search']}, groups of {each['smallest']}", (at,))
        for at, (letter, each) in enumerate(zip(letters, facts, strict=False))
    )
    return drawn(RiskMap(_LOSS, "highest risk (down is better)", spots, legend))
