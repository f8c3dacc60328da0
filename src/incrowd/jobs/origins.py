"""A source with options of its own as one text of a command line: `sqlite:///wards.db,table=south`.

The location comes first. A location or value with a comma or a double quote in it, or a blank at its ends, stands in
double quotes, a quote within doubled: `'wards.db,query="SELECT age, sex FROM south"'`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from incrowd.errors import UsageError
from incrowd.jobs import names
from incrowd.jobs.frozen import number

_VALUE = r'(?:"((?:[^"]|"")*)"|([^",]*?))\s*(?:,|\Z)'
_LOCATION = re.compile(rf"\s*{_VALUE}", re.DOTALL)
_PAIR = re.compile(rf"\s*([a-z]+)\s*=\s*{_VALUE}", re.DOTALL)
_HOW = "write it as LOCATION,option=value, such as sqlite:///wards.db,table=south"


def parse(text: str) -> str | dict[str, Any]:
    """Return what a text says of a source: its location alone, or its keys as a job has them."""
    first = _LOCATION.match(text)
    location = "" if first is None else _unquoted(first[1], first[2])
    if first is None or not location:
        raise UsageError.invalid("--source", "it names no file or URL", _HOW)
    options: dict[str, Any] = {}
    at = first.end()
    while at < len(text):
        pair = _PAIR.match(text, at)
        if pair is None:
            raise UsageError.invalid("--source", "the text after the location cannot be read", _HOW)
        options[pair[1]] = _READ.get(pair[1], str)(_unquoted(pair[2], pair[3]))
        at = pair.end()
    return {"url" if "://" in location else "file": location, **options} if options else location


def spell(source: str | Mapping[str, Any]) -> str:
    """Return a source as `parse` reads it."""
    if isinstance(source, str):
        return _quoted(source)
    location, *rest = [(key, value) for key, value in source.items() if value is not None]
    return ",".join([_quoted(str(location[1])), *(f"{key}={_quoted(_written(value))}" for key, value in rest)])


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(names.quoted(str(each)) for each in value)
    return "tab" if value == "\t" else str(value)


def _quoted(text: str) -> str:
    plain = text and text == text.strip() and not set(text) & set(',"')
    return text if plain else '"' + text.replace('"', '""') + '"'


def _unquoted(quoted: str | None, plain: str | None) -> str:
    return str(plain) if quoted is None else quoted.replace('""', '"')


_READ: dict[str, Any] = {
    "names": lambda text: names.listed(text) or text,
    "widths": lambda text: [number(each.strip()) for each in text.split(",")],
    "header": lambda text: {"true": True, "false": False}.get(text, text),
}
"""How options are read that are no single text."""
