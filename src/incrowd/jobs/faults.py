"""Faults that pydantic found, in our own words, none of which quotes a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from incrowd.errors import close_to
from incrowd.jobs.document import Place, Written
from incrowd.jobs.parts import Column, Data, Origin, Output, Part, Population

_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "string_type": lambda of: "it must be text; put it in quotes",
    "string_too_short": lambda of: "it is empty; give a value or omit it",
    "int_type": lambda of: "it must be a whole number",
    "float_type": lambda of: "it must be a number",
    "finite_number": lambda of: "it must be a finite number",
    "bool_type": lambda of: "it must be true or false",
    "tuple_type": lambda of: "it must be a list",
    "too_short": lambda of: "it is empty; give a value",
    "enum": lambda of: f"it must be {of['expected']}",
    "greater_than": lambda of: f"it must be greater than {of['gt']:g}",
    "greater_than_equal": lambda of: f"it must be {of['ge']:g} or more",
    "value_error": lambda of: str(of["error"]),
}
_NO_KEYS = ("dict_type", "mapping_type", "model_type", "model_attributes_type")
_SOURCE = ("data", "source")
_KEYS_OF_TABLE = ("data", "columns", "of", "on")
_PARTS: dict[str, type[Part]] = {"data": Data, "output": Output, "population": Population}


def note(error: ValidationError, written: Written, keys_of_job: Sequence[str]) -> None:
    """Add what pydantic found to the faults of a job."""
    errors = error.errors(include_url=False, include_input=False)
    for found in errors:
        place, kind = _without_tags(found["loc"]), found["type"]
        if kind == "default_factory_not_called":
            # What it would be follows from a key whose fault is told.
            continue
        if kind == "too_short" and any(_is_below(_without_tags(other["loc"]), place) for other in errors):
            # The items that were refused do not count.
            continue
        keys = _keys(place[:-1] if kind in ("extra_forbidden", "missing") else place, keys_of_job)
        if place == ("tables",):
            written.fault(place, "a job of several tables is run by anonymize")
        elif kind == "extra_forbidden":
            hint = close_to(str(place[-1]), keys)
            written.fault(place, f"there is no such key; there are {', '.join(keys)}{hint}")
        elif kind == "missing":
            written.fault(place[:-1], f"{place[-1]!r} is missing")
        elif kind in _NO_KEYS:
            written.fault(place, f"it must be a mapping: {', '.join(keys) or 'columns, each with its role'}")
        else:
            words = _WORDS.get(kind)
            written.fault(place, words(found.get("ctx", {})) if words else found["msg"])


def _is_below(place: Place, other: Place) -> bool:
    return len(place) > len(other) and place[: len(other)] == other


def _without_tags(place: Place) -> Place:
    """Return the place of a fault without the word by which pydantic tells sources apart."""
    return (*place[:3], *place[4:]) if place[:2] == _SOURCE else place


def _keys(place: Place, keys_of_job: Sequence[str]) -> Sequence[str]:
    """Return the keys that a part of a job may have."""
    if not place:
        return keys_of_job
    if place[0] == "tables":
        return list(_KEYS_OF_TABLE) if len(place) == 2 else _keys(place[2:], ()) if len(place) > 2 else ()
    if place[0] == "columns":
        return list(Column.model_fields) if len(place) > 1 else ()
    if place[:2] == _SOURCE and len(place) > 2:
        return list(Origin.model_fields)
    part = _PARTS.get(str(place[0]))
    return list(part.model_fields) if part else ()
