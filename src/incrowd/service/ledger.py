"""The SQLite file of a workspace: its files, runs and drafts. Committed writes are durable."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from incrowd.errors import SourceError

Row = dict[str, Any]

_TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL,
    added REAL NOT NULL, suffix TEXT NOT NULL, url TEXT, "table" TEXT, query TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS files_of ON files (owner, added);
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL,
    state TEXT NOT NULL, uses TEXT NOT NULL, error TEXT, artefacts TEXT NOT NULL DEFAULT '[]', submitted REAL NOT NULL,
    started REAL, ended REAL, starts INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL, request TEXT NOT NULL, result TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS runs_of ON runs (owner, number);
CREATE INDEX IF NOT EXISTS runs_in ON runs (state, number);
CREATE INDEX IF NOT EXISTS runs_size ON runs (owner, size);
CREATE TABLE IF NOT EXISTS imported (run TEXT PRIMARY KEY, at REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS notes (
    owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)
) STRICT;
"""
"""Long values come last in a row: queries for the rest do not read them."""

_BEFORE = "number, id, owner, kind, state, uses, error, artefacts, submitted, started, ended, starts, cancelled"
_SIZED = f"""
BEGIN IMMEDIATE;
UPDATE runs SET uses = json_array(json_extract(uses, '$[1]'), json_extract(uses, '$[0]'))
WHERE kind = 'apply' AND json_array_length(uses) = 2;
ALTER TABLE runs RENAME TO runs_before;
DROP INDEX runs_of;
DROP INDEX runs_in;
{_TABLES}
INSERT INTO runs ({_BEFORE}, size, request, result)
SELECT {_BEFORE},
    length(CAST(request AS BLOB)) + ifnull(length(CAST(result AS BLOB)), 0)
    + ifnull((SELECT sum(json_extract(value, '$.size')) FROM json_each(artefacts)), 0), request, result
FROM runs_before;
DROP TABLE runs_before;
COMMIT;
"""
"""A workspace of a version that did not count what runs take, nor put the table first among what they use."""


class Ledger:
    """Rows of plain values; one connection, one thread at a time."""

    def __init__(self, path: Path) -> None:
        # Made here, so that nobody else may read it from its first byte on.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._lock = threading.RLock()
        try:
            self._open(path)
        except sqlite3.DatabaseError:
            raise SourceError.of(
                path, "it is damaged, or in use", "restore it, or choose another folder (--workspace)"
            ) from None

    def _open(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        known = {row["name"] for row in self._connection.execute("PRAGMA table_info(runs)")}
        self._connection.executescript(_TABLES if not known or "size" in known else _SIZED)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Run several statements as one transaction."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # Where the disk is full it may be over already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run statements under the lock, each committed at once."""
        with self._lock:
            yield

    def rows(self, statement: str, *values: Any) -> list[Row]:
        """Return the rows of a query."""
        with self._lock:
            return [dict(row) for row in self._connection.execute(statement, values)]

    def row(self, statement: str, *values: Any) -> Row | None:
        """Return the first row of a query."""
        return next(iter(self.rows(statement, *values)), None)

    def number(self, statement: str, *values: Any) -> int:
        """Return one number, 0 if there is none."""
        found = self.row(statement, *values)
        return int(next(iter(found.values())) or 0) if found else 0

    def change(self, statement: str, *values: Any) -> int:
        """Run a statement; return the number of rows changed."""
        with self._lock:
            return self._connection.execute(statement, values).rowcount

    def insert(self, table: str, row: Row) -> None:
        """Add a row."""
        names = ", ".join(f'"{name}"' for name in row)
        self.change(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", *row.values())

    def forget(self) -> None:
        """Remove deleted values from the journal too."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def packed(plain: Any) -> str:
    """Return plain data as one text."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
