"""The number of records, and of different values, that models ask of a class."""

from math import ceil
from typing import Protocol, runtime_checkable

from incrowd.core.histograms import Columns
from incrowd.models._contract import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.of_people import OfPeople


@runtime_checkable
class HasK(Protocol):
    """A model with k: the fewest records of a class, or of the people in the population who match it."""

    @property
    def k(self) -> int:
        """The smallest number allowed."""
        ...


@runtime_checkable
class HasL(Protocol):
    """A model with l: the fewest different values of a class."""

    @property
    def l(self) -> float:  # noqa: E743
        """The smallest number allowed, for some models as a mean."""
        ...


@runtime_checkable
class HasP(Protocol):
    """A model with p: the fewest different values of a class, or a probability."""

    @property
    def p(self) -> float:
        """The smallest number, or the highest probability, allowed."""
        ...


def smallest_class_size(model: PrivacyModel) -> int:
    """Return the k that a model asks of every class; 1 if it asks for none."""
    if isinstance(model, OfPeople):
        # Each of so many people has a record.
        return smallest_class_size(model.model)
    if isinstance(model, All):
        return max((smallest_class_size(each) for each in model.models), default=1)
    return model.k if isinstance(model, HasK) and not model.needs_population else 1


def fewest_records(model: PrivacyModel) -> int:
    """Return how many records can satisfy the model at the least: k, or the number of different values it needs."""
    if isinstance(model, OfPeople):
        return fewest_records(model.model)
    if isinstance(model, All):
        return max((fewest_records(each) for each in model.models), default=1)
    return max(
        model.k if isinstance(model, HasK) else 1,
        ceil(model.l) if isinstance(model, HasL) else 1,
        ceil(model.p) if isinstance(model, HasP) else 1,
        1,
    )


@runtime_checkable
class AsksForValues(Protocol):
    """A model that asks for so many different values of its columns."""

    @property
    def columns(self) -> Columns:
        """The columns whose values count, jointly."""
        ...

    @property
    def different(self) -> int:
        """The smallest number of different values allowed."""
        ...


def fewest_values(model: PrivacyModel) -> dict[Columns, int]:
    """Return by columns how many different values a class has at least if it satisfies the model, as far as its
    relaxed form says so; more than one. Of people, it is different people in the columns that tell them.

    A class that has them keeps them, whichever records join.
    """
    if isinstance(model, OfPeople):
        people = {model.person: smallest_class_size(model.model)}
        return {**{columns: n for columns, n in people.items() if n > 1}, **fewest_values(model.model)}
    if isinstance(model, All):
        found: dict[Columns, int] = {}
        for each in model.models:
            for columns, n in fewest_values(each).items():
                found[columns] = max(n, found.get(columns, n))
        return found
    necessary = model.relaxed()
    if isinstance(necessary, AsksForValues) and necessary.different > 1:
        return {necessary.columns: necessary.different}
    return {}
