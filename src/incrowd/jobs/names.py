"""Names of columns on a command line, in double quotes where they could be misread."""

from __future__ import annotations

import re

_QUOTED = r'"((?:[^"]|"")*)"'
_BEFORE_VALUE = re.compile(rf"\s*(?:{_QUOTED}|([^\",=][^,=]*?))\s*=(.*)", re.DOTALL)
_IN_LIST = re.compile(rf'\s*(?:{_QUOTED}|([^",=]*?))\s*(?:,|\Z)', re.DOTALL)


def quoted(name: str) -> str:
    """Return a name as `split` and `listed` read it."""
    plain = name and name == name.strip() and not set(name) & set(',="')
    return name if plain else '"' + name.replace('"', '""') + '"'


def split(text: str) -> tuple[str, str] | None:
    """Return the name and the value of `name=value`; None where the text is none such."""
    found = _BEFORE_VALUE.fullmatch(text)
    return (_unquoted(found), found[3]) if found else None


def listed(text: str) -> list[str] | None:
    """Return the names of `a,b,c`; None where the text is no such list."""
    found: list[str] = []
    at = 0
    while at < len(text):
        part = _IN_LIST.match(text, at)
        if part is None:
            return None
        found.append(_unquoted(part))
        at = part.end()
    return [name for name in found if name]


def _unquoted(found: re.Match[str]) -> str:
    return found[2] if found[1] is None else found[1].replace('""', '"')
