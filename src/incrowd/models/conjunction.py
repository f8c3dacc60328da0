"""Several models together."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.models._contract import Block, Mask, Monotone, PrivacyModel, Reference


@dataclass(frozen=True, repr=False)
class All(Brief):
    """All of several models."""

    models: tuple[PrivacyModel, ...]

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The histograms that any of them looks at, each once."""
        return tuple(dict.fromkeys(columns for model in self.models for columns in model.needs))

    @property
    def needs_population(self) -> bool:
        """Return whether any of them does."""
        return any(model.needs_population for model in self.models)

    @property
    def needs_reference(self) -> bool:
        """Return whether any of them does."""
        return any(model.needs_reference for model in self.models)

    @property
    def suppressible(self) -> bool:
        """Return whether removing a class helps whichever of them it violates."""
        return all(model.suppressible for model in self.models)

    @property
    def monotone(self) -> Monotone:
        """Return what all of them claim."""
        claims = [model.monotone for model in self.models]
        return Monotone(all(claim.merging for claim in claims), all(claim.absorbing for claim in claims))

    def relaxed(self) -> "All | None":
        """Return what is known to be necessary for each of them."""
        found = [model.relaxed() for model in self.models]
        necessary = tuple(model for model in found if model is not None)
        return All(necessary) if necessary else None

    def lost(self, classes: Classes) -> Counts:
        """Return as many as the strictest of them loses."""
        found = np.zeros(len(classes), dtype=np.int64)
        for model in self.models:
            np.maximum(found, model.lost(classes), out=found)
        return found

    def holds(self, classes: Classes) -> Mask:
        """Return which classes satisfy all of them."""
        found = np.ones(len(classes), dtype=np.bool_)
        for model in self.models:
            found &= model.holds(classes)
        return found

    def strength(self, classes: Classes) -> float:
        """Return 1 if every class satisfies all of them, else 0: they have no parameter in common."""
        return float(self.holds(classes).all())

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return the result by definition of each."""
        return all(model.textbook(block, reference) for model in self.models)

    def promise(self) -> str:
        """Return what each promises."""
        return " ".join(model.promise() for model in self.models)
