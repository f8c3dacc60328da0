"""What a user may say about a source."""

from collections.abc import Collection
from dataclasses import dataclass, fields

from incrowd.errors import UsageError, listed


@dataclass(frozen=True)
class ReadOptions:
    """How to read; each format takes what concerns it and refuses what cannot apply."""

    missing: tuple[str, ...] = ()
    """Texts that stand for missing, beside empty cells."""
    delimiter: str | None = None
    """Between the cells of a text file; found by looking when None."""
    encoding: str | None = None
    """Of a text file; found by looking when None."""
    table: str | None = None
    """A database's table, or a workbook's sheet."""
    query: str | None = None
    """A database query whose result is the table."""

    def only(self, source: str, kind: str, allowed: Collection[str]) -> None:
        """Refuse options beyond the allowed ones."""
        given = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        refused = [name for name in given if name not in allowed]
        if refused:
            takes = f"{kind} takes {listed(allowed)}" if allowed else f"{kind} takes none"
            raise UsageError.senseless(f"{listed(refused)} for {source}", takes, "leave out what does not apply")


AS_IT_IS = ReadOptions()
"""Nothing said: everything is found by looking."""
