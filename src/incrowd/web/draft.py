"""The draft of a job: what was chosen on the pages for one table, kept in the workspace from one visit to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role

if TYPE_CHECKING:
    from incrowd.service import Workspace

K, SUPPRESS = 5, 0.02
"""What is usual: everybody among five, and two records in a hundred may be left out."""


@dataclass
class Draft:
    """Everything that was chosen for a table; what is empty is as usual."""

    file: str
    missing: list[str] = field(default_factory=list)
    """Texts that stand for missing cells."""
    inspection: dict[str, Any] | None = None
    """What a first look found."""
    roles: dict[str, str] = field(default_factory=dict)
    hierarchies: dict[str, Any] = field(default_factory=dict)
    """By column, as a job has them; files of the workspace by their id."""
    limits: dict[str, int] = field(default_factory=dict)
    minimums: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, float] = field(default_factory=dict)
    k: int = K
    models: list[dict[str, Any]] | None = None
    """Those beside k-anonymity; None until they were looked at."""
    suppress: float = SUPPRESS
    metric: str = "loss"
    search: Any = "optimal"
    time: float | None = None
    output: str = ".csv"
    """How the name of the release ends."""
    spreadsheet_safe: bool = False
    expert: dict[str, Any] = field(default_factory=dict)
    """Keys of a job that few need; under `models` further ones in their short form."""
    question: dict[str, Any] = field(default_factory=dict)
    explored: list[str] = field(default_factory=list)
    """The set of columns that was looked at last."""
    reports: dict[str, str] = field(default_factory=dict)
    """By run, the run that reported on its release."""

    @classmethod
    def of(cls, space: Workspace, owner: str, file: str) -> Draft:
        """The draft as it was left."""
        known = {each.name for each in fields(cls)}
        kept = space.notes(owner).get(_key(file)) or {}
        return cls(**{"file": file, **{name: value for name, value in kept.items() if name in known}})

    def keep(self, space: Workspace, owner: str) -> None:
        """Put it into the workspace."""
        space.notes(owner).put(_key(self.file), asdict(self))

    def having(self, role: Role) -> list[str]:
        """The columns with a role, in the order of the table."""
        return [name for name, given in self.roles.items() if given == role]

    @property
    def quasi(self) -> list[str]:
        """What outsiders may know."""
        return self.having(Role.QUASI)

    @property
    def data(self) -> dict[str, Any]:
        """What is read."""
        return {"source": self.file, **({"missing": self.missing} if self.missing else {})}

    def job(self) -> dict[str, Any]:
        """The job as plain data."""
        settings = {"suppress": self.suppress, "metric": self.metric, "search": self.search, "time": self.time}
        return {
            "data": self.data,
            "output": {"to": f"release{self.output}", **({"spreadsheet_safe": True} if self.spreadsheet_safe else {})},
            "columns": {name: self._column(name, role) for name, role in self.roles.items()},
            **{key: value for key, value in (settings | self.expert).items() if value not in (None, "")},
            "models": [{"k_anonymity": {"k": self.k}}, *(self.models or ()), *self.expert.get("models", ())],
        }

    def _column(self, name: str, role: str) -> dict[str, Any]:
        if role != Role.QUASI:
            return {"role": role}
        chosen: dict[str, Mapping[str, Any]] = {
            "hierarchy": self.hierarchies,
            "limit": self.limits,
            "minimum": self.minimums,
            "priority": self.priorities,
        }
        return {"role": role, **{key: by_name[name] for key, by_name in chosen.items() if name in by_name}}


def _key(file: str) -> str:
    return f"draft-{file}"
