"""Outcomes of searches that publish in layers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.metrics import Columns
from incrowd.recodings import RecodingMap
from incrowd.recodings.by_combination import generalized, recode
from incrowd.searches import CellsOutcome, Guarantee, Node, NothingFound, Problem
from incrowd.searches._layers.layers import Layers
from incrowd.searches.outcomes import Shared


class Built(NamedTuple):
    """How the building of layers went."""

    stopped: str
    joined: int
    """Records in classes that were joined with what could not be published by itself."""
    nearest: Node | None = None
    """Where there is no release: the level vector that suppresses the fewest records."""
    recoding: RecodingMap | None = None
    """The recoding, if it is worked out already."""


def refuse_wildcards(search: str, problem: Problem) -> None:
    """Refuse missing values that match everything."""
    if problem.nulls in WILDCARDS:
        raise UsageError.invalid(
            search,
            f"with nulls={problem.nulls} records are judged by what they match, not by classes",
            "choose nulls=extended, or another search",
        )


def refuse(search: str, problem: Problem) -> None:
    """Refuse problems without classes of equal records: levels that differ by cell need them."""
    refuse_wildcards(search, problem)
    if problem.population is not None:
        raise UsageError.invalid(
            search,
            "it recodes single cells, which is not defined if classes are compared with a population",
            "choose another search, or another model",
        )


def recoding_of(layers: Layers) -> RecodingMap:
    """Return the recoding."""
    return recode(layers.lattice.combinations, layers.lattice.problem.ladders, layers.own)


def holding(layers: Layers) -> RecodingMap | None:
    """Return the recoding if all that is published satisfies the model, what is alike being one class whatever its
    layers; else None."""
    recoding = recoding_of(layers)
    classes = recoding.classes(len(layers.own))
    holds = layers.holds(np.flatnonzero(recoding.kept), classes.of, len(classes)).all()
    return recoding if holds else None


def outcome_of(search: str, layers: Layers, built: Built, details: Mapping[str, Any]) -> CellsOutcome | NothingFound:
    """Return the release as it stands; where it leaves out more than it may, none."""
    recoding = built.recoding or recoding_of(layers)
    node = _node(layers.lattice.problem, recoding, layers.own)
    shared: Shared = {
        "search": search,
        "guarantee": Guarantee.HEURISTIC,
        "counted": min(layers.counted + layers.lattice.counted, layers.lattice.size),
        "lattice": layers.lattice.size,
        "stopped": built.stopped,
        "gap": None,
        "details": details,
    }
    if not node.feasible:
        return NothingFound(nearest=built.nearest, **shared)
    return CellsOutcome(node=node, own_levels=layers.own, **shared)


def node_of(
    problem: Problem,
    combinations: FrequencySet,
    own: NDArray[np.int16],
    pieces: tuple[NDArray[np.int64], Counts] | None = None,
) -> Node:
    """Return the highest levels that are published, and the score of the release as it is; as an outcome has them."""
    return _node(problem, recode(combinations, problem.ladders, own, pieces), own)


def _node(problem: Problem, recoding: RecodingMap, own: NDArray[np.int16]) -> Node:
    classes = recoding.classes(len(own))
    columns = Columns(recoding.combinations, problem.ladders, problem.priorities or (1.0,) * len(problem.ladders))
    kept = own[:, recoding.kept]
    suppressed = int(recoding.counts[~recoding.kept].sum())
    feasible = suppressed <= problem.budget
    return Node(
        levels=tuple(kept.max(axis=1).tolist()) if kept.size else problem.minimum or (0,) * len(own),
        suppressed=suppressed,
        classes=len(classes),
        smallest=classes.smallest,
        feasible=feasible,
        score=problem.metric.prepare(columns).score(generalized(recoding, own)) if feasible else float("inf"),
        penalty=0.0,
        dead=False,
    )
