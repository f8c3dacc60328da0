"""A job as JSON, the same as in YAML."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from incrowd.jobs.document import Place, Written, lists_values

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def read(text: str, name: str) -> Written:
    """Return the data of a JSON text and its lines."""
    written = Written(name)
    try:
        json.loads(text, parse_constant=_no_number)
        written.lines[()] = 1
        written.plain = _Walk(written, text).value(())
    except json.JSONDecodeError as error:
        raise written.broken(error.lineno, f"this is not valid JSON: {error.msg}") from None
    except ValueError:
        raise written.broken(None, "it contains a number that is invalid or too long") from None
    except RecursionError:
        raise written.broken(None, "it is nested too deeply") from None
    return written


def write(plain: Mapping[str, Any]) -> str:
    """Return plain data as JSON."""
    return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


class _Walk:
    """Reads once more, with lines, a text that is known to be JSON."""

    def __init__(self, written: Written, text: str) -> None:
        self._written = written
        self._tokens = _TOKEN.finditer(text)
        self._ends = [match.end() for match in re.finditer("\n", text)]
        self._token, self._line = "", 1
        self._step()

    def value(self, place: Place) -> Any:
        """Return the data that the present token begins; afterwards the present token is the one behind it."""
        token = self._step()
        if token == "{":
            found: Any = self._written.mapping(place, self._entries())
        elif token == "[":
            found = list(self._items(place))
        else:
            return token if lists_values(place) and not token.startswith('"') else json.loads(token)
        self._step()
        return found

    def _entries(self) -> Iterator[tuple[str, int, Callable[[Place], Any]]]:
        while self._token != "}":
            if self._token == ",":
                self._step()
            line, key = self._line, json.loads(self._step())
            self._step()
            yield key, line, self.value

    def _items(self, place: Place) -> Iterator[Any]:
        at = 0
        while self._token != "]":
            if self._token == ",":
                self._step()
            here = (*place, at)
            self._written.lines[here] = self._line
            yield self.value(here)
            at += 1

    def _step(self) -> str:
        """Return the present token; the next one takes its place."""
        passed, match = self._token, next(self._tokens, None)
        self._token = match.group() if match else ""
        self._line = bisect_right(self._ends, match.start()) + 1 if match else self._line
        return passed
