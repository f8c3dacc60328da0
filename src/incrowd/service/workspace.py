"""A workspace: a private folder with uploads, requests and results."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import IO, Any

from incrowd.errors import InUse, NotThere, SourceError, TooLarge, UsageError
from incrowd.service import queue, uploads
from incrowd.service.ledger import Ledger, Row
from incrowd.service.limits import Limits
from incrowd.service.notes import Notes
from incrowd.service.prober import UploadProber
from incrowd.service.references import RELEASE, TABLES, Held
from incrowd.service.resources import DATABASE, ENDED, LISTS, Artifact, Run, StoredFile
from incrowd.service.sources import check_url

_IMPORTED = "(SELECT at FROM imported WHERE run = runs.id) AS imported"
_LISTED = f"id, owner, kind, state, uses, error, artefacts, submitted, started, ended, cancelled, {_IMPORTED}"

_NEW, _GONE = ".new-", ".gone-"
"""Prefixes of folders that are not yet, or no longer, in the ledger."""


def usual_place() -> Path:
    """Return the default folder of the workspace."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "incrowd"


class Workspace:
    """Files, runs and drafts; safe to use from any thread."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.changed = threading.Condition()
        """Notified whenever a run is added or changes its state."""
        self.live: dict[str, dict[str, Any]] = {}
        """Progress of running runs."""
        try:
            for each in (folder, folder / "files", folder / "runs"):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)
                each.chmod(0o700)
        except OSError as error:
            raise SourceError.of(
                folder, f"it cannot be a workspace ({error.strerror})", "choose another folder (--workspace)"
            ) from None
        self.ledger = Ledger(folder / "workspace.sqlite")
        self._looking = UploadProber(limits)
        # Uploads do not wait for databases that do not answer.
        self._connecting = UploadProber(limits)

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None, limits: Limits | None = None) -> Workspace:
        """Open the workspace in a folder; create it if there is none."""
        return cls(usual_place() if path is None else Path(path).absolute(), limits or Limits())

    def close(self) -> None:
        """Close the workspace."""
        self._looking.close()
        self._connecting.close()
        self.ledger.close()

    # Files

    def add_file(self, name: str, stream: IO[bytes], owner: str = "", purpose: str = "data") -> StoredFile:
        """Store a table or, by its purpose, a hierarchy, a manifest or a private record of a release."""
        if purpose not in uploads.PURPOSES:
            raise UsageError.not_one_of("the purpose of a file", purpose, uploads.PURPOSES)
        self.refuse_more_files(owner)
        id, called = f"f{token_hex(8)}", uploads.shown_name(name)
        folder = self.folder / "files" / f"{_NEW}{id}"
        folder.mkdir(mode=0o700)
        try:
            size = uploads.store(stream, folder / "content", self.limits)
            self.refuse_more_bytes(owner, size)
            seen = self.look(folder / "content", called, purpose)
            kind = "sqlite" if seen.kind == DATABASE else seen.kind
            only = seen.tables[0] if len(seen.tables) == 1 and kind == "sqlite" else None
            with self.ledger.alone():
                # Others may have come meanwhile.
                self.refuse_more_bytes(owner, size)
                stored = self._keep(StoredFile(id, called, kind, size, time.time(), owner, only), seen.suffix)
                folder.rename(self.folder / "files" / id)
        except BaseException:
            shutil.rmtree(folder)
            raise
        return stored

    def look(self, path: Path, name: str, purpose: str) -> uploads.UploadInfo:
        """Return the format of a file by its content, and give it its extension; refuse one that cannot be read."""
        if uploads.is_read_in_pieces(path, name, purpose):
            return uploads.look(path, name, purpose, self.limits)
        return self._looking.look(path, name, purpose)

    def tables(self, id: str, owner: str | None = None) -> list[str]:
        """Return the tables or sheets of a file to choose from; [] if there is one."""
        row = self._file(id, owner)
        if row["table"] is not None or row["kind"] == DATABASE or not uploads.has_tables(row["kind"]):
            return []
        return self._looking.tables(self.folder / "files" / id / f"content{row['suffix']}", row["kind"], row["name"])

    def choose_table(self, id: str, table: str, owner: str | None = None) -> StoredFile:
        """Choose one of the tables of a file."""
        known = self.tables(id, owner)
        if table not in known:
            raise UsageError.not_one_of("the table", table, known)
        self.ledger.change('UPDATE files SET "table" = ? WHERE id = ?', table, id)
        return self.file(id, owner)

    def add_source(self, url: str, table: str | None = None, query: str | None = None, owner: str = "") -> StoredFile:
        """Register a table or a query of a database by URL; its password is never shown again."""
        from incrowd.formats.connections import without_secrets

        self.refuse_more_files(owner)
        check_url(url, self.limits.hosts)
        self._connecting.source(url, table, query)
        source = StoredFile(f"f{token_hex(8)}", without_secrets(url), DATABASE, 0, time.time(), owner, table)
        return self._keep(source, "", url, query)

    def _keep(self, stored: StoredFile, suffix: str, url: str | None = None, query: str | None = None) -> StoredFile:
        self.ledger.insert("files", {**stored.to_dict(), "suffix": suffix, "url": url, "query": query})
        return stored

    def files(self, owner: str = "") -> list[StoredFile]:
        """Return the files of an owner, newest first."""
        return [
            _stored(row) for row in self.ledger.rows("SELECT * FROM files WHERE owner = ? ORDER BY added DESC", owner)
        ]

    def file(self, id: str, owner: str | None = None) -> StoredFile:
        """Return one file; if an owner is given, it must be theirs."""
        return _stored(self._file(id, owner))

    def delete_file(self, id: str, owner: str | None = None) -> None:
        """Delete a file and lists of its records permanently, unless a waiting or running run needs it."""
        with self.ledger.all_or_nothing():
            self._file(id, owner)
            if id in self._used():
                raise InUse("a run that is not over needs the file; cancel the run, or wait for it")
            gone = [*self._lists_gone(id), _put_away(self.folder / "files" / id)]
            self.ledger.change("DELETE FROM files WHERE id = ?", id)
        self._forget(gone)

    def _file(self, id: str, owner: str | None) -> Row:
        row = self.ledger.row("SELECT * FROM files WHERE id = ?", id)
        if row is None or (owner is not None and row["owner"] != owner):
            raise NotThere.of("file")
        return row

    def _used(self) -> set[str]:
        rows = self.ledger.rows("SELECT uses FROM runs WHERE state IN ('queued', 'running')")
        return {id for row in rows for id in json.loads(row["uses"])}

    def refuse_more_files(self, owner: str, more: int = 1) -> None:
        """Refuse files beyond those that one owner may have."""
        if self.ledger.number("SELECT count(*) FROM files WHERE owner = ?", owner) + more > self.limits.files:
            raise TooLarge.beyond("your files", f"{self.limits.files:,}", "delete some first")

    def refuse_more_runs(self, owner: str, more: int = 1) -> None:
        """Refuse runs beyond those that are kept of one owner."""
        if self.ledger.number("SELECT count(*) FROM runs WHERE owner = ?", owner) + more > self.limits.runs:
            raise TooLarge.beyond("your runs", f"{self.limits.runs:,}", "delete runs that you no longer need")

    def refuse_more_bytes(self, owner: str, size: int = 0) -> None:
        """Refuse what exceeds the space that files and runs share."""
        kept = sum(
            self.ledger.number(f"SELECT sum(size) FROM {kind} WHERE owner = ?", owner) for kind in ("files", "runs")
        )
        if kept + size > self.limits.stored:
            raise TooLarge.beyond(
                "your files and runs",
                f"{self.limits.stored:,} bytes in total",
                "delete files or runs that you no longer need",
            )

    def held(self, text: str, owner: str, among: Sequence[str] | None = None) -> Held | None:
        """Return what a text of a request means: a file or a run's release by its id, or the newest file of that name.

        If ids are given, the newest among these.
        """
        row = self.ledger.row("SELECT * FROM files WHERE id = ? AND owner = ?", text, owner)
        if row is None:
            named = self.ledger.rows(
                "SELECT * FROM files WHERE name = ? AND owner = ? AND kind != ? ORDER BY added DESC",
                *(text, owner, DATABASE),
            )
            row = next((each for each in named if among is None or each["id"] in among), None)
        if row is not None:
            if row["url"] is not None:
                # The operator may have changed the list since.
                check_url(row["url"], self.limits.hosts)
            path = self.folder / "files" / row["id"] / f"content{row['suffix']}"
            return Held(
                row["id"], row["name"], row["kind"], row["suffix"], path, row["url"], row["table"], row["query"]
            )
        run = self.ledger.row("SELECT id, artefacts, starts, uses FROM runs WHERE id = ? AND owner = ?", text, owner)
        made = json.loads(run["artefacts"]) if run else []
        names = [each["name"] for each in made if each["kind"] == "release"]
        if run is None or not names:
            return None
        if any(each["name"].startswith(f"{RELEASE}/") for each in made):
            asked = json.loads(self._row(run["id"], owner, "owner, request")["request"])
            place = self._made_in(run) / RELEASE
            return Held(run["id"], RELEASE, TABLES, "", place, job=asked.get("job"), given=asked.get("tables"))
        path = self._made_in(run) / names[0]
        read = json.loads(run["uses"])[0]
        return Held(run["id"], names[0], "release", "".join(path.suffixes), path, made_from=read)

    # Runs

    def submit(self, kind: str, request: Mapping[str, Any], owner: str = "") -> Run:
        """Accept a run, or raise its faults; an accepted run is done even if the server restarts."""
        run = queue.submit(self, kind, request, owner)
        self.tell()
        return self.run(run)

    def check(self, kind: str, request: Mapping[str, Any], owner: str = "") -> None:
        """Refuse what `submit` would refuse in a request itself; start nothing."""
        queue.check(self, kind, request, owner)

    def run(self, id: str, owner: str | None = None) -> Run:
        """Return one run; if an owner is given, it must be theirs."""
        return self._with_progress(_run(self._row(id, owner)))

    def progress(self, id: str, owner: str | None = None) -> Run:
        """Return the progress of a run, without its request and result, which may be long."""
        return self._with_progress(_run({**self._row(id, owner, _LISTED), "request": "{}", "result": None}))

    def runs(self, owner: str = "") -> list[Run]:
        """Return the runs of an owner, newest first, without requests and results."""
        rows = self.ledger.rows(f"SELECT {_LISTED} FROM runs WHERE owner = ? ORDER BY number DESC", owner)
        return [self._with_progress(_run({**row, "request": "{}", "result": None})) for row in rows]

    def _with_progress(self, run: Run) -> Run:
        now = self.live.get(run.id)
        return replace(run, progress=now) if now and run.state == "running" else run

    def cancel(self, id: str, owner: str | None = None) -> Run:
        """Ask a run to stop with its best result so far; asked twice, or after a while, it is killed."""
        self._row(id, owner)
        queue.cancel(self, id)
        self.tell()
        return self.run(id)

    def delete_run(self, id: str, owner: str | None = None) -> None:
        """Delete a run, its files and lists of its records permanently, unless it waits or runs, or a run needs it."""
        with self.ledger.all_or_nothing():
            row = self._row(id, owner)
            if row["state"] not in ENDED:
                raise InUse("the run is not over; cancel it first")
            if id in self._used():
                raise InUse("a run that is not over needs its release; cancel that run, or wait for it")
            gone = [*self._lists_gone(id), self._run_gone(id)]
        self._forget(gone)

    def _lists_gone(self, id: str) -> list[Path]:
        """Delete the runs that list records of a file or a release: they hold its values."""
        kinds = ", ".join("?" * len(LISTS))
        rows = self.ledger.rows(f"SELECT id, uses FROM runs WHERE kind IN ({kinds})", *LISTS)
        return [self._run_gone(row["id"]) for row in rows if id in json.loads(row["uses"])]

    def _run_gone(self, id: str) -> Path:
        gone = _put_away(self.folder / "runs" / id)
        self.ledger.change("DELETE FROM runs WHERE id = ?", id)
        self.ledger.change("DELETE FROM imported WHERE run = ?", id)
        return gone

    def _forget(self, gone: Sequence[Path]) -> None:
        for each in gone:
            if each.exists():
                shutil.rmtree(each)
        self.ledger.forget()

    def tidy(self) -> None:
        """Complete or undo what a killed server half added or half deleted."""
        for kind in ("files", "runs"):
            for folder in [each for each in (self.folder / kind).iterdir() if each.name.startswith((_NEW, _GONE))]:
                id = folder.name.removeprefix(_NEW).removeprefix(_GONE)
                if self.ledger.row(f"SELECT 1 FROM {kind} WHERE id = ?", id):
                    folder.rename(folder.with_name(id))
                else:
                    shutil.rmtree(folder)

    def scratch(self) -> Path:
        """Return a folder for uploads in progress; `tidy` removes it."""
        folder = self.folder / "files" / f"{_NEW}scratch"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def new_folder(self) -> Path:
        """Return a new private folder, which the caller removes; if the server is killed, `tidy` does."""
        return Path(mkdtemp(prefix=_NEW, dir=self.folder / "files"))

    def artifact(self, run_id: str, name: str, owner: str | None = None) -> Path:
        """Return the path of a file that a run made."""
        row = self._row(run_id, owner)
        if name not in [each["name"] for each in json.loads(row["artefacts"])]:
            raise NotThere.of("artifact of this run", "its artifacts are listed with it")
        path = self._made_in(row) / name
        if not path.is_file():
            raise NotThere.of("artifact of this run any more", "rerun it")
        return path

    def wait(self, id: str, seconds: float) -> Run:
        """Return the run once it is over, or after so many seconds."""
        until = time.monotonic() + seconds
        while not self.is_over(id) and (left := until - time.monotonic()) > 0:
            with self.changed:
                self.changed.wait(min(left, 0.1))
        return self.run(id)

    def is_over(self, id: str) -> bool:
        """Return whether a run has ended; long values are not read."""
        row = self.ledger.row("SELECT state FROM runs WHERE id = ?", id)
        return row is None or row["state"] in ENDED

    def tell(self) -> None:
        """Wake threads that wait for a run."""
        with self.changed:
            self.changed.notify_all()

    def _row(self, id: str, owner: str | None, columns: str = f"*, {_IMPORTED}") -> Row:
        row = self.ledger.row(f"SELECT {columns} FROM runs WHERE id = ?", id)
        if row is None or (owner is not None and row["owner"] != owner):
            raise NotThere.of("run")
        return row

    def _made_in(self, row: Row) -> Path:
        return self.folder / "runs" / str(row["id"]) / str(row["starts"])

    # Drafts

    def notes(self, owner: str = "") -> Notes:
        """Return the drafts of the pages."""
        return Notes(self.ledger, owner)


def _put_away(folder: Path) -> Path:
    """Rename a folder as deleted; if the server dies now, the next start removes it."""
    gone = folder.with_name(f"{_GONE}{folder.name}")
    if folder.exists():
        folder.rename(gone)
    return gone


def _stored(row: Row) -> StoredFile:
    return StoredFile(**{key: row[key] for key in StoredFile.__dataclass_fields__})


def _run(row: Row) -> Run:
    plain: dict[str, Any] = {
        key: None if row[key] is None else json.loads(row[key]) for key in ("request", "result", "error")
    }
    return Run(
        id=row["id"],
        kind=row["kind"],
        owner=row["owner"],
        state=row["state"],
        progress={"share": None, "words": ""},
        submitted=row["submitted"],
        started=row["started"],
        ended=row["ended"],
        artifacts=tuple(Artifact(**each) for each in json.loads(row["artefacts"])),
        uses=tuple(json.loads(row["uses"])),
        cancelling=bool(row["cancelled"]) and row["state"] not in ENDED,
        imported=row["imported"],
        **plain,
    )
