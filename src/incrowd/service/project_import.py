"""Read a project file into a workspace: all of it, or nothing."""

from __future__ import annotations

import json
import re
import shutil
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any
from zipfile import BadZipFile, LargeZipFile, ZipFile

from incrowd.errors import IncrowdError, SourceError, TooLarge, UsageError
from incrowd.service import project_settings, queue, uploads
from incrowd.service.kinds import kinds
from incrowd.service.ledger import packed
from incrowd.service.project_file import DESCRIPTION, LARGEST_DESCRIPTION, Content, Project, ProjectFile, ProjectRun
from incrowd.service.resources import StoredFile

if TYPE_CHECKING:
    from incrowd.service.workspace import Workspace

_BLOCK = 1 << 20
_ENCRYPTED = 1
"""The bit of a member that needs a password."""
_ID = re.compile(r"[fr][0-9a-f]{16}")
_NEW = ".new-"
"""The prefix of folders that are not yet in the ledger; at its next start the server completes or removes them."""


def import_project(space: Workspace, stream: IO[bytes], owner: str = "", table: str | None = None) -> StoredFile:
    """Take a project file into the workspace and return its table; raise what is wrong, and change nothing then.

    A project without its table takes `table`, a stored one, whose settings it replaces.
    """
    folder = space.new_folder()
    try:
        uploads.store(stream, folder / "project.zip", space.limits)
        with ZipFile(folder / "project.zip") as archive:
            return _Import(space, owner, archive).run(table)
    except (BadZipFile, LargeZipFile, NotImplementedError, EOFError, zlib.error):
        raise _refused("it is not a ZIP archive, or damaged") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _refused(why: str) -> IncrowdError:
    return SourceError.of("the project file", why, "export it again")


@dataclass
class _Import:
    space: Workspace
    owner: str
    archive: ZipFile
    ids: dict[str, str] = field(default_factory=dict)
    """New ids of files and runs by those of the project."""
    staged: list[Path] = field(default_factory=list)
    """Folders to be put in place."""

    def run(self, table: str | None) -> StoredFile:
        """Check everything, copy it beside its place, then enter all of it at once."""
        if any(info.flag_bits & _ENCRYPTED for info in self.archive.infolist()):
            raise _refused("it is encrypted")
        project = self._described()
        self._check_members(project)
        own = next((each for each in project.files if each.id == project.table), None)
        target = self._target(own, table)
        kept = [each for each in project.files if each.content is not None and not (target and each is own)]
        _check_settings(project)
        self.ids = {each.id: f"f{token_hex(8)}" for each in kept}
        self.ids |= {each.id: f"r{token_hex(8)}" for each in project.runs}
        if target is not None:
            self.ids[project.table] = target.id
        try:
            rows = [self._file(each) for each in kept]
            runs = [self._run(each) for each in project.runs]
            notes = {
                f"draft-{self.ids[id]}{name}": self._renamed(value)
                for id, of_table in project.notes.items()
                for name, value in of_table.items()
                if id in self.ids
            }
            self._enter(rows, runs, notes)
        except BaseException:
            for folder in self.staged:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        return self.space.file(self.ids[project.table], self.owner)

    def _described(self) -> Project:
        from pydantic import ValidationError

        try:
            info = self.archive.getinfo(DESCRIPTION)
        except KeyError:
            raise _refused(f"it has no {DESCRIPTION}") from None
        if info.file_size > LARGEST_DESCRIPTION:
            raise TooLarge.beyond(DESCRIPTION, f"{LARGEST_DESCRIPTION:,} bytes", "export fewer runs")
        with self.archive.open(info) as read:
            text = read.read(LARGEST_DESCRIPTION + 1)
        try:
            plain = json.loads(text, parse_constant=_no_constant)
            if queue.is_deep(plain):
                raise ValueError
            return Project.model_validate_json(text)
        except ValidationError as error:
            place = ".".join(map(str, error.errors(include_input=False, include_context=False)[0]["loc"][:6]))
            raise _refused(
                f"its description is not one of a project of this version ({place or 'all of it'})"
            ) from None
        except (ValueError, RecursionError):
            raise _refused("its description cannot be read") from None

    def _check_members(self, project: Project) -> None:
        contents, limits = project.contents, self.space.limits
        names = [each.member for each in contents]
        ids = [*(each.id for each in project.files), *(each.id for each in project.runs)]
        if len({*names}) < len(names) or len({*ids}) < len(ids):
            raise _refused("it describes a file or a run twice")
        sizes = {info.filename: info.file_size for info in self.archive.infolist()}
        if len(sizes) < len(self.archive.infolist()):
            raise _refused("it has two files of one name")
        if any(sizes.get(each.member) != each.size for each in contents):
            raise _refused("a file is missing, or of another size than it was")
        whole = sum(each.size for each in contents)
        if whole > limits.unpacked:
            raise TooLarge.beyond("the unpacked project", f"{limits.unpacked:,} bytes", "export it without the table")
        self.space.refuse_more_bytes(self.owner, whole)
        self.space.refuse_more_files(self.owner, len(project.files))
        self.space.refuse_more_runs(self.owner, len(project.runs))

    def _target(self, own: ProjectFile | None, table: str | None) -> StoredFile | None:
        """Return the stored table that the project is attached to; None if it brings its own."""
        if own is not None and own.purpose != "data":
            raise _refused("its table is not a table")
        if own is not None and own.content is not None:
            return None
        if table is None:
            name = "" if own is None else f" ({own.name})"
            raise UsageError.invalid(
                "the project file", f"it was exported without its table{name}", "open the table first, then choose it"
            )
        found = self.space.file(table, self.owner)
        if found.kind in ("hierarchy", "manifest", "record"):
            raise UsageError.invalid("the table of the project", f"not a table but a {found.kind}", "give a table")
        return found

    def _renamed(self, plain: Any) -> Any:
        """Return plain data with the new ids of files and runs."""
        text = _ID.sub(lambda found: self.ids.get(found[0], found[0]), json.dumps(plain))
        return json.loads(text)

    def _staged(self, kind: str, id: str) -> Path:
        folder = self.space.folder / kind / f"{_NEW}{id}"
        folder.mkdir(mode=0o700)
        self.staged.append(folder)
        return folder

    def _copy(self, content: Content, path: Path) -> None:
        """Unpack a member; what is longer than it was said to be, or another file, is refused."""
        left, digest = content.size, sha256()
        with self.archive.open(content.member) as read, path.open("xb") as write:
            path.chmod(0o600)
            while block := read.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    break
                digest.update(block)
                write.write(block)
        if left or digest.hexdigest() != content.sha256:
            raise _refused("a file was changed since it was exported: its hash is another one")

    def _file(self, file: ProjectFile) -> dict[str, Any]:
        """Unpack a file and look at it as at any upload; return its row."""
        assert file.content is not None
        id, name = self.ids[file.id], uploads.shown_name(file.name)
        path = self._staged("files", id) / "content"
        self._copy(file.content, path)
        seen = self.space.look(path, name, file.purpose)
        kind = "sqlite" if seen.kind == "database" else seen.kind
        stored = StoredFile(id, name, kind, file.content.size, time.time(), self.owner, file.table)
        return {**stored.to_dict(), "suffix": seen.suffix, "url": None, "query": None}

    def _run(self, run: ProjectRun) -> dict[str, Any]:
        """Unpack the files of a run; return its row."""
        if run.kind not in kinds():
            raise _refused(f"it has a run of a kind that is unknown here ({run.kind[:40]})")
        request, result = self._renamed(run.request), self._renamed(run.result)
        queue.checked(run.kind, request)
        id = self.ids[run.id]
        folder = self._staged("runs", id) / "1"
        folder.mkdir(mode=0o700)
        for each in run.artifacts:
            path = folder / each.name
            try:
                path.parent.mkdir(mode=0o700, exist_ok=True)
                self._copy(each.content, path)
            except (FileExistsError, NotADirectoryError, IsADirectoryError):
                raise _refused("a run has a file twice") from None
        _check_manifest(folder)
        artifacts = [{"name": each.name, "kind": each.kind, "size": each.content.size} for each in run.artifacts]
        made = sum(each.content.size for each in run.artifacts)
        texts = {"request": packed(request), "result": None if result is None else packed(result)}
        return {
            "id": id,
            "owner": self.owner,
            "kind": run.kind,
            "state": "done",
            "uses": packed(self._renamed(run.uses)),
            "artefacts": packed(artifacts),
            "submitted": run.submitted,
            "started": run.started,
            "ended": run.ended,
            "starts": 1,
            "size": sum(len((text or "").encode()) for text in texts.values()) + made,
            **texts,
        }

    def _enter(self, files: list[dict[str, Any]], runs: list[dict[str, Any]], notes: Mapping[str, Any]) -> None:
        ledger = self.space.ledger
        # Until all folders are in place nobody else sees the rows; a server that is killed completes it at its next
        # start.
        with ledger.alone():
            with ledger.all_or_nothing():
                # Others may have come meanwhile.
                self.space.refuse_more_bytes(self.owner, sum(row["size"] for row in [*files, *runs]))
                for row in files:
                    ledger.insert("files", row)
                for row in runs:
                    ledger.insert("runs", row)
                    ledger.insert("imported", {"run": row["id"], "at": time.time()})
                for name, value in notes.items():
                    ledger.change("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", self.owner, name, packed(value))
            # They belong to rows now: nobody removes them any more.
            staged, self.staged = self.staged, []
            for folder in staged:
                folder.rename(folder.with_name(folder.name.removeprefix(_NEW)))
        self.space.tell()


def _check_settings(project: Project) -> None:
    """Refuse settings that the pages of a table could not show."""
    for of_table in project.notes.values():
        for name, value in of_table.items():
            try:
                project_settings.check(name, value)
            except ValueError as error:
                raise _refused(f"its settings{name} are not those of a table ({error})") from None


def _check_manifest(folder: Path) -> None:
    """Refuse a release that is not the one that its manifest names."""
    for path in folder.glob("*.manifest.json"):
        data = path.with_name(path.name.removesuffix(".manifest.json"))
        try:
            named = json.loads(path.read_text(encoding="utf-8"))["data"]["sha256"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _refused("a manifest cannot be read") from None
        if named is not None and data.is_file() and _hash(data) != named:
            raise _refused("a release is not the one that its manifest names")


def _hash(path: Path) -> str:
    from incrowd.release import hash_of

    return hash_of(path)


def _no_constant(name: str) -> Callable[[], None]:
    raise ValueError(name)
