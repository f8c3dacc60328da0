"""${NAME} in a job file: an environment variable, in what the job reads and writes.

Jobs that come over the network never resolve variables: the environment of a service is not theirs to read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from incrowd.jobs.document import Place, Written

_PARTS = ("data", "output", "population")
_SHOWN = "table"
"""The names of tables are in the manifest; all other values stay out of what a run writes about itself."""
_VARIABLE = re.compile(r"(\$)?\$\{([A-Za-z_][A-Za-z_0-9]*\})?")

Unresolved = Mapping[Place, str]
"""By place in the full form of a job, such as ("data", "source", 0): the text with its variables."""


def resolved(written: Written) -> dict[Place, str]:
    """Put the values of variables into the texts of a job; return those texts as they were written."""
    found: dict[Place, str] = {}
    if isinstance(written.plain, Mapping):
        written.plain = {
            key: _value((key,), value, written, found) if key in _PARTS else value
            for key, value in written.plain.items()
        }
    return found


def unresolved(plain: dict[str, Any], texts: Unresolved) -> dict[str, Any]:
    """Return a job in its full form with the texts as they were written."""
    found = {key: dict(value) if key in _PARTS else value for key, value in plain.items()}
    for place, text in texts.items():
        part, key = found[str(place[0])], str(place[1])
        if len(place) > 2:
            part[key] = [text if at == place[2] else each for at, each in enumerate(part[key])]
        else:
            part[key] = text
    return found


def _value(place: Place, value: Any, written: Written, found: dict[Place, str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _value((*place, key), of, written, found) for key, of in value.items()}
    if isinstance(value, list):
        return [_value((*place, at), each, written, found) for at, each in enumerate(value)]
    if not isinstance(value, str) or "${" not in value:
        return value
    if place[-1] != _SHOWN:
        found[_full(place)] = value
    return _VARIABLE.sub(lambda match: _text(match, place, written), value)


def _full(place: Place) -> Place:
    """Return the place of a text in the full form: `data: a.csv` stands for `data: {source: [a.csv]}`."""
    if len(place) == 1:
        place = (*place, "to" if place[0] == "output" else "source")
    elif isinstance(place[1], int):
        place = (place[0], "source", place[1])
    return (*place, 0) if place[-1] == "source" else place


def _text(match: re.Match[str], place: Place, written: Written) -> str:
    doubled, name = match[1], (match[2] or "").removesuffix("}")
    if doubled:
        return match[0][1:]
    if not name:
        written.fault(place, "${ begins the name of an environment variable, such as ${NAME}; write $${ for the text")
    elif name not in os.environ:
        written.fault(place, f"the environment variable {name} is not set; set it, or write $${{ for the text")
    return os.environ.get(name, match[0])
