"""Journal: what a run was about to put in place, for the run that finds it killed.

The parts of a release are several files, or files and a table, and no system moves all of them in one step. The last
step, which puts the data in place, decides: if it happened, all is new; if not, what was moved before is moved back.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

JOURNAL = "journal"
MAIN = "main"
"""In a further folder of the same run: where the folder with the journal is."""


@dataclass(frozen=True)
class Part:
    """A file on its way."""

    fresh: str
    """Where it waits; once it is in its place there is nothing here."""
    final: str
    old: str | None
    """A second name of what it replaces, if there was anything."""


@dataclass(frozen=True)
class Table:
    """A database's table on its way."""

    at: str
    """The database, without a password."""
    name: str
    """The final name."""
    mark: str
    """What recognizes the new table."""


IsPlaced = Callable[[Table], bool | None]
"""Return whether the new table has its final name; None if that is not known."""


@dataclass(frozen=True)
class Journal:
    """What is put in place together."""

    parts: tuple[Part, ...]
    """In the order in which they go; the last one decides if there is no table."""
    table: Table | None = None

    def write(self, folder: Path) -> None:
        """Put it into the folder, on the disk and in one step: from here on the run can be undone."""
        waiting = folder / f"{JOURNAL}.new"
        with waiting.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, folder / JOURNAL)
        to_disk(folder)

    @classmethod
    def read(cls, folder: Path) -> "Journal | None":
        """Return what a folder's journal says; None if the folder has none."""
        try:
            plain = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        table = None if plain["table"] is None else Table(**plain["table"])
        return cls(tuple(Part(**part) for part in plain["parts"]), table)

    def undo(self) -> None:
        """Move back what was moved. A second call, after one that was killed, does what is left to do."""
        for part in reversed(self.parts):
            if os.path.lexists(part.fresh):
                continue
            if part.old is None:
                Path(part.final).unlink(missing_ok=True)
            elif os.path.lexists(part.old):
                os.replace(part.old, part.final)
            to_disk(Path(part.final).parent)


def settled(folder: Path, is_placed: IsPlaced | None = None) -> bool:
    """Undo what the journal of a folder began and did not end; return whether the folder is needed no more."""
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
    """Have the names in a folder survive a failure of power; not every system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
