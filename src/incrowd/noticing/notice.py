"""One thing that is noticed of a column."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from incrowd.proposing.facts import Sureness

Settings = Mapping[str, tuple[str, ...]]
"""Settings of a column in a job, such as {"missing": ("99",)}."""


@dataclass(frozen=True)
class Notice:
    """How the values of a column are written, what is assumed, and what may be set instead."""

    column: str
    what: str
    assumed: str
    """How the values are read now."""
    choices: tuple[tuple[str, Settings], ...] = ()
    """Other ways to read them, each in words and as settings of the column; the likelier first."""
    sureness: Sureness = Sureness.UNSURE
    """How sure the first choice is."""
    set_by: str = ""
    """The key of the column in a job that says so; empty for what is only noticed."""

    @property
    def likely(self) -> Settings:
        """Return the settings of the first choice if it is more than a guess; else none."""
        return {} if self.sureness is Sureness.UNSURE or not self.choices else self.choices[0][1]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "column": self.column,
            "what": self.what,
            "assumed": self.assumed,
            "choices": [
                {"label": label, **{key: list(values) for key, values in settings.items()}}
                for label, settings in self.choices
            ],
            "sureness": str(self.sureness),
            "set_by": self.set_by,
        }
