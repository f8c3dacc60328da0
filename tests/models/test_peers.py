"""pyCANON, another implementation of most models, measures the same; where it does not, the definition decides.

Of the entropy it takes the whole part; in (c,l)-diversity it compares the least frequent value, not the most frequent
one; in enhanced beta-likeness it forgets that a frequent value may gain too much whatever beta is.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor, isinf
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon import anonymity

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from incrowd.models import Block, Reference, parse
from models.adult import needs_adult, records

# pyCANON 1.0 groups by a list of one column, of which pandas 3 will make something else.
pytestmark = pytest.mark.filterwarnings("ignore:In a future version, the keys of")

SENSITIVE = "s"


@dataclass(frozen=True)
class Peer:
    """One table as both see it: quasi-identifiers q1, q2 and a sensitive column."""

    rows: tuple[tuple[str, str, str], ...]

    names = ("q1", "q2", SENSITIVE)

    @cached_property
    def arguments(self) -> tuple[pd.DataFrame, list[str], list[str]]:
        """As pyCANON takes it."""
        return pd.DataFrame(self.rows, columns=list(self.names)), ["q1", "q2"], [SENSITIVE]

    @cached_property
    def classes(self) -> Classes:
        """As our models take it."""
        columns = [pa.array(column, pa.string()) for column in zip(*self.rows, strict=True)]
        batch = pa.record_batch(columns, names=list(self.names))
        frequencies = FrequencySet.of_table(Table.from_batches(self.names, [batch]))
        return frequencies.judged(["q1", "q2"], [(SENSITIVE,)])

    def strength(self, text: str) -> float:
        """What the table reaches."""
        return parse(text).strength(self.classes)

    def textbook(self, text: str, **changed: Any) -> bool:
        """Whether every class satisfies the definition."""
        groups: dict[tuple[str, str], Counter[tuple[str | None, ...]]] = {}
        for one, other, value in self.rows:
            groups.setdefault((one, other), Counter())[value,] += 1
        reference = Reference({(SENSITIVE,): sum(groups.values(), Counter())}, {})
        blocks = [Block(counts.total(), {(SENSITIVE,): counts}) for counts in groups.values()]
        model: Any = replace(parse(text), **changed)  # type: ignore[type-var]
        return all(model.textbook(block, reference) for block in blocks)


def compare(table: Peer) -> None:
    """Everything that both measure."""
    ours, theirs = table.strength, table.arguments
    assert ours("k_anonymity:k=1") == anonymity.k_anonymity(*theirs[:2])
    alpha, k = anonymity.alpha_k_anonymity(*theirs)
    assert (ours("alpha_k:alpha=1,k=1,column=s"), ours("k_anonymity:k=1")) == (pytest.approx(alpha), k)
    assert ours("distinct_l:l=1,column=s") == anonymity.l_diversity(*theirs)
    assert ours("t_closeness:t=1,column=s") == pytest.approx(anonymity.t_closeness(*theirs), abs=1e-12)
    assert ours("basic_beta:beta=1,column=s") == pytest.approx(anonymity.basic_beta_likeness(*theirs), abs=1e-12)
    delta = anonymity.delta_disclosure(*theirs)
    assert ours("delta_disclosure:delta=1,column=s,absent=ignored") == pytest.approx(delta, abs=1e-12)
    compare_entropy(table)
    compare_recursive(table)
    compare_enhanced(table)


def compare_entropy(table: Peer) -> None:
    reached = table.strength("entropy_l:l=1,column=s")
    # l equal values come out as l - 1 where rounding leaves the power of e just below l.
    assert floor(reached * (1 - 1e-9)) <= anonymity.entropy_l_diversity(*table.arguments) <= floor(reached + 1e-9)
    assert table.textbook("entropy_l:l=1,column=s", l=reached)
    assert not table.textbook("entropy_l:l=1,column=s", l=reached * (1 + 1e-6))


def compare_recursive(table: Peer) -> None:
    c, diversity = anonymity.recursive_c_l_diversity(*table.arguments)
    text = f"recursive_cl:c=1,l={diversity},column=s"
    reached = table.strength(text)
    assert table.textbook(text, c=reached * (1 + 1e-9))
    assert not table.textbook(text, c=reached * (1 - 1e-9))
    if diversity > 1 and c <= reached:
        assert not table.textbook(text, c=float(c))


def compare_enhanced(table: Peer) -> None:
    theirs = anonymity.enhanced_beta_likeness(*table.arguments)
    ours = table.strength("enhanced_beta:beta=1,column=s")
    if isinf(ours):
        assert not table.textbook("enhanced_beta:beta=1,column=s", beta=max(theirs, 1e-9) + 1)
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=40)
@given(rows=st.lists(st.tuples(*[st.sampled_from("ab")] * 2, st.sampled_from("uvwxyz")), min_size=1, max_size=40))
def test_random_tables(rows: list[tuple[str, str, str]]) -> None:
    compare(Peer(tuple(rows)))


@needs_adult
@pytest.mark.parametrize("quasi", [("sex", "salary-class"), ("sex", "race"), ("marital-status", "workclass")])
@pytest.mark.parametrize("sensitive", ["occupation", "education"])
def test_some_of_adult(quasi: tuple[str, str], sensitive: str) -> None:
    compare(Peer(tuple((row[quasi[0]], row[quasi[1]], row[sensitive]) for row in records()[:400])))


@needs_adult
@pytest.mark.parametrize("sensitive", ["education-num", "hours-per-week", "age"])
def test_ordered_distance_of_numbers(sensitive: str) -> None:
    table = Peer(tuple((row["sex"], row["race"], row[sensitive]) for row in records()[:400]))
    frame, quasi, column = table.arguments
    frame = frame.assign(**{SENSITIVE: frame[SENSITIVE].astype(int)})
    ours = table.strength("t_closeness:t=1,column=s,distance=ordered")
    assert ours == pytest.approx(anonymity.t_closeness(frame, quasi, column), abs=1e-12)


def test_where_they_truncate() -> None:
    table = Peer((("a", "a", "u"), ("a", "a", "v")))
    assert anonymity.entropy_l_diversity(*table.arguments) == 1
    assert table.textbook("entropy_l:l=2,column=s")
    assert table.strength("entropy_l:l=2,column=s") == pytest.approx(2)


def test_where_they_take_the_least_frequent_value() -> None:
    table = Peer((*[("a", "a", "u")] * 5, ("a", "a", "v")))
    assert anonymity.recursive_c_l_diversity(*table.arguments) == (1, 2)
    assert not table.textbook("recursive_cl:c=1,l=2,column=s")
    assert table.strength("recursive_cl:c=1,l=2,column=s") == 5
