"""What layers make known."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.metrics import Columns
from incrowd.recodings import RecodingMap
from incrowd.recodings.by_combination import generalised, recode
from incrowd.searches import Guarantee, Node, Outcome, Problem
from incrowd.searches._layers.layers import Layers


class Built(NamedTuple):
    """How the building of layers went."""

    stopped: str
    joined: int
    """Records in classes that were joined with what could not be published by itself."""
    nearest: Node | None = None
    """Where there is no release: the level vector that suppresses the fewest records."""


def refuse_wildcards(search: str, problem: Problem) -> None:
    """Missing cells of the table must be values of their own."""
    if problem.nulls in WILDCARDS:
        raise UsageError.senseless(
            search,
            f"with nulls={problem.nulls} records are judged by what they match, not by classes",
            "choose nulls=extended, or another search",
        )


def refuse(search: str, problem: Problem) -> None:
    """Where levels differ from cell to cell, classes are what is published alike, and nothing else."""
    refuse_wildcards(search, problem)
    if problem.population is not None:
        raise UsageError.senseless(
            search,
            "its levels differ from cell to cell, which is not defined where classes are compared with a population",
            "choose another search, or another model",
        )


def recoding_of(layers: Layers) -> RecodingMap:
    """What is published."""
    return recode(layers.lattice.combinations, layers.lattice.problem.ladders, layers.own)


def all_hold(layers: Layers) -> bool:
    """Whether all that is published satisfies the model, what is alike being one class whatever its layers."""
    recoding = recoding_of(layers)
    classes = recoding.classes(len(layers.own))
    return bool(layers.holds(np.flatnonzero(recoding.kept), classes.of, len(classes)).all())


def outcome_of(search: str, layers: Layers, built: Built, details: Mapping[str, Any]) -> Outcome:
    """The release as it stands; where it leaves out more than it may, none."""
    node = node_of(layers.lattice.problem, layers.lattice.combinations, layers.own)
    return Outcome(
        search=search,
        guarantee=Guarantee.HEURISTIC,
        node=node if node.feasible else None,
        counted=min(layers.counted + layers.lattice.counted, layers.lattice.size),
        lattice=layers.lattice.size,
        stopped=built.stopped,
        gap=None,
        nearest=None if node.feasible else built.nearest,
        details=details,
        own_levels=layers.own if node.feasible else None,
    )


def node_of(
    problem: Problem,
    combinations: FrequencySet,
    own: NDArray[np.int16],
    pieces: tuple[NDArray[np.int64], Counts] | None = None,
) -> Node:
    """The highest levels that are published, and the score of the release as it is; as an outcome has them."""
    recoding = recode(combinations, problem.ladders, own, pieces)
    classes = recoding.classes(len(own))
    columns = Columns(combinations, problem.ladders, problem.priorities or (1.0,) * len(problem.ladders))
    kept = own[:, recoding.kept]
    suppressed = int(recoding.counts[~recoding.kept].sum())
    feasible = suppressed <= problem.budget
    return Node(
        levels=tuple(kept.max(axis=1).tolist()) if kept.size else problem.minimum or (0,) * len(own),
        suppressed=suppressed,
        classes=len(classes),
        smallest=classes.smallest,
        feasible=feasible,
        score=problem.metric.prepare(columns).score(generalised(recoding, own)) if feasible else float("inf"),
        penalty=0.0,
        dead=False,
    )
