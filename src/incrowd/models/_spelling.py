"""Models as text and as data: `distinct_l:l=3,column=disease` is {"distinct_l": {"l": 3, "column": "disease"}}.

In text a comma separates parameters, + columns that are judged jointly, / the items of a list; a backslash takes the
meaning from the character after it. In data, columns whose names have a plus sign are given as a list.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

from incrowd.errors import UsageError, close_to, listed
from incrowd.models import _ranges
from incrowd.models._contract import PrivacyModel
from incrowd.models.columns import Column
from incrowd.models.texts import escaped, split, unescaped
from incrowd.registry import members

_LIST = tuple[str, ...]
_SEPARATORS: dict[Any, str] = {Column: "+", _LIST: "/"}
"""Between the items, by the type of the parameter."""

_OWN_FORMS: dict[Any, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    _ranges.Ranges: (_ranges.read_ranges, _ranges.write_ranges),
    _ranges.Policy: (_ranges.read_policy, _ranges.write_policy),
    _ranges.Domain: (_ranges.read_domain, _ranges.write_domain),
}
"""Types of parameters with a text form of their own: how it is read and written."""


def parse(text: str) -> PrivacyModel:
    """The model that a short text describes."""
    return from_dict(read(text))


def read(text: str) -> dict[str, dict[str, Any]]:
    """Name and parameters that a short text gives, before anything is made of them."""
    name, _, written = text.partition(":")
    types = get_type_hints(_class_of(name))
    parameters: dict[str, Any] = {}
    for part in split(written, ",") if written else []:
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError.senseless(f"model {name}", f"{part!r} has no =", "write it as name:parameter=value,...")
        if key in parameters:
            raise UsageError.senseless(f"model {name}", f"{key} is given twice", "give it once")
        parameters[key] = _read(value, types.get(key, str))
    return {name: parameters}


def spell(model: PrivacyModel) -> str:
    """The shortest text that `parse` turns into the model."""
    types = get_type_hints(type(model))
    written = [f"{field.name}={_write(value, types[field.name])}" for field, value in _given(model)]
    return ":".join(filter(None, [_name_of(model), ",".join(written)]))


def from_dict(data: Mapping[str, Any]) -> PrivacyModel:
    """The model of a mapping from its name to its parameters."""
    if not isinstance(data, Mapping) or len(data) != 1:
        raise UsageError.senseless("a model", "it is not one name with its parameters", "write {k_anonymity: {k: 5}}")
    [(name, given)] = data.items()
    model = _class_of(name)
    names = [field.name for field in _parameters(model)]
    if not isinstance(given, Mapping):
        raise _unknown(f"model {name}", "its parameters have no names", "parameters", [], names)
    unknown = [key for key in given if key not in names]
    if unknown:
        raise _unknown(f"model {name}", f"it has no parameter {listed(unknown)}", "parameters", unknown, names)
    lacking = [field.name for field in fields(model) if not _optional(field) and field.name not in given]
    if lacking:
        raise _unknown(f"model {name}", f"it needs {listed(lacking)}", "parameters", [], names)
    made: PrivacyModel = model(**given)
    return made


def to_dict(model: PrivacyModel) -> dict[str, dict[str, Any]]:
    """Name and parameters as `from_dict` takes them; parameters that are as by default are left out."""
    types = get_type_hints(type(model))
    return {_name_of(model): {field.name: _plain(value, types[field.name]) for field, value in _given(model)}}


def _class_of(name: str) -> Any:
    known = members("models", "MODEL")
    if name not in known:
        raise _unknown(f"model {name!r}", "there is none of this name", "models", [name], sorted(known))
    return known[name].MODEL


def _name_of(model: PrivacyModel) -> str:
    for name, module in members("models", "MODEL").items():
        if module.MODEL is type(model):
            return name
    raise TypeError(f"{type(model).__name__} is part of other models and has no name of its own")


def _unknown(what: str, why: str, sort: str, given: Iterable[object], existing: Sequence[str]) -> UsageError:
    hints = "".join(close_to(str(word), existing) for word in given)
    return UsageError.senseless(what, why, f"the {sort} are {', '.join(existing)}{hints}")


def _parameters(model: Any) -> list["Field[Any]"]:
    """Those that must be given first, the columns last among them."""
    return sorted(fields(model), key=lambda field: (_optional(field), field.kw_only))


def _optional(field: "Field[Any]") -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _given(model: Any) -> list[tuple["Field[Any]", Any]]:
    """The parameters that differ from their defaults."""
    found = [(field, getattr(model, field.name)) for field in _parameters(model)]
    return [(field, value) for field, value in found if value != field.default]


def _read(text: str, kind: Any) -> Any:
    """A parameter from its text; what is no number stays text, for the model to refuse."""
    if kind in _OWN_FORMS:
        return _OWN_FORMS[kind][0](text)
    if kind in _SEPARATORS:
        return tuple(unescaped(part) for part in split(text, _SEPARATORS[kind])) if text else ()
    if kind in (int, float):
        return _number(text)
    return unescaped(text)


def _write(value: Any, kind: Any) -> str:
    if kind in _OWN_FORMS:
        return _OWN_FORMS[kind][1](value)
    if kind in _SEPARATORS:
        return _SEPARATORS[kind].join(escaped(part) for part in value)
    return escaped(value) if isinstance(value, str) else str(value)


def _plain(value: Any, kind: Any) -> Any:
    if kind == Column and not any("+" in name for name in value):
        return "+".join(value)
    return [_plain(item, None) for item in value] if isinstance(value, tuple) else value


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
