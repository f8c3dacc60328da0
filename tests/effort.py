"""How much a test does: a part in the quick profile, which `make test` has, and all of it in `make test-all`."""

from typing import TypeVar

from hypothesis import settings

Amount = TypeVar("Amount")


def is_quick() -> bool:
    """Return whether the suite runs with few examples, the same in every run."""
    return settings.get_current_profile_name() == "quick"


def effort(quick: Amount, full: Amount) -> Amount:
    """Return what the profile of this run asks for."""
    return quick if is_quick() else full
