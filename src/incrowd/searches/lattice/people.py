"""Counting nodes by people: by what is known of a person, and by who is left out.

Three facts allow pruning where the model is absorbing, which is to say that a class that satisfies it does so whatever
is added. Take a node and one above it, which merges its classes.

1. Views merge. What is known of a person above is known in more detail below, of the same records; so a view above is
   true of exactly those of whom one of the views is true that become it. If these are safe, so is their union.
2. Hence a set of people in which every view is safe below is one above. There is a largest such set
   (`knowledge.left_out`), and it only grows on the way up: nobody is left out above who is not left out below.
3. Hence neither people nor records that are left out become more on the way up. A node at which more of them go than
   may has no feasible node below.

If classes are suppressed and not people, each class is a view of its own, and the same holds: a class that fails above
is a union of classes that fail below, so whoever loses a record above loses one below.

Of a model that is not absorbing the same is true of its relaxed form, which everybody who stays satisfies too.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import Grouper, total
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Mask, left_out, views
from incrowd.core.table import Codes
from incrowd.metrics import Columns, Generalized, Levels
from incrowd.models.of_people import OfPeople
from incrowd.models.on_views import OnViews
from incrowd.searches import LinkedTable, Node, Problem
from incrowd.searches.lattice.blocks import Blocks, ground
from incrowd.searches.lattice.lattice import Lattice
from incrowd.searches.lattice.layout import LatticeLayout
from incrowd.searches.lattice.scores import ScoreOfTables
from incrowd.searches.lattice.structure import with_structure


def lattice_of(problem: Problem) -> Lattice:
    """Return the lattice that a problem asks for."""
    return Lattice(problem) if problem.people is None else PeopleLattice(problem)


class Judged(NamedTuple):
    """Who and what is left out."""

    kept: list[Mask]
    """Per table which entries are published."""
    people: int
    """How many people lose a record."""
    records: int
    """How many records are left out."""


class PeopleLattice(Lattice):
    """Nodes at which people are judged by what is known of them, in one table or in several about the same people."""

    def _lay(self, dropped: NDArray[np.bool_] | None = None) -> None:
        assert self.problem.people is not None
        assert dropped is None
        self.people = self.problem.people
        model = self.problem.model
        plain = model.model if isinstance(model, OfPeople) else model
        self._grouper = Grouper()
        self.tables = [_Table(table, self._grouper) for table in self.people.tables]
        tables = [table.people for table in self.people.tables]
        self.judge = OnViews.of(plain, tables, self.people.knows, self.problem.sensitive)
        self._begins = list(pairwise(np.cumsum([0, *(len(table.ladders) for table in self.people.tables)]).tolist()))
        self.combinations = self.tables[0].combinations
        self.decided = self.tables[0].decided
        self.origin_of = self.tables[0].origin_of
        self.metric: ScoreOfTables = ScoreOfTables(self.problem.metric, [table.columns for table in self.tables])
        self._absorbing = self._merging = self.judge.absorbing

    def settled(self) -> "PeopleLattice":
        """Return the lattice when the search is over."""
        return self

    @property
    def records(self) -> int:
        """How many records there are, in all tables."""
        return sum(table.people.records for table in self.people.tables)

    @property
    def ground(self) -> Blocks:
        """The combinations of the first table."""
        return self.tables[0].base

    def count(self, levels: Levels) -> Node:
        """Count one node and judge it."""
        self.counted += 1
        problem = self.problem
        classes = self.entry_classes(levels)
        found = self._judged_by(self.judge, classes)
        used = found.people if self.people.of_people else found.records
        feasible = used <= problem.budget
        lost = self._lost_at(classes, found)
        dead = (lost.people if self.people.of_people else lost.records) > problem.budget
        seen = self._seen(levels, classes, found.kept)
        kept = [each.sizes[each.kept] for each in seen]
        return Node(
            levels=levels,
            suppressed=found.records,
            classes=sum(len(sizes) for sizes in kept),
            smallest=min((int(sizes.min()) for sizes in kept if len(sizes)), default=0),
            feasible=feasible,
            score=self.metric.score_of(seen) if feasible else float("inf"),
            penalty=0.0 if dead else self.metric.penalty_of(self._seen(levels, classes, lost.kept)),
            dead=dead,
            people=found.people,
        )

    def classes_of(self, levels: Levels) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the class of each combination that is decided on, parted by whether it is kept, and which are."""
        [table, *_] = self.tables
        classes = self.entry_classes(levels)
        kept = self._judged_by(self.judge, classes).kept[0]
        part = classes[0].astype(np.int64) * 2 + kept
        parts, of = np.unique(part, return_inverse=True)
        numbers = np.zeros(self.decided.combinations, dtype=np.int32)
        numbers[table.of_decided] = of.reshape(-1)
        return numbers, parts % 2 == 1

    def kept_rows(self, levels: Levels) -> list[Mask]:
        """Return for each table which of the combinations of its frequency set are published at a node."""
        found = []
        judged = self._judged_by(self.judge, self.entry_classes(levels))
        for table, kept in zip(self.people.tables, judged.kept, strict=True):
            rows = np.zeros(table.people.frequencies.combinations, dtype=np.bool_)
            rows[table.people.row] = kept
            found.append(rows)
        return found

    def entry_classes(self, levels: Levels) -> list[Codes]:
        """Return the class of each entry of each table at a node."""
        own = [table.classes(levels[low:high]) for table, (low, high) in zip(self.tables, self._begins, strict=True)]
        return with_structure(own, self.people.tables, self.people.knows)

    def _judged_by(self, judge: OnViews, classes: Sequence[Codes]) -> Judged:
        """Return who and what must go for the model of a judge."""
        tables = [table.people for table in self.people.tables]
        held = [table.held(of) for table, of in zip(tables, classes, strict=True)]
        if self.people.whole:
            # More people than the budget has are enough to know that the node is out.
            enough = self.problem.budget if self.people.of_people and len(tables) > 1 else None
            also = judge.in_classes(classes)
            gone = left_out(held, self.people.knows, judge.at(classes), also, judge.absorbing, enough)
            kept = [~gone[table.person] for table in tables]
        else:
            seen = views(held[0], self.people.knows)
            kept = [judge.at(classes)(held, seen)[classes[0]]]
            gone = np.zeros(tables[0].people, dtype=np.bool_)
            gone[tables[0].person[~kept[0]]] = True
        records = sum(int(table.counts[~stays].sum()) for table, stays in zip(tables, kept, strict=True))
        return Judged(kept, int(gone.sum()), records)

    def _lost_at(self, classes: Sequence[Codes], found: Judged) -> Judged:
        """Return who and what goes at every node below as well, at least."""
        if self.judge.absorbing:
            return found
        relaxed = self.judge.relaxed()
        if relaxed is None:
            return Judged([np.ones(len(of), dtype=np.bool_) for of in classes], 0, 0)
        return self._judged_by(relaxed, classes)

    def _seen(self, levels: Levels, classes: Sequence[Codes], kept: Sequence[Mask]) -> list[Generalized]:
        """Return the node as a metric sees each table: classes in two parts, what is kept and what is not."""
        return [
            table.generalized(levels[low:high], of, stays)
            for table, (low, high), of, stays in zip(self.tables, self._begins, classes, kept, strict=True)
        ]


class _Table:
    """One table on any levels."""

    def __init__(self, table: LinkedTable, grouper: Grouper) -> None:
        people, ladders = table.people, table.ladders
        names = [ladder.name for ladder in ladders]
        self._people = people
        self._grouper = grouper
        self._layout = LatticeLayout.of(ladders)
        self.combinations, self.base = ground(people.frequencies, ladders, self._layout, (), {})
        self._of = people.frequencies.classes(names).of[people.row]
        """The combination of each entry."""
        person = [name for name in people.columns if name not in names]
        self.decided = people.frequencies.project([*names, *person])
        self.of_decided = people.frequencies.classes([*names, *person]).of[people.row]
        """Of each entry the combination of quasi-identifiers and person that is kept or not."""
        self.origin_of = np.zeros(self.decided.combinations, dtype=np.int64)
        """The combination of the quasi-identifiers in each of these."""
        self.origin_of[self.of_decided] = self._of
        self.columns = Columns(self.combinations, tuple(ladders), table.priorities or (1.0,) * len(ladders))

    def classes(self, levels: Levels) -> Codes:
        """Return the class of each entry."""
        _, of = self.base.grouped(self._layout.mask(levels), self._grouper, assign=True)
        found: Codes = of[self._of]
        return found

    def generalized(self, levels: Levels, of: Codes, kept: Mask) -> Generalized:
        """Return the table as a metric sees it: each class in two parts, what is kept and what is not."""
        part, n = number_combinations([of, kept.astype(np.int32)], [int(of.max(initial=0)) + 1, 2])
        first = np.empty(n, dtype=np.int64)
        first[part[::-1]] = np.arange(len(part) - 1, -1, -1)
        return Generalized(levels, total(part, n, self._people.counts), kept[first], self._of[first])
