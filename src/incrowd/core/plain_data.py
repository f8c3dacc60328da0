"""Dataclasses as plain data for JSON, and back: strictly, and by the version of the form in which they are written."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

from incrowd.errors import SourceError

Plain = dict[str, Any]
"""Data as JSON has it."""

_SINGLE = frozenset({NoneType, bool, int, float, str})
"""Types that are plain already; a record may hold millions of these."""

SINCE = "since"
"""In the metadata of a field with a default: the first form that has it."""


class OwnForm(ABC):
    """A dataclass whose plain form is not that of its fields."""

    @abstractmethod
    def to_plain(self, format: int) -> Plain:
        """Return plain data, in that form."""

    @classmethod
    @abstractmethod
    def from_plain(cls, plain: Plain, format: int) -> Self:
        """Return what `to_plain` gave; ValueError, KeyError or TypeError for anything else."""


def encoded_fields(value: Any, format: int) -> Plain:
    """Return a dataclass as plain data, without the fields that its form does not have yet."""
    return {each.name: _encoded(getattr(value, each.name), format) for each in fields(value) if _is_in(each, format)}


def _is_in(given: "Field[Any]", format: int) -> bool:
    return int(given.metadata.get(SINCE, 1)) <= format


def _encoded(value: Any, format: int) -> Any:
    if type(value) in _SINGLE:
        return value
    if isinstance(value, OwnForm):
        return value.to_plain(format)
    if is_dataclass(value):
        return encoded_fields(value, format)
    if isinstance(value, Mapping):
        return {key: _encoded(of, format) for key, of in value.items()}
    if isinstance(value, tuple | list):
        return list(value) if _SINGLE.issuperset(map(type, value)) else [_encoded(each, format) for each in value]
    return value


def decoded_fields(kind: Any, plain: Any, format: int, name: str, place: str = "") -> Any:
    """Return the dataclass that plain data of a form are; refused under the given name where a part is lacking or
    unfit."""
    types = get_type_hints(kind)
    wanted = {each.name for each in fields(kind) if _is_in(each, format)}
    if not isinstance(plain, dict):
        raise _unfit(name, place, "is malformed")
    dot = f"{place}." if place else ""
    for key in sorted(wanted ^ plain.keys()):
        raise _unfit(name, f"{dot}{key}", "is missing" if key in wanted else "is unknown")
    return kind(**{key: _decoded(types[key], plain[key], format, name, f"{dot}{key}") for key in wanted})


def _decoded(kind: Any, plain: Any, format: int, name: str, place: str) -> Any:
    """Return plain data as the type that a field has."""
    if isinstance(kind, type) and issubclass(kind, OwnForm):
        return _of_own_form(kind, plain, format, name, place)
    if is_dataclass(kind):
        return decoded_fields(kind, plain, format, name, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        # Every union here is "something or None".
        some = next(each for each in arguments if each is not NoneType)
        return None if plain is None else _decoded(some, plain, format, name, place)
    if origin is tuple and isinstance(plain, list):
        if _all_fit(arguments[0], plain):
            return tuple(plain)
        return tuple(_decoded(arguments[0], each, format, name, f"{place}[{at}]") for at, each in enumerate(plain))
    if origin in (Mapping, dict) and isinstance(plain, dict):
        return {key: _decoded(arguments[1], each, format, name, f"{place}.{key}") for key, each in plain.items()}
    if kind is Any or _fits(kind, plain):
        return plain
    raise _unfit(name, place, "is malformed")


def _of_own_form(kind: type[OwnForm], plain: Any, format: int, name: str, place: str) -> OwnForm:
    if isinstance(plain, dict):
        try:
            return kind.from_plain(plain, format)
        except (ValueError, KeyError, TypeError):
            pass
    raise _unfit(name, place, "is malformed")


def _all_fit(kind: Any, plain: list[Any]) -> bool:
    """Return whether all of a list have a plain type, in one go: a record may hold millions of these."""
    types = _AT_ONCE.get(kind)
    return types is not None and types.issuperset(map(type, plain)) and (kind is not int or min(plain, default=0) >= 0)


_AT_ONCE: dict[Any, frozenset[type]] = {
    str: frozenset({str}),
    str | None: frozenset({str, NoneType}),
    int: frozenset({int}),
    float: frozenset({int, float}),
}


def _fits(kind: Any, plain: Any) -> bool:
    if kind is float:
        return isinstance(plain, int | float) and not isinstance(plain, bool)
    if kind is int:
        # All of them count something.
        return isinstance(plain, int) and not isinstance(plain, bool) and plain >= 0
    return isinstance(kind, type) and isinstance(plain, kind)


def _unfit(name: str, place: str, wrong: str) -> SourceError:
    return SourceError.of(name, f"its part {place!r} {wrong}", "get it again from the publisher of the release")
