"""Rules and protections as text and as data: `dominance:n=2,k=85` is {"dominance": {"n": 2, "k": 85}}."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from incrowd.errors import UsageError, close_to, listed
from incrowd.registry import members

FAMILIES = {"rule": ("tables.rules", "RULE"), "protection": ("tables.protections", "PROTECTION")}


def named(what: str, given: str | Mapping[str, Any]) -> tuple[str, Any]:
    """A rule or a protection and its name, from a short text or from {name: options}."""
    data = _read(what, given) if isinstance(given, str) else given
    if not isinstance(data, Mapping) or len(data) != 1:
        raise UsageError.senseless(f"a {what}", "it is not one name with its options", "write {threshold: {n: 3}}")
    [(name, options)] = data.items()
    family, declares = FAMILIES[what]
    known = members(family, declares)
    if name not in known:
        there_are = f"the {what}s are {', '.join(sorted(known))}{close_to(str(name), known)}"
        raise UsageError.senseless(f"{what} {name!r}", "there is none of this name", there_are)
    kind = getattr(known[name], declares)
    names = [each.name for each in fields(kind)]
    has = f"its options are {', '.join(names)}" if names else "it has no options"
    if not isinstance(options, Mapping | None):
        raise UsageError.senseless(f"{what} {name}", "its options have no names", has)
    unknown = [key for key in options or {} if key not in names]
    if unknown:
        raise UsageError.senseless(f"{what} {name}", f"it has no option {listed(unknown)}", has)
    return name, kind(**(options or {}))


def spelled(name: str, member: Any) -> str:
    """The shortest text that `named` turns into the member."""
    given = [(each.name, getattr(member, each.name)) for each in fields(member)]
    chosen = [
        f"{key}={value}" for (key, value), each in zip(given, fields(member), strict=True) if value != each.default
    ]
    return ":".join(filter(None, [name, ",".join(chosen)]))


def _read(what: str, text: str) -> dict[str, dict[str, Any]]:
    name, _, written = text.partition(":")
    options: dict[str, Any] = {}
    for part in written.split(",") if written else []:
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError.senseless(f"{what} {name}", f"{part!r} has no =", "write it as name:option=value,...")
        if key.strip() in options:
            raise UsageError.senseless(f"{what} {name}", f"{key.strip()} is given twice", "give it once")
        options[key.strip()] = _number(value.strip())
    return {name.strip(): options}


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
