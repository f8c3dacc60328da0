"""Plain data that nobody can change: what a job holds where the keys are not its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from math import isfinite
from os import PathLike, fspath
from typing import Any

from incrowd.core.brief import Brief


class FrozenMapping(Brief, Mapping[str, Any]):
    """Keys with values, of which none can be added, taken or changed."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, key: str) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def fixed(value: Any) -> Any:
    """Return immutable data that every form of a job can hold; raise ValueError for other data."""
    if isinstance(value, Mapping):
        return FrozenMapping({_key(key): fixed(of) for key, of in value.items()})
    if isinstance(value, list | tuple):
        return tuple(map(fixed, value))
    if isinstance(value, date | PathLike):
        return value.isoformat() if isinstance(value, date) else str(fspath(value))
    if not isinstance(value, str | int | float | None) or (isinstance(value, float) and not isfinite(value)):
        raise ValueError(f"{type(value).__name__} is not supported in a job; give text, numbers and lists")
    return value


def plain(value: Any) -> Any:
    """Return fixed data as dictionaries and lists, whole numbers without a point."""
    if isinstance(value, Mapping):
        return {key: plain(of) for key, of in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def number(text: str) -> Any:
    """Return a number where the text is one; other texts as they are, to be refused with all other faults."""
    if re.fullmatch(r"\s*[-+]?[0-9]{1,4000}\s*", text, re.ASCII):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError("a key is not text; put it in quotes")
    return key
