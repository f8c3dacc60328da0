"""Masks: more and more characters of a code are hidden, from the right or from the left."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import UsageError
from incrowd.hierarchies._numbers import settings
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion, spread, useful
from incrowd.proposing.facts import Column

MEANING = "Characters of a code are masked one after the other."
RANK = 4
LABELS = {
    "steps": "Masked characters per level",
    "from": "Side (right or left)",
    "character": "Mask character",
}
EXAMPLES = {"steps": "1, 2, 3", "from": "right", "character": "*"}

_SHORTEST_CODE, _LONGEST_CODE = 4, 16
"""Digits of equal length are a code from so many on; shorter ones are numbers."""
_MOST_MASKS = 5
_YEARS = range(1800, 2101)

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


def suggest(column: Column) -> Suggestion | None:
    """Suggest masks from the right for codes of one length."""
    given = plain(column.values)
    texts = [value for value in given if isinstance(value, str)]
    lengths = {len(text) for text in texts}
    if len(texts) < len(given) or len(lengths) != 1 or not all(map(_code_like, texts)):
        return None
    length = lengths.pop()
    if not 1 < length <= _LONGEST_CODE or not _is_code(texts, length):
        return None
    steps = useful({hidden: [text[:-hidden] for text in texts] for hidden in range(1, length)}, len(texts))
    reason = "codes of one length, whose first characters say most"
    return Suggestion({"steps": spread(steps, _MOST_MASKS)}, reason, 0.8) if steps else None


def _code_like(text: str) -> bool:
    return text.isalnum() and any(char.isdecimal() for char in text)


def _is_code(texts: Sequence[str], length: int) -> bool:
    """Return whether texts are codes: letters or leading zeros, or too many digits for an age and no years."""
    if not all(text.isdecimal() for text in texts) or any(text.startswith("0") for text in texts):
        return True
    return length >= _SHORTEST_CODE and not all(int(text) in _YEARS for text in texts)


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
