"""The attacks on a sensitive column by their definitions, all together."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from incrowd.attacks.background_knowledge import BackgroundKnowledge
from incrowd.attacks.homogeneity import Homogeneity
from incrowd.attacks.range_disclosure import RangeDisclosure
from incrowd.attacks.similarity import Similarity
from incrowd.attacks.skewness import Skewness


def by_definition(
    classes: Sequence[Sequence[Any]], nodes: Mapping[Hashable, Hashable] | None = None, numbers: bool = False
) -> dict[str, int | None]:
    """How many records each of the usual attacks exposes; `nodes` gives each value its node below the top."""
    return {
        "homogeneity": Homogeneity().textbook(classes),
        "background_knowledge": BackgroundKnowledge().textbook(classes),
        "background_knowledge:values=2": BackgroundKnowledge(2).textbook(classes),
        "skewness": Skewness().textbook(classes),
        "similarity": None if nodes is None else Similarity().textbook(classes, nodes),
        "range_disclosure": RangeDisclosure().textbook(classes) if numbers else None,
    }
