"""Starting from groups: where levels are too many to be listed, Mondrian's groups are published first."""

from dataclasses import replace

import numpy as np

from incrowd.core.axes import Axis
from incrowd.searches import GroupsOutcome
from incrowd.searches._layers.candidates import LevelSteps
from incrowd.searches._layers.layers import Layers
from incrowd.searches._layers.mending import agreeing, torn
from incrowd.searches.mondrian import Mondrian
from incrowd.watch import Stopped, Watch

_GROUPS = Mondrian(column="loss")


def start_from_groups(steps: LevelSteps, layers: Layers, watch: Watch) -> None:
    """Publish each group of Mondrian on the lowest levels on which its records agree, if these are allowed."""
    problem = layers.lattice.problem
    found = _GROUPS.run(replace(problem, ladders=(), axes=tuple(map(Axis.of_tree, problem.ladders))), watch)
    if not isinstance(found, GroupsOutcome):
        return
    group = np.empty(len(layers.of), dtype=np.int64)
    # Strict cuts leave records with equal quasi-identifiers together.
    group[problem.frequencies.classes(problem.quasi).of] = found.groups.group
    members = np.arange(len(group))
    allowed = ~torn(layers, steps.top, members, group)
    numbers = np.where(allowed, np.cumsum(allowed) - 1, -1)[group]
    members, numbers = members[numbers >= 0], numbers[numbers >= 0]
    if len(members):
        layers.publish_groups(members, numbers.astype(np.int32), agreeing(layers, steps, members, numbers))
    if found.stopped != "done":
        raise Stopped(found.stopped)
