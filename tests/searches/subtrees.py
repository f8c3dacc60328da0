"""Full-subtree recodings without any shortcut: every cut listed, its classes judged by the definitions."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.models import PrivacyModel
from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import Node, Outcome, Problem
from incrowd.searches._layers.outcome import node_of
from searches.own_levels import check_release
from searches.problems import MODELS, problems
from searches.scored_by_hand import holds, published

Own = NDArray[np.int16]
Cut = dict[int, int]
"""By code of a column its level."""


def column_cuts(ladder: EncodedHierarchy, codes: tuple[int, ...], low: int, high: int) -> list[Cut]:
    """The cuts through what is below the nodes of a level: each node is on the cut, or there is one below it."""
    nodes: dict[int, list[int]] = {}
    for code in codes:
        nodes.setdefault(int(ladder.up[high][code]), []).append(code)
    below = [
        [
            dict.fromkeys(members, high),
            *(column_cuts(ladder, tuple(members), low, high - 1) if high > low else ()),
        ]
        for members in nodes.values()
    ]
    return [{code: level for cut in chosen for code, level in cut.items()} for chosen in product(*below)]


def cuts_of_columns(given: Problem) -> list[list[Cut]]:
    """Per column all cuts."""
    low = given.minimum or (0,) * len(given.ladders)
    high = given.limit or tuple(ladder.height for ladder in given.ladders)
    codes = given.frequencies.codes[: len(given.ladders)]
    return [
        column_cuts(ladder, tuple(sorted(set(row.tolist()))), *limits)
        for ladder, row, *limits in zip(given.ladders, codes, low, high, strict=True)
    ]


def number_of_cuts(given: Problem) -> int:
    """How many there are."""
    return prod(map(len, cuts_of_columns(given)))


class ByHand:
    """The releases of a problem; what is known about a class is kept, for other cuts have it too."""

    def __init__(self, given: Problem) -> None:
        self.given = given
        self.combinations = given.frequencies.project(given.quasi)
        self._holds: dict[frozenset[int], bool] = {}

    def released(self, own: Own) -> Own:
        """The levels without those of combinations in classes that violate the model."""
        cells, members = published(self.given, own), dict[tuple[str | None, ...], set[int]]()
        for at, row in cells.items():
            members.setdefault(row, set()).add(at)
        found = own.copy()
        for each in map(frozenset, members.values()):
            if each not in self._holds:
                self._holds[each] = holds(self.given, {at: cells[at] for at in each})
            if not self._holds[each]:
                found[:, sorted(each)] = SUPPRESSED
        return found

    def every_cut(self) -> Iterator[tuple[tuple[Cut, ...], Node]]:
        """Each cut and the release that it makes."""
        for chosen in product(*cuts_of_columns(self.given)):
            own = np.array(
                [
                    [cut[code] for code in row]
                    for cut, row in zip(chosen, self.combinations.codes.tolist(), strict=True)
                ],
                dtype=np.int16,
            ).reshape(len(chosen), -1)
            yield chosen, node_of(self.given, self.combinations, self.released(own))


def best_score(given: Problem) -> float | None:
    """The lowest score of a feasible cut."""
    return min((node.score for _, node in ByHand(given).every_cut() if node.feasible), default=None)


@st.composite
def tree_problems(draw: st.DrawFn, models: SearchStrategy[PrivacyModel] = MODELS, most: int = 150) -> Problem:
    """Problems with few enough cuts to list them all."""
    given = draw(problems(models).filter(lambda each: number_of_cuts(each) <= most))
    return replace(given, seed=draw(st.integers(0, 3)))


def check_subtrees(given: Problem, outcome: Outcome) -> Own:
    """A release, in which all that is below a published node is published as this node."""
    own = check_release(given, outcome)
    codes = given.frequencies.project(given.quasi).codes
    kept = (own != SUPPRESSED).all(axis=0)
    for ladder, row, levels in zip(given.ladders, codes[:, kept].tolist(), own[:, kept].tolist(), strict=True):
        nodes = {(level, int(ladder.up[level][code])) for code, level in zip(row, levels, strict=True)}
        for code, level in zip(row, levels, strict=True):
            # No other node on the way from the value to the top is published.
            above = {(other, int(ladder.up[other][code])) for other in range(ladder.height + 1)}
            assert above & nodes == {(level, int(ladder.up[level][code]))}
    return own
