"""What is kept of a release that a run made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.anonymization import Anonymized


def keep(made: Anonymized) -> dict[str, Any]:
    """The facts of the release."""
    return {**made.to_dict(), "text": str(made)}
