"""What experiments give: rows of figures, by method and by what is varied."""

from typing import Any

Rows = list[dict[str, Any]]


def rounded(figures: dict[str, float]) -> dict[str, float]:
    """To four digits, without the time, which differs from run to run."""
    told = {name: value for name, value in figures.items() if name != "cpu"}
    return {name: value if isinstance(value, int) else short(value) for name, value in told.items()}


def short(value: float, digits: int = 4) -> float:
    """A number to so many digits."""
    return float(f"{value:.{digits}g}")
