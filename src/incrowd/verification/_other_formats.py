"""Releases in formats that verification has no reader for: the format brings a plain one of its own.

`verification_rows(location, table)` returns the names of the columns and an iterable of records, each a sequence of
Python values in that order, None for a missing cell. It is called once for every pass, and must share no code with what
writes the format.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from incrowd.errors import IncrowdError, SourceError
from incrowd.families import FORMATS
from incrowd.verification._rows import Batches, Rows, batches_of_rows, distinct_names

_READER = "verification_rows"


def has_reader(kind: str) -> bool:
    """Return whether a format brings a reader for verification."""
    return hasattr(FORMATS.modules().get(kind), _READER)


def of_suffix(path: Path) -> str | None:
    """Return the format that a file's name tells, among those that bring a reader."""
    endings = {
        end: name
        for name, module in FORMATS.modules().items()
        if hasattr(module, _READER)
        for end in getattr(module, "WRITTEN_SUFFIXES", ())
    }
    fitting = [end for end in endings if path.name.lower().endswith(end)]
    return endings[max(fitting, key=len)] if fitting else None


def of_scheme(scheme: str) -> str | None:
    """Return the format that a URL's scheme tells, among those that bring a reader."""
    known = FORMATS.modules().items()
    found = [name for name, of in known if hasattr(of, _READER) and scheme in getattr(of, "SCHEMES", ())]
    return found[0] if found else None


def open_rows(kind: str, location: str, shown: object, table: str | None) -> Rows:
    """Return the release as the reader of its format sees it."""
    read = getattr(FORMATS.modules()[kind], _READER)

    def fresh() -> tuple[tuple[str, ...], Any]:
        try:
            names, records = read(location, table)
            return distinct_names(shown, names), records
        except IncrowdError:
            raise
        except Exception:
            # Its words may quote cells.
            raise _damaged(shown, kind) from None

    def batches(columns: Sequence[str]) -> Batches:
        names, records = fresh()
        at = [names.index(name) for name in columns]
        try:
            yield from batches_of_rows([row[place] for place in at] for row in records)
        except IncrowdError:
            raise
        except Exception:
            raise _damaged(shown, kind) from None

    return Rows(fresh()[0], batches)


def _damaged(shown: object, kind: str) -> SourceError:
    return SourceError.of(shown, f"not a {kind} file, or damaged", "get a new copy")
