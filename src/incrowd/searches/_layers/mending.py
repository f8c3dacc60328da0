"""Mending: what cannot be published by itself takes classes with it that were published before."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import total
from incrowd.metrics import Levels
from incrowd.recodings.by_combination import Texts
from incrowd.searches._layers.candidates import DIGITS, LevelSteps
from incrowd.searches._layers.layers import Layers, Members

Places = NDArray[np.int64]
"""Of the combinations in the order of their texts: that in which they stand depends on who counted them."""


def mend(layers: Layers, steps: LevelSteps) -> int:
    """Publish what can be of the rest, and return how many records are in the classes that were joined for it.

    On the highest levels the rest falls into classes. Each takes the classes with it that are cheapest to join, among
    those that are equal to it on the highest levels, 1, 3, 7, ... of them, until together they satisfy the model. In
    the end it has all of them: what a full-domain release on the highest levels would publish is published.
    """
    layers.publish(layers.see(steps.top))
    if not layers.left:
        return 0
    # The class of each combination on the highest levels.
    roots, _ = layers.lattice.classes_of(steps.top)
    order = np.argsort(roots, kind="stable")
    open_roots = np.unique(roots[layers.rest.origins])
    begins, ends = (np.searchsorted(roots[order], open_roots, side) for side in ("left", "right"))
    places = _places(layers)
    return sum(_joined(layers, steps, order[at:end], places) for at, end in zip(begins, ends, strict=True))


def _joined(layers: Layers, steps: LevelSteps, root: Members, places: Places) -> int:
    """Join the rest of a root with classes of it; 0 if that does not help."""
    counts = layers.lattice.combinations.counts
    rest, others = root[layers.of[root] < 0], root[layers.of[root] >= 0]
    take = 1
    while len(others):
        classes = np.unique(layers.of[others])
        order = _by_price(layers, steps, rest, others, places)
        taken = np.isin(layers.of[others], classes[order[:take]])
        rest, others = np.concatenate([rest, others[taken]]), others[~taken]
        if layers.holds(rest, np.zeros(len(rest), dtype=np.int32), 1)[0]:
            levels = tuple(int(each[0]) for each in agreeing(layers, steps, rest, np.zeros(len(rest), dtype=np.int64)))
            layers.join(rest, levels)
            return int(counts[rest].sum())
        take *= 2
    return 0


def _by_price(layers: Layers, steps: LevelSteps, rest: Members, others: Members, places: Places) -> NDArray[np.int64]:
    """Return the classes in the order of what it adds to the cost when one is joined with the rest."""
    counts = layers.lattice.combinations.counts
    _, first, of = np.unique(layers.of[others], return_index=True, return_inverse=True)
    n = len(first)
    # On which levels all members of a class and of the rest agree.
    levels = agreeing(layers, steps, np.concatenate([others, np.repeat(rest[:1], n)]), np.append(of, np.arange(n)))
    alone = np.array([each[0] for each in agreeing(layers, steps, rest, np.zeros(len(rest), dtype=np.int64))])
    levels = np.maximum(levels, alone[:, None])
    sizes = total(of.astype(np.int32), n, counts[others])
    more = (sizes + counts[rest].sum()) * steps.cost(levels.T) - sizes * steps.cost(layers.own[:, others[first]].T)
    rounded = np.round(more / max(1e-300, float(np.abs(more).max())), DIGITS)
    least = np.full(n, len(places))
    np.minimum.at(least, of, places[others])
    return np.lexsort([least, rounded])


def agreeing(layers: Layers, steps: LevelSteps, members: Members, of: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return columns x classes: the lowest level that may be used on which all members of a class are equal."""
    n = int(of.max()) + 1
    found = np.empty((len(steps.levels), n), dtype=np.int16)
    for column, levels in enumerate(steps.levels):
        found[column] = levels[-1]
        for level in reversed(levels[:-1]):
            found[column][~_differing(layers, column, level, members, of)] = level
    return found


def torn(layers: Layers, levels: Levels, members: Members, of: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return of each class whether its members differ on some levels."""
    found = np.zeros(int(of.max(initial=-1)) + 1, dtype=np.bool_)
    for column, level in enumerate(levels):
        found |= _differing(layers, column, level, members, of)
    return found


def _differing(layers: Layers, column: int, level: int, members: Members, of: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return of each class whether its members differ in a column on a level."""
    ladder, codes = layers.lattice.problem.ladders[column], layers.lattice.combinations.codes[column]
    own = ladder.up[level][codes[members]]
    one = np.empty(int(of.max(initial=-1)) + 1, dtype=own.dtype)
    one[of] = own
    found = np.zeros(len(one), dtype=np.bool_)
    found[of[own != one[of]]] = True
    return found


def _places(layers: Layers) -> Places:
    texts = []
    for ladder, codes in zip(layers.lattice.problem.ladders, layers.lattice.combinations.codes, strict=True):
        of = Texts.of(ladder)
        texts.append(of.order[of.numbers[0][codes]])
    return np.argsort(np.lexsort(texts[::-1]))
