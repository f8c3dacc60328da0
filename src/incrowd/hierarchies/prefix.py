"""Prefixes: codes and texts keep their first characters, however long they are."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import UsageError
from incrowd.hierarchies._numbers import settings
from incrowd.hierarchies._rungs import TOP, hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion, spread, useful
from incrowd.proposing.facts import Column

MEANING = "Codes and texts keep their first characters: fewer on each level."
RANK = 5
LABELS = {"keep": "Characters kept per level"}
EXAMPLES = {"keep": "4, 2, 1"}

BY_RULE = True

_LONGEST = 12
"""Characters beyond which prefixes are not looked at."""
_MOST = 3
"""Levels that are suggested."""


def build(values: pa.Array, *, name: str = "unnamed", keep: Sequence[int]) -> Hierarchy:
    """Return a ladder of prefixes: SW1A 2AA, SW1A*, SW*.

    `keep` is how many characters levels 1, 2, ... keep, fewer on each. A text that is not longer stays as it is until a
    level keeps fewer.
    """
    lengths = _falling(keep)
    texts = sorted(text_forms(value)[0] for value in plain(values))
    return hierarchy_of(name, texts, [[shortened(text, length) for text in texts] for length in lengths])


def check(*, name: str = "unnamed", keep: Sequence[int]) -> None:
    """Refuse options that make no prefixes."""
    _falling(keep)


def suggest(column: Column) -> Suggestion | None:
    """Suggest prefixes for texts that are told apart by their first characters; the last resort for texts."""
    if not column.is_counted or not column.is_text or column.distinct < 3:
        return None
    texts = sorted(text_forms(value)[0] for value in plain(column.values))
    shared = sum(1 for _ in takewhile(lambda chars: len(set(chars)) == 1, zip(*texts, strict=False)))
    groups = {length: [shortened(text, length) for text in texts] for length in range(shared + _LONGEST, shared, -1)}
    lengths = [length for length in useful(groups, len(texts)) if 2 * len(set(groups[length])) <= len(texts)]
    lengths = lengths or useful(groups, len(texts))[-1:]
    if not lengths:
        return None
    return Suggestion(
        {"keep": spread(lengths, _MOST)}, "most of its values are rare, so they keep their beginnings", 0.3
    )


def shortened(text: str, length: int) -> str:
    """Return the first characters of a text, marked if there are more; the mark of the top if none is left."""
    return text if len(text) <= length else f"{text[:length].rstrip()}{TOP}"


def _falling(keep: Any) -> list[int]:
    counts = settings("prefix: keep", keep)
    whole = [count for count in counts if isinstance(count, int) and count > 0]
    if len(whole) != len(counts) or any(low <= high for low, high in pairwise(whole)):
        raise UsageError.invalid(
            "prefix: keep",
            "they are not falling whole numbers above 0",
            "give how many each level keeps, such as 4, 2, 1",
        )
    return whole
