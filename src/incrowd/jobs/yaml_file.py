"""A job as YAML, read as YAML 1.2 reads it: `no` and `010` are texts, and names of columns always are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from incrowd.jobs.document import Place, Written, lists_values

_MOST_REPEATED = 10_000
"""Parts that aliases may repeat, all in all; a few lines of them can stand for billions."""

_SCALARS: dict[str, Callable[[str], Any]] = {
    "tag:yaml.org,2002:null": lambda text: None,
    "tag:yaml.org,2002:bool": lambda text: text.lower() == "true",
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:str": str,
}
_FORMS = {
    "null": (r"null|Null|NULL|~|", ["n", "N", "~", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    "float": (r"[-+]?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|(?:0|[1-9][0-9]*)\.?)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
    "merge": (r"<<", ["<"]),
}


class _Loader(yaml.SafeLoader):
    """Plain data alone, and of the many forms of YAML 1.1 only those that nobody writes by mistake."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # PyYAML's own way to say it


def read(text: str, name: str) -> Written:
    """Return the data of a YAML text and its lines."""
    written = Written(name)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        raise written.broken(
            line, f"this is not valid YAML: {error.problem}; check this line and those above"
        ) from None
    except yaml.YAMLError:
        raise written.broken(None, "it contains characters that YAML does not allow; save it as UTF-8") from None
    except RecursionError:
        raise written.broken(None, "it is nested too deeply") from None
    if node is None:
        return written
    written.lines[()] = node.start_mark.line + 1
    written.plain = _Walk(written).value((), node)
    return written


class _Walk:
    """From YAML's nodes to plain data."""

    def __init__(self, written: Written) -> None:
        self._written = written
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._repeated = 0

    def value(self, place: Place, node: yaml.Node) -> Any:
        """Return the data at a node."""
        self._refuse_endless(node)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(place, node)
        if node.tag not in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            return self._tagged(place, node)
        self._open.add(id(node))
        if isinstance(node, yaml.MappingNode):
            found: Any = self._written.mapping(place, self._entries(place, node))
        else:
            found = [self._item((*place, at), item) for at, item in enumerate(node.value)]
        self._open.remove(id(node))
        return found

    def _entries(self, place: Place, node: yaml.MappingNode) -> Iterator[tuple[str, int, Callable[[Place], Any]]]:
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.tag == "tag:yaml.org,2002:merge":
                self._note(place, line, "merge keys (<<) are not supported; write the keys out")
            elif not isinstance(key, yaml.ScalarNode):
                self._note(place, line, "a key is not text; put it in quotes")
            else:
                yield key.value, line, lambda here, value=value: self.value(here, value)  # type: ignore[misc]

    def _item(self, place: Place, node: yaml.Node) -> Any:
        self._written.lines[place] = node.start_mark.line + 1
        return self.value(place, node)

    def _scalar(self, place: Place, node: yaml.ScalarNode) -> Any:
        if node.tag not in _SCALARS:
            return self._tagged(place, node)
        if lists_values(place):
            return node.value
        try:
            return _SCALARS[node.tag](node.value)
        except ValueError:
            self._note(place, node.start_mark.line + 1, "its value does not fit its tag; remove the tag")
            return None

    def _tagged(self, place: Place, node: yaml.Node) -> None:
        self._note(place, node.start_mark.line + 1, "a job is plain data; remove the tag")

    def _note(self, place: Place, line: int, what: str) -> None:
        self._written.lines[place] = line
        self._written.fault(place, what)

    def _refuse_endless(self, node: yaml.Node) -> None:
        """Refuse aliases that repeat parts without end or beyond measure."""
        line = node.start_mark.line + 1
        if id(node) in self._open:
            raise self._written.broken(line, "an alias (*) is inside the part it repeats; write the part out")
        self._repeated += id(node) in self._seen
        self._seen.add(id(node))
        if self._repeated > _MOST_REPEATED:
            raise self._written.broken(line, f"aliases (*) repeat more than {_MOST_REPEATED:,} parts; write them out")


class _Dumper(yaml.SafeDumper):
    """Texts that could be misread are quoted; what breaks a line is written as an escape."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def text(self, data: str) -> yaml.Node:
        """Return a text, on one line."""
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=None if data.isprintable() else '"')

    def number(self, data: float) -> yaml.Node:
        """Return a number in a form that YAML 1.1 and 1.2 both take for one."""
        mantissa, e, exponent = repr(data).partition("e")
        point = "" if "." in mantissa or not e else ".0"
        return self.represent_scalar("tag:yaml.org,2002:float", f"{mantissa}{point}{e}{exponent}")


_Dumper.add_representer(str, _Dumper.text)
_Dumper.add_representer(float, _Dumper.number)
for _kind in (_Loader, _Dumper):
    for _name, (_form, _first) in _FORMS.items():
        _kind.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(rf"(?:{_form})\Z"), _first)

_WIDE = 120


def write(plain: Mapping[str, Any], notes: Mapping[str, str] | None = None) -> str:
    """Return plain data as YAML, a line for each short part; notes on keys and columns become comments."""
    notes = notes or {}
    parts: list[str] = []
    for key, value in plain.items():
        comment = _comment(notes.get(key), "")
        if key == "columns":
            columns = [
                _comment(notes.get(f"columns.{name}"), "  ") + _entry(name, of, "  ") for name, of in value.items()
            ]
            parts.append(f"{comment}columns:\n" + "".join(columns))
        else:
            parts.append(comment + _entry(key, value, ""))
    return "".join(parts)


def _comment(note: str | None, indent: str) -> str:
    return "".join(f"{indent}# {line}\n" for line in note.splitlines()) if note else ""


def _entry(key: str, value: Any, indent: str) -> str:
    """Return a key and its value: on one line, or with a line for each item of a list, or where too wide in blocks."""
    if key == "models" and not indent:
        return f"{key}:\n" + "".join(f"  - {_flow(item)}\n" for item in value)
    flow = _flow({key: value})[1:-1]
    text = f"{flow}\n" if len(flow) <= _WIDE and not flow.startswith("?") else _blocks({key: value})
    return "".join(f"{indent}{line}" for line in text.splitlines(keepends=True))


def _flow(value: Any) -> str:
    return _dumped(value, True).rstrip("\n").removesuffix("\n...")


def _blocks(value: Any) -> str:
    return _dumped(value, False)


def _dumped(value: Any, flow: bool) -> str:
    return str(
        yaml.dump(
            value, Dumper=_Dumper, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=float("inf")
        )
    )
