"""Profiles to start a job from: who gets the release, and what that asks for. One profile a file.

A module declares PROFILE. Another package adds one through an entry point in the group `incrowd.profiles`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from incrowd.families import Family

CELLS = "El Emam, Guide to the De-Identification of Personal Health Information (2013), Cell Size Precedents"
"""Which smallest classes data custodians have asked for."""
DIVERSITY = "Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity (2007)"
OURS = "a rule of thumb of Incrowd"


class Reason(NamedTuple):
    """Why a setting is as it is, and where that comes from."""

    why: str
    source: str


@dataclass(frozen=True)
class Profile:
    """The settings that a job starts with."""

    k: int
    suppress: float
    """The share of records that may be suppressed."""
    l: int = 2  # noqa: E741 - the name that the parameter has in every paper
    """Different values of each sensitive column that a class must have, 2 or 3; of a column with fewer, as many."""
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    """By setting: k, suppress and l."""


USUAL = Profile(5, 0.01)
"""The settings of a first job without a profile."""

PROFILES = Family("profiles", "PROFILE", "profile")


def profile(name: str | None) -> Profile:
    """Return the profile of a name, or the usual settings without one; raise UsageError if there is none."""
    found: Profile = USUAL if name is None else PROFILES.module(name).PROFILE
    return found


def faults(module: Any) -> list[str]:
    """Return what a profile lacks."""
    made = module.PROFILE
    if not isinstance(made, Profile):
        return ["its PROFILE is not a Profile"]
    lacking = [name for name in ("k", "suppress", "l") if name not in made.reasons]
    wrong = [] if made.k >= 2 and 0 <= made.suppress <= 1 and made.l in (2, 3) else ["k, suppress or l is out of range"]
    return [*([f"it has no reason for {' and '.join(lacking)}"] if lacking else []), *wrong]
