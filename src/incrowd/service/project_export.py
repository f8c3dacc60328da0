"""Write a project file: a table with its settings, hierarchies and runs, as one archive."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from incrowd.errors import NotThere
from incrowd.service.ledger import Row
from incrowd.service.project_file import DESCRIPTION, FORMAT
from incrowd.service.resources import DATABASE, LISTS

if TYPE_CHECKING:
    from incrowd.service.workspace import Workspace

_PRIVATE = ("record", "mapping", "previews")
"""Kinds of files that can reverse a release."""
_BESIDE = ("hierarchy", "manifest", "record")
"""Kinds of files of the workspace that are no tables."""


def export_project(
    space: Workspace, file: str, owner: str = "", table: bool = True, private_records: bool = True
) -> Path:
    """Return the path of a new project file, which the caller discards.

    Without `table` no table is in it, without `private_records` nothing that can reverse a release. Its settings and
    hierarchies have values of the table all the same: it is private.
    """
    space.file(file, owner)
    path = space.new_folder() / "project.zip"
    try:
        with ZipFile(path, "x", ZIP_DEFLATED, compresslevel=1) as archive:
            _Writer(space, owner, archive, table, private_records).write(file)
    except BaseException:
        discard(path)
        raise
    return path


class _Writer:
    def __init__(self, space: Workspace, owner: str, archive: ZipFile, table: bool, private_records: bool) -> None:
        self.space, self.owner, self.archive = space, owner, archive
        self.table, self.private_records = table, private_records
        self.members = 0

    def write(self, file: str) -> None:
        """Write the members, then what describes them."""
        kept = self._notes(file)
        rows = self._runs(file)
        named = {file, *self._named(json.dumps(kept)), *(id for row in rows for id in json.loads(row["uses"]))}
        files = [row for row in self._files() if row["id"] in named]
        plain = {
            "format": FORMAT,
            "incrowd": version("incrowd"),
            "table": file,
            "files": [made for row in files if (made := self._file(row, row["id"] == file)) is not None],
            "notes": {
                file: kept,
                **{row["id"]: self._notes(row["id"]) for row in files if self.table and row["kind"] not in _BESIDE},
            },
            "runs": [self._run(row) for row in rows],
        }
        self.archive.writestr(DESCRIPTION, json.dumps(plain, ensure_ascii=False, allow_nan=False))

    def _notes(self, file: str) -> dict[str, Any]:
        """Return the settings of a table."""
        notes, start = self.space.notes(self.owner), f"draft-{file}"
        return {name.removeprefix(start): notes.get(name) for name in notes.names() if name.startswith(start)}

    def _files(self) -> list[Row]:
        return self.space.ledger.rows("SELECT * FROM files WHERE owner = ?", self.owner)

    def _named(self, text: str) -> Iterator[str]:
        return (row["id"] for row in self._files() if row["id"] in text)

    def _runs(self, file: str) -> list[Row]:
        """Return the runs that read the table, or a result of such a run, and are done; the oldest first."""
        rows = self.space.ledger.rows(
            "SELECT * FROM runs WHERE owner = ? AND state = 'done' ORDER BY number", self.owner
        )
        found: dict[str, Row] = {}
        for row in rows:
            # A release that reuses the recoding of another table is not one of that table.
            uses = json.loads(row["uses"])
            if row["kind"] not in LISTS and any(
                id == file or id in found for id in (uses[:1] if row["kind"] == "apply" else uses)
            ):
                found[row["id"]] = row
        return list(found.values())

    def _file(self, row: Row, is_own: bool) -> dict[str, Any] | None:
        purpose = row["kind"] if row["kind"] in _BESIDE else "data"
        is_left_out = (purpose == "data" and not self.table) or (purpose == "record" and not self.private_records)
        path = self.space.folder / "files" / row["id"] / f"content{row['suffix']}"
        has_content = not is_left_out and row["kind"] != DATABASE and path.is_file()
        if not has_content and not is_own:
            return None
        # The address of a server may have a password.
        name = "a database" if row["kind"] == DATABASE else row["name"]
        content = self._content("files", path) if has_content else None
        return {"id": row["id"], "name": name, "purpose": purpose, "table": row["table"], "content": content}

    def _run(self, row: Row) -> dict[str, Any]:
        folder = self.space.folder / "runs" / row["id"] / str(row["starts"])
        made = [each for each in json.loads(row["artefacts"]) if (folder / each["name"]).is_file()]
        kept = [each for each in made if self.private_records or not _is_private(each)]
        return {
            **{key: row[key] for key in ("id", "kind", "submitted", "started", "ended")},
            "request": json.loads(row["request"]),
            "result": None if row["result"] is None else json.loads(row["result"]),
            "uses": json.loads(row["uses"]),
            "artifacts": [
                {"name": each["name"], "kind": each["kind"], "content": self._content("runs", folder / each["name"])}
                for each in kept
            ],
        }

    def _content(self, kind: str, path: Path) -> dict[str, Any]:
        from hashlib import sha256

        self.members += 1
        member, digest, size = f"{kind}/{self.members}", sha256(), 0
        try:
            with path.open("rb") as read, self.archive.open(member, "w", force_zip64=True) as write:
                while block := read.read(1 << 20):
                    digest.update(block)
                    size += len(block)
                    write.write(block)
        except FileNotFoundError:
            raise NotThere.of("file") from None
        return {"member": member, "size": size, "sha256": digest.hexdigest()}


def _is_private(artifact: dict[str, Any]) -> bool:
    return artifact["kind"] in _PRIVATE or artifact["name"].startswith("report-internal")


def discard(path: Path) -> None:
    """Delete a project file, with its folder."""
    shutil.rmtree(path.parent, ignore_errors=True)
