"""Cuts that are judged by what is known of people: by several of their records, which lie in several segments.

A cut changes the views of those people alone who have records in the segment that is cut: a collection of records that
are all elsewhere is true of the same people as before. So if a cut exposes somebody, that person has a record in a
segment that is cut, and undoing the cuts of these segments undoes the exposure.

Many segments are cut at once. If somebody is exposed then, one of the cuts at fault is undone, that which exposes most,
and so on until nobody is. What remains was judged as a whole, so every step ends with views that are all safe, under
any model.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.knowledge import Holdings, Known, left_out, views
from incrowd.core.table import Codes
from incrowd.models.of_people import OfPeople
from incrowd.models.on_views import OnViews
from incrowd.searches._splits.judging import Stand
from incrowd.searches._splits.rows import Numbers, RankedRows
from incrowd.searches.problem import People, Problem

Mask = NDArray[np.bool_]


class SplitPeople:
    """The people of the rows that are cut."""

    def __init__(self, problem: Problem) -> None:
        assert problem.people is not None
        assert isinstance(problem.model, OfPeople)
        self._problem = problem
        self._people: People = problem.people
        self._table = problem.people.tables[0].people
        self._judge = OnViews.of(problem.model.model, [self._table], problem.people.knows, problem.sensitive)
        self.gone = self._gone()
        """Who must go even if nothing is cut."""

    @property
    def lost(self) -> int:
        """How many people lose a record, or records are lost, as the limit counts them."""
        if self._people.of_people:
            return int(self.gone.sum())
        return int(self._table.counts[self.gone[self._table.person]].sum())

    @property
    def staying(self) -> Numbers:
        """The combinations of those who stay."""
        found = np.zeros(self._table.frequencies.combinations, dtype=np.bool_)
        found[self._table.row[~self.gone[self._table.person]]] = True
        return np.flatnonzero(found)

    def stand(self, cutter: Any, rows: RankedRows, stand: Stand) -> Stand:
        """Return which cuts are to be made, of those that leave classes which satisfy the model."""
        who = self._entries(rows)

        def both(starts: Numbers, middles: Numbers, ends: Numbers) -> Mask:
            made = stand(starts, middles, ends)
            while made.any():
                exposed = self._exposed(cutter, who, middles[made])
                if not exposed.any():
                    break
                made[self._at_fault(cutter, who, exposed, starts, ends, made)] = False
            return made

        return both

    def _gone(self) -> Mask:
        one = np.zeros(len(self._table.row), dtype=np.int32)
        held = self._table.held(one)
        return left_out([held], self._people.knows, self._judge.at([one]), self._judge.in_classes([one]))

    def _entries(self, rows: RankedRows) -> tuple[Numbers, Codes, Numbers]:
        """Return the row, the person and the records of each entry of those who stay."""
        table = self._table
        if not rows.single:
            place = np.full(table.frequencies.combinations, -1, dtype=np.int64)
            place[rows.combination] = np.arange(len(rows.combination))
            at = np.flatnonzero(place[table.row] >= 0)
            return place[table.row[at]], table.person[at], table.counts[at]
        # Rows are records: those of one combination are about one person, or each about another.
        first = np.searchsorted(table.row, rows.combination)
        entries = np.bincount(table.row, minlength=table.frequencies.combinations)[rows.combination]
        order = np.argsort(rows.combination, kind="stable")
        step = np.empty(len(order), dtype=np.int64)
        sorted_rows = rows.combination[order]
        step[order] = np.arange(len(order)) - np.searchsorted(sorted_rows, sorted_rows)
        at = first + np.where(entries > 1, step, 0)
        return np.arange(len(at)), table.person[at], np.ones(len(at), dtype=np.int64)

    def _segments(self, cutter: Any, middles: Numbers) -> Codes:
        """Return the segment of each row if these cuts are made."""
        begins = np.array([start for start, _ in [*cutter.leaves, *cutter.open_segments]], dtype=np.int64)
        edges = np.sort(np.concatenate([begins, middles]))
        order = cutter.arranged()
        found = np.empty(len(order), dtype=np.int32)
        found[order] = np.searchsorted(edges, np.arange(len(order)), side="right") - 1
        return found

    def _exposed(self, cutter: Any, who: tuple[Numbers, Codes, Numbers], middles: Numbers) -> Mask:
        row, person, counts = who
        held = Holdings.joined(self._segments(cutter, middles)[row], person, counts, self._table.people)
        seen = views(held, self._people.knows)
        return seen.exposed(self._judge.at([])([held], seen), self._table.people)

    def _at_fault(
        self,
        cutter: Any,
        who: tuple[Numbers, Codes, Numbers],
        exposed: Mask,
        starts: Numbers,
        ends: Numbers,
        made: Mask,
    ) -> Numbers:
        """Return for each person who is exposed the cut of a segment with records of the person that exposes most."""
        row, person, _ = who
        order = cutter.arranged()
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        cut = np.flatnonzero(made)[np.argsort(starts[made], kind="stable")]
        at = np.flatnonzero(exposed[person])
        segment = np.searchsorted(starts[cut], place[row[at]], side="right") - 1
        inside = (segment >= 0) & (place[row[at]] < ends[cut[np.maximum(segment, 0)]])
        segment, people = segment[inside], person[at][inside]
        pairs = np.unique(people.astype(np.int64) * len(cut) + segment)
        people, segment = pairs // len(cut), pairs % len(cut)
        most = np.bincount(segment, minlength=len(cut))
        # By person, the segment with most exposed people first.
        by_person = np.lexsort((segment, -most[segment], people))
        first = by_person[np.append(True, people[by_person][1:] != people[by_person][:-1])]
        found: Numbers = cut[np.unique(segment[first])]
        return found


def knows_several(problem: Problem) -> bool:
    """Return whether more than one record of a person may be known; else classes alone must satisfy the model."""
    return problem.people is not None and problem.people.knows != Known.RECORD
