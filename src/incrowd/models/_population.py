"""The population that a table was drawn from, where a model compares with it."""

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.errors import UsageError
from incrowd.models._contract import Block


def people(classes: Classes) -> Counts:
    """Return how many people of the population each class has."""
    if classes.population is None:
        raise _absent()
    return classes.population


def people_like(block: Block) -> int:
    """Return how many people of the population the class has."""
    if block.population is None:
        raise _absent()
    return block.population


def _absent() -> UsageError:
    return UsageError.invalid(
        "k_map and delta_presence",
        "they compare with the population that the table was drawn from, and none is given",
        "give the population's table, or choose a model that needs none",
    )
