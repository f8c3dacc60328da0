"""Checks of parameters of models, searches and others; `what` names the parameter and whose it is."""

from math import inf, isfinite

from incrowd.errors import UsageError


def whole_number(what: str, value: object, least: int = 1) -> None:
    """Refuse what is no whole number, or too small a one."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError.not_one_of(what, value, [f"a whole number, {least} or more"])


def number_from(what: str, value: object, least: float, most: float = inf) -> None:
    """Refuse what is not a number from the least to the most."""
    if not _is_number(value) or not least <= value <= most:  # type: ignore[operator]
        allowed = f"a number, {least:g} or more" if most == inf else f"a number from {least:g} to {most:g}"
        raise UsageError.not_one_of(what, value, [allowed])


def number_above_zero(what: str, value: object, most: float = inf) -> None:
    """Refuse what is not a number above 0, at most the most."""
    if not _is_number(value) or not 0 < value <= most:  # type: ignore[operator]
        allowed = "a number above 0" if most == inf else f"a number above 0, at most {most:g}"
        raise UsageError.not_one_of(what, value, [allowed])


def one_of(what: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a word outside a fixed list."""
    if value not in allowed:
        raise UsageError.not_one_of(what, value, allowed)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
