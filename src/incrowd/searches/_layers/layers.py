"""A release that grows layer by layer: what is published so far, on which levels, and what is left."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.kernels import Grouper, total
from incrowd.core.table import Codes
from incrowd.metrics import Levels
from incrowd.models import Mask
from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.layout import LatticeLayout

Members = NDArray[np.integer]
"""Positions of combinations."""


class LayerCount(NamedTuple):
    """The classes of the rest that a level vector would publish."""

    levels: Levels
    of: Codes
    """The class of each combination of the rest."""
    holds: Mask
    """Which classes satisfy the model."""
    records: int
    """How many records those have."""


class Layer(NamedTuple):
    """The classes published on one level vector."""

    levels: Levels
    members: Members
    records: int


class Layers:
    """Every record of the layers' classes is published on its layer's levels; what is left is the rest.

    Classes are compared with the whole table. Those of two layers that publish the same are one class; they satisfy
    together what each satisfies, and where a model does not claim that (`monotone.merging`), `hold` tells.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.layers: list[Layer] = []
        self.rest = lattice.ground
        """Its origins are positions of combinations."""
        self.left = lattice.records
        """How many records the rest has."""
        self.own = np.full((len(lattice.top), lattice.combinations.combinations), SUPPRESSED, dtype=np.int16)
        """Columns x combinations: the level of every cell."""
        self.of = np.full(lattice.combinations.combinations, -1, dtype=np.int64)
        """The class of each combination; -1 for the rest."""
        self._classes = 0
        self._grouped: Members = np.zeros(0, dtype=np.int64)
        self._groups = 0
        self._counted: set[Levels] = set()
        self._layout = LatticeLayout.of(lattice.problem.ladders)
        self._grouper = Grouper()

    @property
    def counted(self) -> int:
        """How many level vectors were counted, each once."""
        return len(self._counted)

    def see(self, levels: Levels) -> LayerCount:
        """Count and judge the rest on some levels."""
        self._counted.add(levels)
        blocks, of = self.rest.grouped(self._layout.mask(levels), self._grouper, assign=True)
        holds = self.lattice.problem.model.holds(blocks.classes)
        return LayerCount(levels, of, holds, int(blocks.counts[holds].sum()))

    def publish(self, seen: LayerCount) -> None:
        """Publish all classes that satisfy the model, if there are any; the rest remains."""
        if not seen.records:
            return
        kept = seen.holds[seen.of]
        members = self.rest.origins[kept]
        self.own[:, members] = np.array(seen.levels, dtype=np.int16)[:, None]
        self.of[members] = seen.of[kept] + self._classes
        self._classes += len(seen.holds)
        self.layers.append(Layer(seen.levels, members, seen.records))
        self.rest = self.rest.take(np.flatnonzero(~kept))
        self.left -= seen.records

    def publish_groups(self, members: Members, of: Codes, own: NDArray[np.int16]) -> None:
        """Publish members in groups that satisfy the model, each on levels of its own: columns x groups. There are no
        layers yet."""
        self.own[:, members] = own[:, of]
        self.of[members] = of + self._classes
        self._classes += own.shape[1]
        self._grouped, self._groups = members, self._classes
        self._reopen()

    @property
    def records_in_groups(self) -> int:
        """How many records are published in groups; those that were joined with others in the end are in none."""
        of = self.of[self._grouped]
        return int(self.lattice.combinations.counts[self._grouped[(of >= 0) & (of < self._groups)]].sum())

    def give_back(self, all_layers: bool = False) -> None:
        """Take back the last layer, or all of them."""
        members = np.flatnonzero(self.of >= 0) if all_layers else self.layers[-1].members
        self.layers = [] if all_layers else self.layers[:-1]
        self.own[:, members] = SUPPRESSED
        self.of[members] = -1
        self._reopen()

    def _reopen(self) -> None:
        self.rest = self.lattice.ground.take(np.flatnonzero(self.of < 0))
        self.left = int(self.rest.counts.sum())

    def join(self, members: Members, levels: Levels) -> None:
        """Join the rest and classes that were published before into one class."""
        self.own[:, members] = np.array(levels, dtype=np.int16)[:, None]
        self.of[members] = self._classes
        self._classes += 1
        self._reopen()

    def as_data(self) -> list[dict[str, object]]:
        """Return the layers as plain data; classes that were joined in the end are in none of them."""
        found = []
        for layer in self.layers:
            stays = (self.own[:, layer.members] == np.array(layer.levels)[:, None]).all(axis=0)
            records = int(self.lattice.combinations.counts[layer.members[stays]].sum())
            found.append({"levels": list(layer.levels), "records": records})
        return found

    def holds(self, members: Members, of: Codes, n: int) -> Mask:
        """Return which of n classes satisfy the model; member i is in class of[i]."""
        # The ground has each combination once, in order.
        blocks = self.lattice.ground
        histograms = {}
        for columns, histogram in blocks.histograms.items():
            histograms[columns] = histogram.of_classes(members).regrouped(of, n)
        return self.lattice.problem.model.holds(Classes(total(of, n, blocks.counts[members]), histograms))
