"""Changes to a table as it is read, as a job has them (core.prepare)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from incrowd.core.prepare import Prepare, Range, Rows, ValueType, as_text
from incrowd.errors import UsageError


def prepare_given(given: Any) -> Prepare | None:
    """Return the changes that plain data describe; raise UsageError for others."""
    if given is None:
        return None
    try:
        return prepare_of(given)
    except ValueError as error:
        raise UsageError(f"prepare: {error}") from None


def parse(text: str) -> Any:
    """Return what a text says in JSON; another text as it is, to be refused with all other faults."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def spell(prepare: Prepare) -> str:
    """Return the changes as one text."""
    return json.dumps(prepare.to_plain(), ensure_ascii=False)


def prepare_of(given: Any) -> Prepare:
    """Return the changes that plain data describe; raise ValueError with the first fault."""
    if isinstance(given, Prepare):
        return given
    parts = _mapping(given, "prepare", ("rename", "recode", "type", "rows"))
    rename = {_text(old): _text(new) for old, new in _mapping(parts.get("rename", {}), "rename").items()}
    recode = {
        _text(name): {_text(old): None if new is None else _text(new) for old, new in _mapping(of, "recode").items()}
        for name, of in _mapping(parts.get("recode", {}), "recode").items()
    }
    types = {}
    for name, of in _mapping(parts.get("type", {}), "type").items():
        if of not in tuple(ValueType):
            raise ValueError(f"the type of column {name!r} must be one of {', '.join(ValueType)}")
        types[_text(name)] = ValueType(of)
    return Prepare(rename, recode, types, _rows_of(parts.get("rows", {})))


def _rows_of(given: Any) -> Rows:
    parts = _mapping(given, "rows", ("where", "sample", "seed", "first"))
    where = {_text(name): _wanted(of) for name, of in _mapping(parts.get("where", {}), "where").items()}
    sample, seed, first = parts.get("sample"), parts.get("seed"), parts.get("first")
    if sample is not None and not (_is_number(sample) and 0 < sample < 1):
        raise ValueError("sample must be a share of the records between 0 and 1, such as 0.1")
    if sample is not None and not (isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0):
        raise ValueError("a sample needs a seed, a whole number that you keep secret: who knows it knows the sample")
    if first is not None and not (isinstance(first, int) and not isinstance(first, bool) and first >= 1):
        raise ValueError("first must be a number of records, 1 or more")
    return Rows(where, None if sample is None else float(sample), 0 if sample is None else int(seed or 0), first)


def _wanted(given: Any) -> tuple[str | None, ...] | Range:
    if isinstance(given, list | tuple):
        return tuple(None if each is None else _text(each) for each in given)
    if not isinstance(given, Mapping):
        return (_text(given),)
    bounds = _mapping(given, "where", ("from", "to"))
    low, high = (of.isoformat() if isinstance(of, date) else of for of in (bounds.get("from"), bounds.get("to")))
    told = [of for of in (low, high) if of is not None]
    if not told or not (all(map(_is_number, told)) or all(isinstance(of, str) for of in told)):
        raise ValueError("a range needs from, to or both: two numbers, or two texts such as dates")
    return Range(low, high)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _text(given: Any) -> str:
    """Return a name or a value as text: 99 in a job file is a number."""
    if isinstance(given, date):
        return given.isoformat()
    if not isinstance(given, str | int | float):
        raise ValueError("names and values must be text, numbers or dates")
    return str(as_text(given))


def _mapping(given: Any, what: str, keys: Sequence[str] = ()) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping):
        raise ValueError(f"{what} must have keys with values")
    unknown = [str(key) for key in given if keys and key not in keys]
    if unknown:
        raise ValueError(f"{what} has no key {unknown[0]!r}; there are {', '.join(keys)}")
    return given
