"""Models as text and as data: `distinct_l:l=3,column=disease` is {"distinct_l": {"l": 3, "column": "disease"}}.

In data, columns whose names have a plus sign are given as a list.
"""

from collections.abc import Mapping
from typing import Any

from incrowd.families import MODELS
from incrowd.models._contract import PrivacyModel
from incrowd.models.columns import Column


def parse(text: str) -> PrivacyModel:
    """Return the model that a short text describes."""
    return from_dict(read(text))


def read(text: str) -> dict[str, dict[str, Any]]:
    """Return the name and parameters that a short text gives, unchecked."""
    name, parameters = MODELS.named(text)
    return {MODELS.resolved(name): parameters}


def spell(model: PrivacyModel) -> str:
    """Return the shortest text that `parse` turns into the model."""
    return MODELS.spell(model)


def from_dict(data: Mapping[str, Any]) -> PrivacyModel:
    """Return the model of a mapping from its name to its parameters."""
    # A text is for `parse`; here it is no data.
    made: PrivacyModel = MODELS.member(data if isinstance(data, Mapping) else {})
    return made


def to_dict(model: PrivacyModel) -> dict[str, dict[str, Any]]:
    """Return name and parameters as `from_dict` takes them; parameters that are as by default are left out."""
    name = MODELS.name_of(model)
    types = MODELS.types(name)
    return {name: {key: _plain(value, types.get(key)) for key, value in MODELS.options_of(model).items()}}


def _plain(value: Any, kind: Any) -> Any:
    if kind == Column and not any("+" in name for name in value):
        return "+".join(value)
    return [_plain(item, None) for item in value] if isinstance(value, tuple) else value
