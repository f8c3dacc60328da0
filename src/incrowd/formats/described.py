"""Sources described by keys: a location and its own reading options."""

from collections.abc import Mapping
from dataclasses import fields
from os import PathLike, fspath
from typing import Any

from incrowd.errors import UsageError, close_to
from incrowd.formats.options import ReadOptions

_PLACES = ("file", "url")
_OWN = tuple(each.name for each in fields(ReadOptions) if each.name not in ("missing", "spreadsheet_safe", "prepare"))


def location_of(source: Any) -> str | None:
    """Return the path or URL of a source given as such or described by keys; None for a frame."""
    if isinstance(source, Mapping):
        source = next((source[key] for key in _PLACES if source.get(key) is not None), None)
    return str(fspath(source)) if isinstance(source, str | PathLike) else None


def described(source: Mapping[str, Any], missing: tuple[str, ...]) -> tuple[str, ReadOptions]:
    """Return the location and the options of a described source; missing-value markers are those of all sources."""
    unknown = [key for key in source if key not in (*_PLACES, *_OWN)]
    if unknown:
        there_are = f"there are {', '.join((*_PLACES, *_OWN))}{close_to(str(unknown[0]), (*_PLACES, *_OWN))}"
        raise UsageError.invalid(f"the key {unknown[0]!r} of a source", "there is no such key", there_are)
    location = location_of(source)
    if location is None or all(source.get(key) is not None for key in _PLACES):
        raise UsageError.invalid("a source", "it needs exactly one location", "give either 'file' or 'url'")
    given: dict[str, Any] = {key: source[key] for key in _OWN if source.get(key) is not None}
    for key in ("names", "widths"):
        given |= {key: tuple(given[key])} if key in given else {}
    return location, ReadOptions(missing, **given)
