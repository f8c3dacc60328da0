"""Masks: more and more characters of a code are hidden, from the right or from the left."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import UsageError
from incrowd.hierarchies._numbers import settings
from incrowd.hierarchies._rungs import hierarchy_of

MEANING = "Characters of a code are masked one after the other."
RANK = 4
LABELS = {
    "steps": "Masked characters per level",
    "from": "Side (right or left)",
    "character": "Mask character",
}
EXAMPLES = {"steps": "1, 2, 3", "from": "right", "character": "*"}

BY_RULE = True
# The longest value sets how many characters of the others a level hides.
BY_VALUES = True


def build(
    values: pa.Array,
    *,
    name: str = "unnamed",
    from_: str = "right",
    character: str = "*",
    steps: Sequence[int] | None = None,
) -> Hierarchy:
    """Return a ladder of masked texts: 94139, 9413*, 941**, ...

    `steps` are how many characters levels 1, 2, ... hide: 1, 2, 3, ... when not given, up to all but one. Shorter
    values are first filled up with the `character` on the side `from_` which they are hidden, so that levels nest.
    """
    check(name=name, from_=from_, character=character, steps=steps)
    texts = sorted(text_forms(value)[0] for value in plain(values))
    longest = max((1, *map(len, texts)))
    hidden = list(range(1, longest)) if steps is None else _rising(steps)
    levels = [[masked(text, longest, count, from_, character) for text in texts] for count in hidden]
    return hierarchy_of(name, texts, levels)


def check(
    *, name: str = "unnamed", from_: str = "right", character: str = "*", steps: Sequence[int] | None = None
) -> None:
    """Refuse options that make no mask."""
    if from_ not in ("right", "left"):
        raise UsageError.not_one_of("mask: from", from_, ("right", "left"))
    if not isinstance(character, str) or len(character) != 1:
        raise UsageError.invalid("mask: character", "it is not one character", "give one, such as '*'")
    if steps is not None:
        _rising(steps)


def declares_levels(options: Mapping[str, Any]) -> bool:
    """Return where the steps are given; otherwise the longest value has as many levels as characters."""
    return options.get("steps") is not None


def masked(text: str, length: int, hidden: int, side: str, character: str) -> str:
    """Return a text of the given length with so many of its characters hidden on one side."""
    kept = max(0, length - hidden)
    if side == "right":
        return text[:kept].ljust(length, character)
    return text.rjust(length, character)[length - kept :].rjust(length, character)


def _rising(steps: Any) -> list[int]:
    counts = settings("mask: steps", steps)
    whole = [count for count in counts if isinstance(count, int) and count > 0]
    if len(whole) != len(counts) or any(low >= high for low, high in pairwise(whole)):
        raise UsageError.invalid(
            "mask: steps",
            "they are not rising whole numbers above 0",
            "give how many each level hides, such as 1, 2, 3",
        )
    return whole
