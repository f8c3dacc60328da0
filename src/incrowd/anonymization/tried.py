"""The searches that were tried to choose one, in words."""

from collections.abc import Mapping
from typing import Any


def words(tried: Mapping[str, Any]) -> str:
    """Return one candidate in words."""
    score, why = tried["score"], tried["why"]
    found = "no release" if score is None else f"{score:.4g}"
    return f"{tried['search']} {found}{'' if why in (None, 'no release') else f' ({why})'}"
