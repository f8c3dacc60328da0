"""The text of options: `option=value,option=value`. One grammar for the members of all families.

Options are separated by commas. The declared type of an option says how its value is read:

    Name, Names, ...   text up to a comma; a backslash takes the meaning from the character after it
    str, Text, Path    text up to a comma, or a JSON string
    anything else      a word, a number, several of them between slashes, or JSON
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin


def split(text: str, separator: str) -> list[str]:
    """Return the parts between separators that no backslash precedes; backslashes stay."""
    parts = [""]
    for token in re.findall(r"\\.|.", text, re.DOTALL):
        if token == separator:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def escaped(text: str, also: str = "") -> str:
    """Return the text with a backslash before every separator."""
    return re.sub(rf"([\\,+/{also}])", r"\\\1", text)


def unescaped(text: str) -> str:
    """Return the text without its backslashes."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


@dataclass(frozen=True)
class TextForm:
    """Text form of an option, given in its type as Annotated[type, TextForm(read, write)]."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def joined(separator: str) -> TextForm:
    """Return the text form of several names between separators."""
    return TextForm(
        lambda text: tuple(unescaped(part) for part in split(text, separator)) if text else (),
        lambda names: separator.join(escaped(name) for name in names),
    )


class _Verbatim:
    """Marks text in which a slash separates nothing."""


Name = Annotated[str, TextForm(unescaped, escaped)]
Names = Annotated[tuple[str, ...], joined("/")]
Text = Annotated[str, _Verbatim()]

_OPTION = re.compile(r"\s*([A-Za-z_]\w*)\s*=", re.ASCII)
_JSON = ('"', "[", "{")


def read_options(text: str, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a text gives; raise ValueError with the reason if it is unreadable."""
    found: dict[str, Any] = {}
    at = 0
    while text[at:].strip():
        option = _OPTION.match(text, at)
        if option is None:
            raise ValueError(f"{split(text[at:], ',')[0].strip()!r} has no =")
        if option[1] in found:
            raise ValueError(f"the option {option[1]!r} comes twice")
        found[option[1]], at = _value(text, option.end(), types.get(option[1]))
    return found


def write_options(options: Mapping[str, Any], types: Mapping[str, Any]) -> str:
    """Return the text that `read_options` reads as the options."""
    return ",".join(f"{name}={_written(value, types.get(name))}" for name, value in options.items())


def _value(text: str, at: int, kind: Any) -> tuple[Any, int]:
    """Return the value that begins at a place, and where the next option begins."""
    leaves = set(_leaves(kind))
    form = next((each for each in leaves if isinstance(each, TextForm)), None)
    if form is not None:
        part = split(text[at:], ",")[0]
        return form.read(part), at + len(part) + 1
    at += len(text[at:]) - len(text[at:].lstrip())
    is_text = bool(leaves) and leaves <= {str, None.__class__, Path, _Verbatim}
    if text.startswith(_JSON, at):
        try:
            return _json(text, at)
        except ValueError:
            # A text may begin with a bracket; one that begins with a quotation mark is quoted.
            if not is_text or text.startswith('"', at):
                raise
    end = text.find(",", at) if "," in text[at:] else len(text)
    words = [text[at:end].strip()] if is_text else [word.strip() for word in text[at:end].split("/")]
    if is_text:
        is_none = words == ["null"] and None.__class__ in leaves and not leaves & {Path, _Verbatim}
        return (None if is_none else words[0]), end + 1
    values = [_scalar(word, bool(leaves & {int, float})) for word in words]
    return (values[0] if len(values) == 1 else values), end + 1


def _json(text: str, at: int) -> tuple[Any, int]:
    try:
        value, end = JSONDecoder().raw_decode(text, at)
    except JSONDecodeError:
        raise ValueError("the text after a bracket or a quotation mark is not JSON") from None
    rest = text[end:].lstrip()
    if rest and not rest.startswith(","):
        raise ValueError("there is no comma between two options")
    return value, len(text) - len(rest) + 1


def _scalar(word: str, is_number: bool) -> Any:
    """Return the number or truth value if the word is exactly how that is written, else the word."""
    try:
        value = json.loads(word)
    except (JSONDecodeError, ValueError, RecursionError):
        return number(word) if is_number else word
    same = not isinstance(value, str | list | dict) and json.dumps(value) == word
    return value if same else number(word) if is_number else word


def number(text: str) -> int | float | str:
    """Return the number that a text is, or the text itself, which is then refused by name."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _written(value: Any, kind: Any) -> str:
    leaves = set(_leaves(kind))
    form = next((each for each in leaves if isinstance(each, TextForm)), None)
    if form is not None:
        return form.write(value)
    if leaves & {Path, _Verbatim}:
        return value if _is_word(value) else _in_json(value)
    words = value if isinstance(value, list | tuple) and len(value) > 1 else [value]
    plain = [_plain_word(word, bool(leaves & {int, float})) for word in words]
    if all(word is not None for word in plain):
        return "/".join(word for word in plain if word is not None)
    return _in_json(value)


def _plain_word(value: Any, is_number: bool) -> str | None:
    """Return how a single value is spelled without JSON; None if it cannot be."""
    if isinstance(value, str):
        return value if _is_word(value) and "/" not in value and _scalar(value, is_number) is value else None
    return None if isinstance(value, list | tuple | Mapping) else _in_json(value).strip('"')


def _is_word(value: Any) -> bool:
    """Return whether a text ends at the next comma and begins with itself."""
    return isinstance(value, str) and value == value.strip() != "" and "," not in value and not value.startswith(_JSON)


def _in_json(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, default=lambda each: dict(each) if isinstance(each, Mapping) else str(each)
    )


def _leaves(kind: Any) -> Iterator[Any]:
    """Yield the types of a union, and the marks on them; nothing of an unknown type."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        forms = [_Verbatim if isinstance(mark, _Verbatim) else mark for mark in marks]
        yield from forms
        yield from _leaves(inner)
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from _leaves(each)
    elif kind is not None:
        yield kind
