"""Ordered scales: only neighbors are joined, such as agree and strongly agree, or two brackets of income."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.numbers import exact
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies._agglomeration import joined_neighbors
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column
from incrowd.proposing.vocabulary.lists import is_no_answer
from incrowd.proposing.vocabulary.scales import SCALES

MEANING = "The points of an ordered scale are joined with their neighbors only."
RANK = 7
LABELS = {"order": "Points, from the least to the most", "sizes": "Points joined per group, per level"}
EXAMPLES = {"order": "low, medium, high", "sizes": "2, 1"}
SUGGESTED = {"order": ("low", "medium", "high")}

_MOST_POINTS = 40
_FEWEST = 3
_NUMBERING = re.compile(r"^\(?[0-9]{1,2}(?:[.):=]|\s*[-\u2013]\s|\s+(?=[A-Za-z]))\s*")
"""The number before a point: 1. never, (2) rarely, 3 = often."""
_FIRST_NUMBER = re.compile(r"[0-9]+(?:[.,' ]?[0-9]{3}(?![0-9]))*(?:[.,][0-9]+)?", re.ASCII)
_BELOW = re.compile(
    r"^\W*(<|≤|lt\b|less\b|under\b|below\b|up to\b|until\b|unter\b|bis\b|weniger\b|moins\b|menos\b|minder\b|meno\b)"
    r"|-\W*$",
    re.I,
)
_ABOVE = re.compile(r"^\W*(>|≥|gt\b|mt\b|more\b|over\b|above\b|über\b|mehr\b|plus\b|más\b|meer\b|più\b)|\+\W*$", re.I)


def build(
    values: pa.Array, *, name: str = "unnamed", order: Sequence[str], sizes: Sequence[Sequence[int]] | None = None
) -> Hierarchy:
    """Return the ladder of a scale: `order` lists its points, from the least to the most.

    `sizes` are, for each level, how many neighbors each group joins: [[2, 1, 2], [3, 2]]; pairs, then pairs of these,
    if not given. Values that are not in the order, such as don't know, stay as they are up to the top.
    """
    points, levels = _settled(order, sizes)
    texts = {text_forms(value)[0] for value in plain(values)}
    if texts and texts.isdisjoint(points):
        raise HierarchyError.not_read(name, "points of the scale", sorted(texts), len(texts))
    apart = sorted(texts.difference(points))
    labels = [[label for group in level for label in [_label(points, group)] * len(group)] for level in levels]
    return hierarchy_of(name, [*points, *apart], [[*of_level, *apart] for of_level in labels])


def check(*, name: str = "unnamed", order: Sequence[str], sizes: Sequence[Sequence[int]] | None = None) -> None:
    """Refuse an order that repeats a point, and sizes that do not nest."""
    _settled(order, sizes)


def suggest(column: Column) -> Suggestion | None:
    """Suggest a scale where all values but refusals to answer are its points, by their words or numbers."""
    if not column.is_counted or column.is_number or column.is_date or not _FEWEST <= column.distinct <= _MOST_POINTS:
        return None
    held = {
        text_forms(value)[0]: records
        for value, records in zip(plain(column.values), column.holders.tolist(), strict=True)
    }
    if all(exact(text) is not None or _is_apart(_word(text)) for text in held):
        # Numbers, some of them missing.
        return None
    order = _by_words([*held]) or _by_numbers([*held])
    if len(order) < _FEWEST:
        return None
    starts = joined_neighbors([held[point] for point in order])
    sizes = [[after - start for start, after in zip(level, [*level[1:], len(order)], strict=True)] for level in starts]
    return Suggestion({"order": order, "sizes": sizes}, "an ordered scale, of which neighbors are joined", 0.75)


def _by_words(texts: Sequence[str]) -> list[str]:
    """Return texts in the order of the scale that has the words of all but refusals; none if there is no such scale."""
    words = _words(texts)
    for scale in SCALES:
        ranks: Mapping[str, int] = {word: rank for rank, words_of in enumerate(scale) for word in words_of}
        known = {text: ranks[word] for text, word in words.items() if word in ranks}
        # Three letters may be the names of anything.
        fewest = _FEWEST + all(len(words[text]) == 1 for text in known)
        if len(set(known.values())) >= fewest and all(_is_apart(words[text]) for text in texts if text not in known):
            return sorted(known, key=lambda text: (known[text], text))
    return []


def _by_numbers(texts: Sequence[str]) -> list[str]:
    """Return texts in the order of their first numbers, such as brackets of age; none if two have the same."""
    keys = {text: _number(text) for text in texts}
    known = {text: key for text, key in keys.items() if key is not None}
    same = len(set(known.values())) < len(known)
    if same or not all(_is_apart(_word(text)) for text in texts if text not in known):
        return []
    return sorted(known, key=lambda text: known[text])


def _is_apart(word: str) -> bool:
    """Return whether a value is beside the scale: a refusal to answer, or no word at all."""
    return is_no_answer(word) or not any(char.isalnum() for char in word)


def _words(texts: Sequence[str]) -> dict[str, str]:
    """Return what each text says, without a word that all begin with: Stage I, Stage II."""
    words = {text: _word(text) for text in texts}
    first = {word.partition(" ")[0] for word in words.values() if not _is_apart(word)}
    shared = len(first) == 1 and all(" " in word or _is_apart(word) for word in words.values())
    return {text: word.partition(" ")[2] if shared and not _is_apart(word) else word for text, word in words.items()}


def _number(point: str) -> tuple[float, int] | None:
    """Return the first number of a point, and whether it is below or above it."""
    found = _FIRST_NUMBER.search(point)
    if found is None:
        return None
    digits = re.sub(r"[' ]|[.,](?=[0-9]{3}(?![0-9]))", "", found[0]).replace(",", ".")
    return float(digits), -1 if _BELOW.search(point) else int(bool(_ABOVE.search(point)))


def _word(text: str) -> str:
    return " ".join(_NUMBERING.sub("", text.strip()).casefold().split())


def _label(points: Sequence[str], group: range) -> str:
    """Return what a group is called: by both of its ends, or by the inner one where it is an end of the scale."""
    first, last = points[group[0]], points[group[-1]]
    if len(group) == 1:
        return first
    if group[0] == 0:
        return f"<= {last}"
    return f">= {first}" if group[-1] == len(points) - 1 else f"{first} to {last}"


def _settled(order: object, sizes: object) -> tuple[list[str], list[list[range]]]:
    """Return the points, and for each level the groups of their positions; refuse what is none."""
    given = list(order) if isinstance(order, list | tuple) else [order]
    points = [text_forms(point)[0] for point in given if point is not None]
    if len(points) != len(given) or len(set(points)) < len(points) or not all(points) or not points:
        raise UsageError.invalid(
            "scale: order", "it repeats a point or has an empty one", "list each point once, from the least to the most"
        )
    if sizes is None:
        return points, [_groups(of, len(points)) for of in _pairs(len(points))]
    return points, _nested(sizes, len(points))


def _pairs(count: int) -> list[list[int]]:
    """Return the sizes of pairs, of pairs of pairs, and so on, as long as there are two groups."""
    levels, width = [], 2
    while width < count:
        levels.append([min(width, count - at) for at in range(0, count, width)])
        width *= 2
    return levels


def _nested(sizes: object, count: int) -> list[list[range]]:
    """Return the groups of each level; each level must join groups of the one below."""
    by_level = list(sizes) if isinstance(sizes, list | tuple) else [sizes]
    if by_level and not any(isinstance(each, list | tuple) for each in by_level):
        by_level = [by_level]
    known, levels = set(range(count + 1)), []
    for level in by_level:
        of = list(level) if isinstance(level, list | tuple) else [level]
        whole = [size for size in of if isinstance(size, int) and not isinstance(size, bool) and size > 0]
        ends = set(accumulate(whole, initial=0))
        if len(whole) != len(of) or sum(whole) != count or not ends <= known:
            raise UsageError.invalid(
                "scale: sizes",
                f"a level does not join all of the {count} points, or splits a group of the level below",
                "give for each level how many neighbors each group joins, such as [[2, 1, 2], [3, 2]]",
            )
        known = ends
        levels.append(_groups(whole, count))
    return levels


def _groups(sizes: Sequence[int], count: int) -> list[range]:
    starts = [*accumulate(sizes, initial=0)]
    return [range(start, min(after, count)) for start, after in pairwise(starts)]
