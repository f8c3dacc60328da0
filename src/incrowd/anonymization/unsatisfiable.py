"""Models that no release of these records satisfies, whatever is generalized or suppressed: no limit helps then."""

import numpy as np

from incrowd.errors import listed
from incrowd.models import PrivacyModel, to_dict
from incrowd.models.conjunction import All
from incrowd.searches import Problem

NEVER = "no release of these records satisfies"
"""How the reason begins."""


def unsatisfiable(problem: Problem) -> str:
    """Return the models by name and column, with what to do; empty if there are none, or that is not known.

    A model that survives merging holds of one class of all records, if it holds of any classes of them; and if it is
    absorbing, fewer records do not satisfy it either.
    """
    if problem.people is not None or problem.population is not None:
        return ""
    models = problem.model.models if isinstance(problem.model, All) else (problem.model,)
    never = [called(each) for each in models if all(each.monotone) and not _holds_of_all(problem, each)]
    if not never:
        return ""
    which = "these models" if len(never) > 1 else "this model"
    return f"{NEVER} {' and '.join(never)}, whatever is suppressed: relax {which}"


def _holds_of_all(problem: Problem, model: PrivacyModel) -> bool:
    frequencies = problem.frequencies
    if not set().union(*model.needs) <= {*frequencies.names}:
        return True
    together = np.zeros(frequencies.combinations, dtype=np.int32)
    return bool(model.holds(frequencies.grouped(together, 1, model.needs, problem.sensitive)).all())


def called(model: PrivacyModel) -> str:
    """Return a model's name and columns; its other parameters may contain values of the table."""
    [name] = to_dict(model)
    columns = [column for columns in model.needs for column in columns]
    return f"{name} on {listed(columns)}" if columns else name
