"""Journal of the files and the table that a run is about to put in place, for recovery if it is killed.

A release consists of several files, or of files and a table, which no system moves in one step. The last step, which
puts the data in place, decides: if it is done, everything is new; if not, files moved before it are moved back.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

JOURNAL = "journal"
MAIN = "main"
"""File in another folder of the same run with the path of the folder that has the journal."""


@dataclass(frozen=True)
class Part:
    """A file to be put in place."""

    fresh: str
    """Its temporary path; nothing is there once it is in place."""
    final: str
    old: str | None
    """A second name of the file that it replaces, if any."""


@dataclass(frozen=True)
class Table:
    """A database table to be put in place."""

    at: str
    """The database, without a password."""
    name: str
    """The final name."""
    mark: str
    """The identifier of the new table."""


IsPlaced = Callable[[Table], bool | None]
"""Return whether the new table has its final name; None if that is not known."""


@dataclass(frozen=True)
class Journal:
    """The files and the table that are put in place together."""

    parts: tuple[Part, ...]
    """In the order in which they are moved; the last one decides if there is no table."""
    table: Table | None = None

    def write(self, folder: Path) -> None:
        """Write the journal into the folder, atomically and durably: from then on the run can be undone."""
        waiting = folder / f"{JOURNAL}.new"
        with waiting.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, folder / JOURNAL)
        to_disk(folder)

    @classmethod
    def read(cls, folder: Path) -> "Journal | None":
        """Return a folder's journal; None if it has none."""
        try:
            plain = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        table = None if plain["table"] is None else Table(**plain["table"])
        return cls(tuple(Part(**part) for part in plain["parts"]), table)

    def undo(self) -> None:
        """Move back what was moved; if a call is interrupted, another one finishes."""
        for part in reversed(self.parts):
            if os.path.lexists(part.fresh):
                continue
            if part.old is None:
                Path(part.final).unlink(missing_ok=True)
            elif os.path.lexists(part.old):
                os.replace(part.old, part.final)
            to_disk(Path(part.final).parent)


def settled(folder: Path, is_placed: IsPlaced | None = None) -> bool:
    """Undo the unfinished steps in a folder's journal; return whether the folder can be removed."""
    journal = Journal.read(folder)
    if journal is None:
        return True
    if journal.table is None:
        placed: bool | None = not os.path.lexists(journal.parts[-1].fresh)
    else:
        placed = None if is_placed is None else is_placed(journal.table)
    if placed is None:
        return False
    if not placed:
        journal.undo()
    (folder / JOURNAL).unlink()
    return True


def to_disk(folder: Path) -> None:
    """Make the names in a folder survive a power failure, if the system supports that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
