"""How far each privacy model holds for a table as it is: the strongest parameter that every class satisfies."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.alpha_k import AlphaK
from incrowd.models.basic_beta import BasicBeta
from incrowd.models.delta_disclosure import DeltaDisclosure
from incrowd.models.distinct_l import DistinctL
from incrowd.models.enhanced_beta import EnhancedBeta
from incrowd.models.entropy_l import EntropyL
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.models.t_closeness import TCloseness
from incrowd.text import cautious


@dataclass(frozen=True)
class Strength:
    """What a table reaches by one model."""

    model: str
    parameter: str
    """Which of the model's parameters this is."""
    value: float | None
    """The largest k or l that holds, or the smallest alpha, t, beta, c or delta; None where none does."""
    column: str | None = None
    """The sensitive column; none for k-anonymity."""
    given: dict[str, Any] = field(default_factory=dict)
    """The other parameters."""

    @property
    def words(self) -> str:
        """With four digits, on the side on which it holds."""
        besides = "".join(f", {name} = {value}" for name, value in self.given.items())
        if self.value is None:
            return f"no {self.parameter} is enough{besides}"
        rounded = cautious(self.value, self.parameter in ("k", "l"))
        # By their definitions these two hold for everything above, and not there.
        relation = ">" if self.parameter in ("c", "delta") else "="
        return f"{self.parameter} {relation} {rounded}{besides}"


def measure(frequencies: FrequencySet, quasi: Sequence[str], sensitive: Sequence[str]) -> tuple[Strength, ...]:
    """What the classes of the quasi-identifiers reach, by k and by each model of each sensitive column."""
    known = [name for name in sensitive if name in quasi]
    if known:
        raise UsageError.senseless(
            f"column {known[0]!r} as sensitive", "the attacker knows it", "leave it out of one of both"
        )
    classes = frequencies.judged(quasi, [(name,) for name in sensitive])
    found = [Strength("k_anonymity", "k", KAnonymity(1).strength(classes))]
    return (*found, *(each for name in sensitive for each in _of_column(name, classes)))


def _of_column(column: str, classes: Classes) -> Iterator[Strength]:
    # As a tuple a name may hold a plus sign.
    alone = (column,)

    def reached(name: str, parameter: str, model: PrivacyModel, **given: Any) -> Strength:
        value = model.strength(classes)
        return Strength(name, parameter, None if isinf(value) else value, column, given)

    yield reached("distinct_l", "l", DistinctL(1, column=alone))
    yield reached("frequency_l", "l", FrequencyL(1, column=alone))
    yield reached("entropy_l", "l", EntropyL(1, column=alone))
    yield reached("recursive_cl", "c", RecursiveCL(1, 2, column=alone), l=2)
    yield reached("alpha_k", "alpha", AlphaK(1, 1, column=alone))
    yield reached("t_closeness", "t", TCloseness(1, column=alone))
    # Of values that have an order of their own.
    with suppress(UsageError):
        yield reached("t_closeness", "t", TCloseness(1, "ordered", column=alone), distance="ordered")
    yield reached("basic_beta", "beta", BasicBeta(1, column=alone))
    yield reached("enhanced_beta", "beta", EnhancedBeta(1, column=alone))
    yield reached("delta_disclosure", "delta", DeltaDisclosure(1, column=alone))
