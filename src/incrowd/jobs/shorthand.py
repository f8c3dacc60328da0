"""Write a job in short, as keywords: quasi=["age", "zip"], sensitive=["income"], k=5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from typing import Any

from incrowd.errors import UsageError

PROPOSED = "proposed"
"""The hierarchy of a quasi-identifier that is named alone: what incrowd init would write into a job."""
Columns = Sequence[str] | Mapping[str, Any] | str
"""Names of columns, or by name their hierarchy."""


@dataclass(frozen=True)
class Shorthand:
    """A job in short; every field is named as the option of the command line."""

    quasi: Columns = ()
    sensitive: Columns = ()
    identifier: Sequence[str] | str = ()
    person: Sequence[str] | str = ()
    keep: Sequence[str] | str = ()
    drop: Sequence[str] | str = ()
    k: int | None = None
    model: Sequence[Any] | str = ()
    knows: int | str | None = None
    suppress: float | str | Mapping[str, Any] | None = None
    search: Any = None
    metric: Any = None
    population: Any = None
    output: str | PathLike[str] | Mapping[str, Any] | None = None
    time: float | None = None
    seed: int | None = None

    @property
    def given(self) -> list[str]:
        """The fields that say something."""
        return [each.name for each in fields(self) if _says(getattr(self, each.name))]

    def to_dict(self) -> dict[str, Any]:
        """Return the job as plain data, hierarchies as they were given."""
        models = [self.model] if isinstance(self.model, str) else list(self.model)
        if self.k is not None:
            models.insert(0, {"k_anonymity": {"k": self.k}})
        columns: dict[str, Any] = {}
        for role in ("quasi", "sensitive", "identifier", "keep", "drop", "person"):
            for name, of in _by_name(getattr(self, role)).items():
                if role == "person" and columns.get(name, {}).get("role") == "quasi":
                    columns[name]["person"] = True
                    continue
                if name in columns:
                    raise UsageError.repeated_columns([name])
                columns[name] = {"role": role, **({"hierarchy": PROPOSED} if role == "quasi" else {}), **of}
        settings = {
            key: getattr(self, key) for key in ("knows", "suppress", "search", "metric", "output", "time", "seed")
        }
        said = {key: value for key, value in settings.items() if value is not None}
        return {"columns": columns, "models": models, **said}


def _says(value: Any) -> bool:
    """Return whether a value is given; a frame may not be compared with anything."""
    return bool(value) if isinstance(value, str | list | tuple | Mapping) else value is not None


def _by_name(given: Columns) -> dict[str, dict[str, Any]]:
    if isinstance(given, Mapping):
        return {name: {} if spec is None else {"hierarchy": spec} for name, spec in given.items()}
    return {name: {} for name in ([given] if isinstance(given, str) else given)}
