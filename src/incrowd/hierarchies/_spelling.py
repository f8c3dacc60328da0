"""Short forms of hierarchies, as on a command line: `mask`, `intervals:widths=5/10/20,origin=0`, `age.csv`.

A value is a word, a number, several of them between slashes, or anything else in JSON.
"""

import json
import re
from collections.abc import Mapping
from json import JSONDecodeError, JSONDecoder
from typing import Any

from incrowd.errors import UsageError

_WITH_OPTIONS = re.compile(r"([A-Za-z_]\w*):(?=$|\s*[A-Za-z_]\w*\s*=)", re.ASCII)
_OPTION = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*", re.ASCII)
_JSON = ('"', "[", "{")
_WITH_SLASHES = ("path", "workload", "format")
"""Options whose text may hold slashes of its own; it is one text, whatever it looks like."""


def parse(text: str) -> str | dict[str, dict[str, Any]] | None:
    """What a short form says: a builder with its options, a builder or a path alone, or None where it is empty."""
    text = text.strip()
    named = _WITH_OPTIONS.match(text)
    if named is None:
        return text or None
    return {named[1]: _options(text, named.end())}


def spell(spec: str | Mapping[str, Mapping[str, Any] | None] | None) -> str:
    """The short form that `parse` reads as the given one."""
    if spec is None:
        return ""
    if isinstance(spec, str):
        return spec if parse(spec) == spec else spell({"levels": {"path": spec}})
    ((builder, options),) = spec.items()
    return f"{builder}:" + ",".join(f"{name}={_spelled(name, value)}" for name, value in (options or {}).items())


def _options(text: str, at: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while at < len(text):
        option = _OPTION.match(text, at)
        if option is None or option[1] in found:
            wrong = "an option has no name" if option is None else f"the option {option[1]!r} comes twice"
            raise _unreadable(text, wrong)
        found[option[1]], at = _value(text, option.end(), option[1] in _WITH_SLASHES)
    return found


def _value(text: str, at: int, with_slashes: bool) -> tuple[Any, int]:
    """The value that begins at a place, and where the next option begins."""
    if not text.startswith(_JSON, at):
        end = text.find(",", at) if "," in text[at:] else len(text)
        if with_slashes:
            return text[at:end].strip(), end + 1
        words = [_scalar(word.strip()) for word in text[at:end].split("/")]
        return (words[0] if len(words) == 1 else words), end + 1
    try:
        value, end = JSONDecoder().raw_decode(text, at)
    except JSONDecodeError:
        raise _unreadable(text, "what follows a bracket or a quotation mark is no JSON") from None
    rest = text[end:].lstrip()
    if rest and not rest.startswith(","):
        raise _unreadable(text, "no comma stands between two options")
    return value, len(text) - len(rest) + 1


def _scalar(word: str) -> Any:
    """A number or a truth value where the word is exactly how that is written, else the word."""
    try:
        value = json.loads(word)
    except (JSONDecodeError, ValueError):
        return word
    return value if not isinstance(value, str | list | dict) and json.dumps(value) == word else word


def _spelled(option: str, value: Any) -> str:
    if option in _WITH_SLASHES:
        return value if _is_word(value) else _in_json(value)
    words = value if isinstance(value, list | tuple) and len(value) > 1 else [value]
    plain = [_plain(word) for word in words]
    if all(word is not None for word in plain):
        return "/".join(word for word in plain if word is not None)
    return _in_json(value)


def _plain(value: Any) -> str | None:
    """How a single value is spelled without JSON; None where it cannot be."""
    if isinstance(value, str):
        return value if _is_word(value) and "/" not in value and _scalar(value) is value else None
    return None if isinstance(value, list | tuple | Mapping) else _in_json(value).strip('"')


def _is_word(value: Any) -> bool:
    """Whether a text ends where the next comma is and begins with itself."""
    return isinstance(value, str) and value == value.strip() != "" and "," not in value and not value.startswith(_JSON)


def _in_json(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, default=lambda each: dict(each) if isinstance(each, Mapping) else str(each)
    )


def _unreadable(text: str, wrong: str) -> UsageError:
    return UsageError.senseless(
        f"hierarchy {text!r}", wrong, "write it as intervals:widths=5/10/20,origin=0, as mask, or as the path of a file"
    )
