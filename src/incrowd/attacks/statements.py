"""Statements: what an attacker says to know about values leaves a single one (Machanavajjhala et al. 2006)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from incrowd.attacks._candidates import Candidates
from incrowd.attacks._contract import PERSON, Exposure, Mask, Needs, Worst
from incrowd.attacks._overlap import overlapping
from incrowd.attacks._remedies import remedy
from incrowd.attacks._statements import Person, Statement, read_statement
from incrowd.attacks._target import Target
from incrowd.comparison.columns import Column, scale_of
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.histograms import Histogram
from incrowd.core.table import text_array
from incrowd.errors import UsageError
from incrowd.models.distinct_l import DistinctL
from incrowd.release_metrics.cell_reader import CellReader
from incrowd.release_metrics.covers import Covers
from incrowd.text import count, printable
from incrowd.watch import Watch


@dataclass(frozen=True)
class Statements:
    """A record is exposed if the statements are true of it and leave no other value in its class.

    If a statement names a person, only named persons are searched for, and statements without a person apply to each
    of them. A missing value is a value of its own: it is never among the named values.
    """

    needs = Needs.KNOWLEDGE

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the exposure of each column that statements are about."""
        said = [read_statement(text, target.quasi, target.sensitive) for text in target.knows]
        persons = list(dict.fromkeys(each.person for each in said if each.person))
        for column in dict.fromkeys(each.column for each in said):
            about = [each for each in said if each.column == column]
            if persons:
                yield _of_persons(target, column, about, persons, watch)
            else:
                yield _of_anybody(target, column, about)

    def textbook(self, classes: Sequence[Sequence[Hashable]], is_possible: Callable[[Hashable], bool]) -> int:
        """Return the number of persons for whom the statements are true and leave no other value in the class."""
        return sum(
            is_possible(own) and {other for other in group if is_possible(other)} == {own}
            for group in classes
            for own in group
        )


def _possible(target: Target, column: str, about: Sequence[Statement]) -> Mask:
    """Return per value whether the statements allow it."""
    histogram = target.histograms[column]
    assert histogram.domain.values is not None
    hierarchy = target.columns.get(column, Column()).hierarchy
    scale = scale_of(column, histogram.domain.values, Column(hierarchy=hierarchy))
    reader = CellReader(scale, False)
    allowed = np.ones(len(scale.positions), dtype=np.bool_)
    for each in about:
        cells = [reader.read(text) for text in each.cells]
        if None in cells:
            raise UsageError.invalid(
                f"--knows about column {column!r}",
                f"{cells.count(None)} of {len(cells)} values are not values, ranges or labels of the column",
                "check the spelling, or give the column's hierarchy (-s COLUMN=HIERARCHY)",
            )
        named = overlapping(
            Covers.of_cells(scale, [cell for cell in cells if cell is not None]), Covers.of_values(scale)
        )
        among = np.zeros(len(allowed), dtype=np.bool_)
        among[named.cells] = True
        allowed &= ~among if each.rules_out else among
    return allowed


def _of_anybody(target: Target, column: str, about: Sequence[Statement]) -> Exposure:
    histogram = target.histograms[column]
    possible = _possible(target, column, about)
    allowed = possible[histogram.values]
    left = histogram.total(allowed).astype(np.int64)
    records = np.where(left == 1, histogram.total(histogram.counts * allowed), 0).astype(np.int64)
    where = np.flatnonzero(records)
    worst = int(where[np.argmax(records[where])]) if len(where) else None
    return _exposure(
        histogram,
        f"{PERSON}, and {_facts(about)}",
        int(records.sum()),
        len(where),
        None if worst is None else Worst(worst + 1, int(histogram.sizes[worst]), _left(int(histogram.distinct[worst]))),
        _ruled_out(histogram, possible),
    )


def _of_persons(
    target: Target,
    column: str,
    about: Sequence[Statement],
    persons: Sequence[Person],
    watch: Watch,
) -> Exposure:
    histogram = target.histograms[column]
    exposed, hit, missed, ruled_out = 0, [], 0, 0
    for person in persons:
        found = target.candidates(_looked_for(person), watch)
        own = [each for each in about if each.person in ((), person)]
        _, value, _ = found.values(histogram, target.group)
        possible = _possible(target, column, own)
        ruled_out = max(ruled_out, _ruled_out(histogram, possible))
        left = value[possible[value]]
        exposed += len(left) == 1
        missed += not len(left)
        hit += [found] if len(left) == 1 else []
    classes = np.unique(np.concatenate([*(found.classes for found in hit), np.zeros(0, dtype=np.int64)]))
    worst = None if not hit else _worst_of(hit[0], target)
    exposure = _exposure(histogram, f"{PERSON}, and {_facts(about)}", exposed, len(classes), worst, ruled_out)
    return replace(exposure, among=len(persons), details={"people whom no record fits": missed})


def _ruled_out(histogram: Histogram, possible: Mask) -> int:
    """Return the number of values of the release that are ruled out."""
    return int(np.count_nonzero(histogram.domain.whole[~possible]))


def _worst_of(found: Candidates, target: Target) -> Worst:
    first = int(found.classes[0])
    return Worst(first + 1, int(target.sizes[first]), _left(len(found.classes), "class", "classes"))


def _left(number: int, one: str = "value", several: str = "values") -> str:
    return f"one value left of {number:,} {one if number == 1 else several}"


def _facts(about: Sequence[Statement]) -> str:
    return f"{count(len(about), 'fact')} about the value of {printable(about[0].column)}"


def _exposure(
    histogram: Histogram,
    knows: str,
    records: int,
    classes: int,
    worst: Worst | None,
    ruled_out: int,
) -> Exposure:
    [column] = histogram.domain.columns
    story = f"What the attacker knows leaves a single value of {printable(column)} in a class, which is the person's."
    # Whatever is ruled out of a class, two values are left.
    stopped_by = remedy(DistinctL(l=ruled_out + 2, column=(column,)), histogram)
    return Exposure(story, knows, records, classes, column, worst, stopped_by)


def _looked_for(person: Person) -> FrequencySet:
    """Return one person as a table."""
    counting = Counting([name for name, _ in person])
    counting.add([text_array([value]) for _, value in person])
    return counting.result()


ATTACK = Statements
RANK = 4
