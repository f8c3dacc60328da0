"""Change several files together: all are new or all unchanged, even if a run is killed."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from incrowd.errors import SourceError
from incrowd.files.journal import JOURNAL, MAIN, IsPlaced, Journal, Part, Table, settled, to_disk
from incrowd.files.private import PrivateFolder, private_folder
from incrowd.files.whole import PRIVATE


@dataclass(frozen=True)
class Planned:
    """A file to be put in place."""

    final: Path
    is_private: bool = False
    """True if only its owner may read it once in place."""


@dataclass(frozen=True, eq=False)
class Change:
    """Files in private folders, by their final path."""

    main: PrivateFolder
    waiting: dict[Path, tuple[Path, int]]
    """The temporary path of each, and its final permissions."""
    is_placed: IsPlaced | None

    def fresh(self, final: Path) -> Path:
        """Return the temporary path at which to write a file."""
        return self.waiting[final][0]

    def put_in_place(self, finals: Sequence[Path]) -> None:
        """Move the files, in this order; only the last step completes the change."""
        with _translate_errors(finals[-1]):
            parts = self._begun(finals, None)
            self._move(parts[:-1])
            self._move(parts[-1:])
            self._ended()

    def put_in_place_with(
        self, finals: Sequence[Path], table: Table, rename: Callable[[Callable[[], None]], None]
    ) -> None:
        """Move the files as the last step of the transaction in which `rename` renames a table."""
        with _translate_errors(finals[-1]):
            parts = self._begun(finals, table)
            try:
                rename(lambda: self._move(parts))
            except BaseException:
                # While the new table still exists to show that it was not renamed.
                self.undo()
                raise
            self._ended()

    def undo(self) -> None:
        """Move back what was moved, unless the last step was done or that is unknown."""
        with suppress(OSError):
            settled(self.main.path, self.is_placed)

    def _begun(self, finals: Sequence[Path], table: Table | None) -> list[Part]:
        parts = [self._part(at, final) for at, final in enumerate(finals)]
        for folder in {Path(part.fresh).parent for part in parts}:
            to_disk(folder)
        Journal(tuple(parts), table).write(self.main.path)
        return parts

    def _part(self, at: int, final: Path) -> Part:
        """Return the journal entry of a file, with a second name for the file that it replaces."""
        fresh, place = self.fresh(final), os.path.realpath(final)
        if not os.path.lexists(place):
            return Part(str(fresh), place, None)
        old = fresh.with_name(f"{at}.old")
        try:
            os.link(place, old)
        except OSError:
            # Not every disk supports hard links.
            shutil.copy2(place, old)
            with old.open("r+b") as copy:
                os.fsync(copy.fileno())
        return Part(str(fresh), place, str(old))

    def _move(self, parts: Sequence[Part]) -> None:
        rights = {str(fresh): mode for fresh, mode in self.waiting.values()}
        for part in parts:
            os.chmod(part.fresh, rights[part.fresh])
            os.replace(part.fresh, part.final)
        for folder in {Path(part.final).parent for part in parts}:
            to_disk(folder)

    def _ended(self) -> None:
        (self.main.path / JOURNAL).unlink()


@contextmanager
def _translate_errors(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SourceError.cannot_write(place, error) from None


@contextmanager
def changed_together(
    planned: Sequence[Planned], folder: Path, is_placed: IsPlaced | None = None, beside: Sequence[Path] = ()
) -> Iterator[Change]:
    """Yield temporary paths for files, private to their owner; what is not put in place is removed afterwards.

    `folder` is where the data go, and where the next run recovers. A temporary file is on the disk of its final path;
    those in `beside` are in one folder under their final names.
    """
    with ExitStack() as stack:
        try:
            place = Path(os.path.realpath(folder))
            folders = {place: stack.enter_context(private_folder(place, is_placed))}
            main = folders[place]
            waiting: dict[Path, tuple[Path, int]] = {}
            for plan in planned:
                parent = place if plan.final in beside else Path(os.path.realpath(plan.final)).parent
                if parent not in folders:
                    folders[parent] = stack.enter_context(private_folder(parent))
                    (folders[parent].path / MAIN).write_text(str(main.path), encoding="utf-8")
                fresh = _free(folders[parent].path / plan.final.name, {path for path, _ in waiting.values()})
                waiting[plan.final] = (fresh, PRIVATE if plan.is_private else main.rights)
        except OSError as error:
            raise SourceError.cannot_write(folder, error) from None
        # Before any folder is removed: replaced files are moved back from them.
        change = Change(main, waiting, is_placed)
        stack.callback(change.undo)
        yield change


def _free(path: Path, taken: set[Path]) -> Path:
    """Return a path that is not taken by another file or by a file of the folder itself."""
    own = {JOURNAL, MAIN, "lock"}
    while path in taken or path.name in own:
        path = path.with_name(f"_{path.name}")
    return path
