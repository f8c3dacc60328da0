"""Personalized anonymity: nobody's value can be placed below the node that they guard (Xiao and Tao 2006)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts, Domain
from incrowd.errors import UsageError
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models.columns import OnColumns
from incrowd.models.nodes import Nodes, Span
from incrowd.parameters import number_above_zero
from incrowd.spelling import Name

WHAT = "personal_breach"
TOLERANCE = 1e-9
"""A probability this much above p still passes, whatever the number of records: what rounding adds is far less."""

Text = str | None


@dataclass(frozen=True)
class PersonalBreach(OnColumns):
    """Every record may name a guarding node: the probability that its value lies below that node is at most p.

    The reader knows who is in the table and in which class. Each record of the class is equally likely to be the
    person's, and each value below what is published for it equally likely to be the record's (Xiao and Tao 2006, the
    primary case of one record a person). So for a guard g in a class of n records the probability is the mean, over the
    records of the class, of the share of the values below a record's published cell that lie below g: 1 where the cell
    is g or below it, leaves(g) / leaves(cell) where it is above, else 0. A record without a guard asks for nothing. A
    missing value lies below the top only, unless the hierarchy lists it.

    The paper's guards lie above the record's own value. Here any node may be named.
    """

    p: float
    guard: Name
    """The column that holds the guards: values or labels of the hierarchy of the judged column. It is not published."""

    not_promised = (
        "A person without a guard is not protected, and a class may be a single record. An attacker who "
        "can rule out values by other means may exceed the probability."
    )
    # A guard of one class meets values of the other: x (guarded) y with p = 1/2 is safe, x x x without any guard too.
    monotone = Monotone(merging=False, absorbing=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero(f"p of {WHAT}", self.p, 1)
        if not isinstance(self.guard, str) or not self.guard:
            raise UsageError.not_one_of(f"guard of {WHAT}", self.guard, ["the name of a column"])
        if len(self.columns) > 1:
            raise UsageError.invalid(WHAT, "several columns jointly have no hierarchy", "guard one column")
        if self.guard in self.columns:
            raise UsageError.invalid(WHAT, "a column cannot guard itself", "name the column that holds the guards")

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The values, and the guards."""
        return (self.columns, (self.guard,))

    @property
    def unpublished(self) -> Columns:
        """Return what it looks at and no release may show."""
        return (self.guard,)

    @property
    def most(self) -> float:
        """Return what a probability may be, rounding included."""
        return self.p + TOLERANCE

    def relaxed(self) -> None:  # type: ignore[override]
        """Return None: no necessary model gets easier on the way up; one more record may name a guard."""

    def lost(self, classes: Classes) -> Counts:
        """Return 0 for each class: no record is known to be lost."""
        return np.zeros(len(classes), dtype=np.int64)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have no guard that is breached."""
        found = np.ones(len(classes), dtype=np.bool_)
        breached = self._probabilities(classes) > self.most
        found[classes.histograms[self.guard,].owner[breached]] = False
        return found

    def strength(self, classes: Classes) -> float:
        """Return the smallest p: the largest probability of a breach; 0 where nobody guards anything."""
        return float(self._probabilities(classes).max(initial=0.0))

    def nodes(self, domain: Domain) -> Nodes:
        """Return the nodes that may be guarded."""
        if domain.ladder is None:
            raise UsageError.invalid(
                f"{WHAT} on column {self.columns[0]!r}",
                "guards are nodes of its hierarchy, and it has none",
                "give it one",
            )
        return Nodes.of(domain.ladder.hierarchy, self.columns[0])

    def guards(self, nodes: Nodes, domain: Domain) -> list[Span | None]:
        """Return per code of the guard column the node that it names; None for a missing one."""
        assert domain.values is not None
        found = nodes.find(domain.values)
        unknown = sum(1 for span in found if span is None)
        if unknown:
            raise UsageError.invalid(
                f"column {self.guard!r}",
                f"{unknown:,} of its {len(found):,} different values name no node of the hierarchy of "
                f"{self.columns[0]!r}",
                "correct them, or leave them empty where nothing is to be guarded",
            )
        return [None, *found]

    def _probabilities(self, classes: Classes) -> NDArray[np.float64]:
        """Return per entry of the guards' histogram the probability of a breach."""
        values, guards = classes.histograms[self.columns], classes.histograms[self.guard,]
        nodes = self.nodes(values.domain)
        of_guard = self.guards(nodes, guards.domain)
        assert values.domain.values is not None
        cells = [nodes.spans[None], *(span or nodes.spans[None] for span in nodes.find(values.domain.values))]
        found = np.zeros(len(guards.values))
        for code in np.unique(guards.values).tolist():
            span = of_guard[code]
            if span is not None:
                below = nodes.below(cells, [span])[:, 0]
                known = values.total(below[values.values] * values.counts) / np.maximum(1, values.sizes)
                mine = guards.values == code
                found[mine] = known[guards.owner[mine]]
        return found

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return the result by definition: guard by guard, over all records of the class."""
        ladder = reference.ladders[self.columns[0]]
        below = _values_below(_Same(ladder))
        most = Fraction(str(self.p)) + Fraction(str(TOLERANCE))
        for (guard,) in block.values[self.guard,]:
            if guard is not None:
                top = len(below[guard]) == len(ladder)
                shares = [n * _share(cell, below, guard, top) for (cell,), n in block.values[self.columns].items()]
                if sum(shares, Fraction(0)) > most * block.size:
                    return False
        return True

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"No person's {self.subject} can be placed, with a probability above {self.p:g}, below the node of its "
            "hierarchy that their record guards (Xiao and Tao)."
        )


@dataclass(frozen=True, eq=False)
class _Same:
    """A ladder that equals itself alone: verification judges thousands of classes by the same one."""

    ladder: Mapping[Text, tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.ladder is other.ladder

    def __hash__(self) -> int:
        return id(self.ladder)


@lru_cache(maxsize=1)
def _values_below(of: _Same) -> dict[Text, set[Text]]:
    """Return for each value and label the values below it."""
    found: dict[Text, set[Text]] = {}
    for value, labels in of.ladder.items():
        for text in {value, *labels}:
            found.setdefault(text, set()).add(value)
    return found


def _share(cell: Text, below: Mapping[Text, set[Text]], guard: Text, top: bool) -> Fraction:
    """Return the share of the values below a cell that are below a guard."""
    if top:
        return Fraction(1)
    # Missing, where the hierarchy does not list it, is below the top alone.
    leaves = below[cell] if cell is not None else below.get(cell, set())
    return Fraction(len(leaves & below[guard]), max(1, len(leaves)))


MODEL = PersonalBreach
SUGGESTED = {"p": 0.5}
LABELS = {"p": "Largest probability of a breach (p, 0 to 1)", "guard": "Guard column (role drop)"}
