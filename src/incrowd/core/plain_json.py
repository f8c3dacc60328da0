"""JSON as it should be: no NaN, no infinity, and no text that cannot be written again."""

import json
from typing import Any


def parsed(text: str) -> Any:
    """Return the plain data of a JSON text; ValueError or RecursionError where it is none."""
    found = json.loads(text, parse_constant=_refused)
    if "\\ud" in text.lower():
        # Half a character can be spelled in JSON, but stands for nothing: this raises where there is one.
        json.dumps(found, ensure_ascii=False).encode()
    return found


def _refused(word: str) -> None:
    raise ValueError(word)
