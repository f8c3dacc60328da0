"""Codes of public lists: from a code to its labels, level by level."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion, useful
from incrowd.proposing.facts import Column

Labels = Callable[[str], tuple[str, ...] | None]
"""From a code to its label on every level of the list, from fine to coarse; None if it is not in the list."""

OTHER = "other"
_MOST = 0.9
"""The share of values that must be codes of the list."""
_FEWEST = 3


def ladder(
    values: pa.Array, name: str, what: str, all_levels: Sequence[str], levels: object, labels: Labels, other: str | None
) -> Hierarchy:
    """Return the ladder of codes along some levels of their list; codes that it lacks have the label `other`."""
    chosen = [all_levels.index(level) for level in checked_levels(what, all_levels, levels)]
    texts = sorted(text_forms(value)[0] for value in plain(values))
    found = {text: labels(text) for text in texts}
    strangers = [text for text, known in found.items() if known is None]
    if strangers and not other:
        raise HierarchyError.not_read(name, f"codes that {what} knows", strangers, len(texts))
    rest = (other or "",) * len(all_levels)
    return hierarchy_of(name, texts, [[(found[text] or rest)[level] for text in texts] for level in chosen])


def checked_levels(what: str, all_levels: Sequence[str], levels: object) -> list[str]:
    """Return the levels that a user chose; refuse unknown ones, and an order that does not go up."""
    chosen: list[Any] = list(levels) if isinstance(levels, list | tuple) else [levels]
    for level in chosen:
        if level not in all_levels:
            raise UsageError.not_one_of(f"{what}: a level", level, all_levels)
    at = [all_levels.index(level) for level in chosen]
    if not at or any(low >= high for low, high in pairwise(at)):
        raise UsageError.invalid(
            f"{what}: levels", "they are not in ascending order", f"the order is {', '.join(all_levels)}"
        )
    return chosen


def suggested(
    column: Column, all_levels: Sequence[str], labels: Labels, reason: str, sure: float, most: float = _MOST
) -> Suggestion | None:
    """Suggest the levels that join something, if nearly all values are codes of the list."""
    texts = [text_forms(value)[0] for value in plain(column.values)]
    found = [known for text in texts if (known := labels(text)) is not None]
    if len(found) < _FEWEST or len(found) < most * len(texts):
        return None
    lacks = len(found) < len(texts)
    of_level = {level: [*(known[at] for known in found), *[OTHER] * lacks] for at, level in enumerate(all_levels)}
    chosen = useful(of_level, len(texts))
    return Suggestion({"levels": chosen, **({"other": OTHER} if lacks else {})}, reason, sure) if chosen else None
