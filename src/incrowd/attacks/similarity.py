"""Similarity: the values of a class differ and say much the same (Li et al. 2007)."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np

from incrowd import models
from incrowd.attacks._columns import NO_MODEL, OnColumn
from incrowd.attacks._contract import Mask
from incrowd.attacks._values_of_people import ValuesOfPeople
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Histogram
from incrowd.core.table import Codes
from incrowd.models.t_closeness import TCloseness
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class Similarity(OnColumn):
    """All values of a class lie below one node of the column's hierarchy that is not its top.

    If people are counted, everybody in the class has a value below one node, among others perhaps.
    """

    level: int | None = None
    """The level whose nodes join what says much the same; the one below the top if not given."""

    def __post_init__(self) -> None:
        if self.level is not None:
            whole_number("level of similarity", self.level)

    def exposed(self, histogram: Histogram) -> Mask | None:
        """Return classes below one node."""
        nodes = self._nodes(histogram.domain.ladder)
        if nodes is None:
            return None
        first = np.full(len(histogram), -1, dtype=np.int64)
        owner, of_entry = histogram.owner, nodes[histogram.values]
        first[owner] = of_entry
        found: Mask = histogram.distinct > 0
        found[owner[of_entry != first[owner]]] = False
        return found

    common_words: ClassVar[str] = "people have values below one node in common"

    def in_common(self, values: ValuesOfPeople) -> Mask:
        """Return the groups in which everybody has a value below one node."""
        nodes = self._nodes(values.histogram.domain.ladder)
        assert nodes is not None
        return values.share(nodes)

    def parted_by(self, histogram: Histogram) -> str:
        """Return that no model prevents it."""
        return NO_MODEL

    def _nodes(self, ladder: EncodedHierarchy | None) -> Codes | None:
        """Return per value its node; None if there is no such level."""
        # Whatever shares a node further down shares one directly below the top.
        level = self.level if self.level is not None or ladder is None else ladder.height - 1
        return None if ladder is None or level is None or not 1 <= level < ladder.height else ladder.up[level]

    def not_assessed(self) -> str:
        """Return why the column cannot be assessed."""
        asked = "level" if self.level is None else f"level {self.level}"
        return f"needs a hierarchy with a {asked} below its top, to know which values are similar"

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        return (
            f"All values of {column} in a class lie below one node of its hierarchy, so everyone in the class has a "
            "value of that kind."
        )

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return the t-closeness that prevents it: a class below one node, with share q of all, moves 1 - q of it.

        So its hierarchical distance is (1 - q) (level + 1) / height at least.
        """
        ladder, nodes = histogram.domain.ladder, self._nodes(histogram.domain.ladder)
        assert ladder is not None
        assert nodes is not None
        level = self.level or ladder.height - 1
        largest = np.bincount(nodes, weights=histogram.domain.whole).max(initial=0) / max(
            1, histogram.domain.whole.sum()
        )
        t = (ceil((1 - largest) * (level + 1) / ladder.height * 1000 - 1e-6) - 1) / 1000
        if t < 0:
            return "none: all values of the release lie below one node"
        return models.spell(TCloseness(t=t, distance="hierarchical", column=(column,)))

    def textbook_of_people(
        self, classes: Sequence[Sequence[tuple[Hashable, Hashable]]], nodes: Mapping[Hashable, Hashable]
    ) -> list[bool]:
        """Return which classes are exposed, by pairs of a person and a value."""
        return [
            any(
                {person for person, value in group if nodes[value] == node} == {person for person, _ in group}
                for node in set(nodes.values())
            )
            for group in classes
        ]

    def textbook(self, classes: Sequence[Sequence[Hashable]], nodes: Mapping[Hashable, Hashable]) -> int:
        """Return the number of exposed records, class by class; `nodes` gives each value its node."""
        return sum(len(group) for group in classes if len({nodes[value] for value in group}) == 1)


ATTACK = Similarity
RANK = 6
