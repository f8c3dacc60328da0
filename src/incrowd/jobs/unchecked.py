"""A job as it is given, as data or built already: what can be read of it before it is known to be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from incrowd.jobs import families
from incrowd.jobs.document import Place
from incrowd.models import PrivacyModel


def said(part: Any, key: str) -> Any:
    """Return the value of a key in a part, None if it has none; a column in short is its role."""
    if isinstance(part, str):
        return part if key == "role" else None
    return part.get(key) if isinstance(part, Mapping) else getattr(part, key, None)


def models(given: Mapping[str, Any]) -> Iterator[tuple[Place, PrivacyModel]]:
    """Yield the models that can be read, each with its place; what is wrong with others is told elsewhere."""
    listed = given.get("models")
    for at, each in enumerate(listed if isinstance(listed, list | tuple) else ()):
        try:
            yield ("models", at), families.model(each)
        except ValueError:
            continue
