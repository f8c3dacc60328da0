"""Manifests and private records as files: their forms, and where they are."""

import json
from collections.abc import Mapping
from hashlib import file_digest
from pathlib import Path
from typing import Any, TypeVar

from incrowd.core.plain_data import Plain, decoded_fields
from incrowd.core.plain_json import parsed
from incrowd.errors import SourceError

FORMAT = 2
"""The form of both files, unless they have something that only a newer one has.

Manifests of format 1 also had figures that follow from original and suppressed cells; these are in the private record
since.
"""

WITH_PEOPLE = 3
"""The form of releases in which people are counted."""

COLUMNAR = 4
"""The form of private records with the cells of each combination: columns of numbers, which were lists before."""


def manifest_path(location: str, table: str | None = None) -> Path:
    """Return the path of the manifest of a release."""
    return _beside(location, table, ".manifest.json")


def sensitive_path(location: str, suffix: str) -> Path:
    """Return the path of the sensitive values of a release in two tables: `release-sensitive.csv`."""
    return Path(location[: -len(suffix)] + "-sensitive" + location[-len(suffix) :])


def record_path(location: str, table: str | None = None) -> Path:
    """Return the path of the private record of a release."""
    return _beside(location, table, ".record.json")


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _beside(location: str, table: str | None, suffix: str) -> Path:
    """Return a path beside the data: beside the file of a database; for a server, in the current folder."""
    scheme, url, rest = location.partition("://")
    if not url:
        return Path(location + suffix)
    # A server's address may hold a password.
    file = Path(rest.removeprefix("/")) if scheme in ("sqlite", "duckdb") else Path("")
    name = (table or "").replace("/", "_")
    return file.parent / (".".join(filter(None, [file.name, name])) + suffix)


def as_text(plain: Plain) -> str:
    """Return JSON with one part per line: indenting within parts needs Python's own, far slower encoder."""
    parts = [f"{json.dumps(key)}: {json.dumps(of, ensure_ascii=False, allow_nan=False)}" for key, of in plain.items()]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def loaded(path: Path) -> Any:
    """Return the content of a JSON file."""
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError.of(path, "no such file", "check the path") from None
    except OSError as error:
        raise SourceError.of(path, f"cannot be read ({error.strerror})", "check path and permissions") from None
    except (ValueError, RecursionError):
        raise SourceError.of(path, "not valid JSON", "get the file again from the publisher") from None


Form = TypeVar("Form")


def versioned(forms: Mapping[int, type[Form]], plain: Any, name: str, what: str, highest: int) -> Form:
    """Return plain data of any known format as an object; `what` it is in words, `highest` its newest format."""
    version = plain.get("format") if isinstance(plain, dict) else None
    newest = forms[FORMAT]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise SourceError.of(name, f"not the {what} of a release", f"give the {what} that was written with the data")
    if version > highest:
        raise SourceError.of(
            name,
            f"format {version} is newer than this Incrowd supports (up to {highest})",
            "install a newer Incrowd",
        )
    made: Form = decoded_fields(forms.get(version, newest), plain, version, name)
    return made
