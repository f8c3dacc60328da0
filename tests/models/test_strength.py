"""A model holds for every class where its parameter is what `strength` says, and not where it is a little stronger."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from incrowd.families import MODELS
from models.judging import PARAMETERS, Judged, judgements, models

MAIN = {name: next(iter(parameters)) for name, parameters in PARAMETERS.items()}
COUNTS = {name for name, main in MAIN.items() if MODELS.types(name)[main] is int}
SHARES = {"alpha_k", "t_closeness", "delta_presence", "range_diversity"}
OTHER_PARAMETERS = {"alpha_k": {"k": 1}, "p_sensitive": {"k": 1}, "delta_presence": {"lower": 0}}
"""At their weakest."""


def just_enough(name: str, reached: float) -> float:
    """What still holds."""
    if name in COUNTS:
        return int(reached)
    if name == "entropy_l":
        return reached
    more = reached * (1 + 1e-7) + 1e-7
    return min(1, more) if name in SHARES else more


def too_strong(name: str, reached: float) -> float:
    """What no longer does; 0 or less where the parameter cannot be so strong."""
    if name in COUNTS:
        return int(reached) + 1
    return reached * (1 + 1e-6) if name == "entropy_l" else reached * (1 - 1e-6) - 1e-6


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data(), table=judgements(fewest=1))
def test_strength(name: str, data: st.DataObject, table: Judged) -> None:
    assume(any(table.counts))
    model: Any = replace(data.draw(models(name)), **OTHER_PARAMETERS.get(name, {}))  # type: ignore[type-var]
    reached = model.strength(table.classes)
    enough, beyond = just_enough(name, reached), 0.0
    if reached == float("inf") or (name == "delta_presence" and reached > 1):
        # Whatever the parameter.
        beyond = 1
    elif enough > 0:
        assert all(table.holds(replace(model, **{MAIN[name]: enough})))
        beyond = too_strong(name, reached)
    if beyond > 0:
        assert not all(table.holds(replace(model, **{MAIN[name]: beyond})))
