"""The contract of privacy models; searches show them arrays, verification plain counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts

Mask = NDArray[np.bool_]


class Monotone(NamedTuple):
    """The claims of a model; a search prunes on nothing else, and property tests attack each claim."""

    merging: bool
    """Two classes that satisfy the model satisfy it when merged: it survives generalization without suppression."""
    absorbing: bool
    """A class with records that satisfies the model does so when merged with ANY class: fewer records violate it on the
    way up."""


class Block(NamedTuple):
    """One class as verification sees it: plain counts."""

    size: int
    values: Mapping[Columns, "Counter[tuple[str | None, ...]]"]
    """By the columns that a model judges: how often each value, as text, occurs."""
    population: int | None = None


class Reference(NamedTuple):
    """The table that classes are compared with, as verification sees it."""

    values: Mapping[Columns, "Counter[tuple[str | None, ...]]"]
    """The whole table that was given."""
    ladders: Mapping[str, Mapping[str | None, tuple[str, ...]]]
    """Of sensitive columns with a hierarchy: for each value its labels on levels 1, 2, ..., top.

    None, a missing cell, is among the values only where the hierarchy lists it; else it joins the others at the top.
    """


class PrivacyModel(Protocol):
    """A predicate on classes."""

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The histograms that it looks at; none for a model that counts records alone."""
        ...

    @property
    def needs_population(self) -> bool:
        """Return whether it compares with the population that the table was drawn from."""
        ...

    @property
    def needs_reference(self) -> bool:
        """Return whether it compares with the distribution in the whole table."""
        ...

    @property
    def suppressible(self) -> bool:
        """Return whether removing a class that violates it helps."""
        ...

    @property
    def monotone(self) -> Monotone:
        """Its two claims."""
        ...

    def relaxed(self) -> "PrivacyModel | None":
        """Return an absorbing model that every class satisfying this one satisfies; itself where it is absorbing."""
        ...

    def lost(self, classes: Classes) -> Counts:
        """Return how many records of each class are in classes that violate it, at least, however the class is split.

        All of a class that violates `relaxed`. A search stops looking below a node where too many are lost.
        """
        ...

    def holds(self, classes: Classes) -> Mask:
        """Return which classes satisfy it; an empty class satisfies whatever looks at records alone."""
        ...

    def strength(self, classes: Classes) -> float:
        """Return its main parameter as all classes reach it: the largest k or l, the smallest t, alpha, beta."""
        ...

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return the result by definition, for one class."""
        ...

    def promise(self) -> str:
        """Return what it promises, in one sentence."""
        ...


Measurable = Iterator[tuple[str, PrivacyModel, dict[str, Any]]]
"""By parameter the model whose `strength` a risk report shows, and the parameters that are fixed."""


class NamedModel(PrivacyModel, Protocol):
    """A privacy model that users name: reports also say what it leaves open."""

    not_promised: str


def unpublished(model: PrivacyModel) -> Columns:
    """Return the columns that a model needs and no release may show (`unpublished`), such as guards."""
    found: Columns = getattr(model, "unpublished", ())
    return found
