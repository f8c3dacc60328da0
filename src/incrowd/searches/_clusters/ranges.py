"""Range Diversity as searches by clusters see it: how values contribute, and how many ranges a cluster should have."""

import numpy as np

from incrowd.core.kernels import total
from incrowd.core.table import MISSING, Codes
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.contributions import Blocks, Contributions
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches import Problem


def range_diversities(model: PrivacyModel) -> list[RangeDiversity]:
    """Return those that are asked of every group."""
    parts = model.models if isinstance(model, All) else (model,)
    return [part for part in parts if isinstance(part, RangeDiversity)]


def contributions_of(problem: Problem, model: RangeDiversity) -> Contributions:
    """Return how the values of the judged column contribute, in the whole table."""
    frequencies = problem.frequencies
    in_one = np.zeros(frequencies.combinations, dtype=np.int32)
    classes = frequencies.grouped(in_one, 1, model.needs, problem.sensitive)
    return model.contributions(model.histogram(classes).domain)


def ranges_wanted(problem: Problem, model: RangeDiversity, k: int) -> tuple[Codes, int] | None:
    """Return the range of each combination, and of how many ranges k records satisfy the model, wherever in these they
    are; None if ranges overlap, or if one of them has so many records that others are too few for every cluster.

    The model may hold with fewer, if a range is wide. So this guides a search, and decides nothing.
    """
    contributions = contributions_of(problem, model)
    if not isinstance(contributions.ranges, Blocks):
        return None
    codes = problem.frequencies.codes[problem.frequencies.names.index(model.columns[0])]
    of = contributions.ranges.of.copy()
    if contributions.nearness.apart:
        of[MISSING] = of.max(initial=0) + 1
    ranges, number = np.unique(of[codes], return_inverse=True)
    number_of: Codes = number.reshape(-1).astype(np.int32)
    # One range has all records but one of each other range: the most that a Range Diversity of k records can be.
    wanted = next((n for n in range(1, k + 1) if (k - n + 1) ** 2 + n - 1 <= model.p * k * k), k + 1)
    most = int(total(number_of, len(ranges), problem.frequencies.counts).max(initial=0))
    if wanted > min(k, len(ranges)) or k * most > (k - wanted + 1) * problem.frequencies.records:
        return None
    return number_of, wanted
