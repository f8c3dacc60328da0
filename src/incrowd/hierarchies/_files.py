"""Reading the text of a file that a user names for a hierarchy."""

from pathlib import Path

from incrowd.errors import SourceError


def text_of(path: Path, column: str) -> str:
    """Return the text of a file in UTF-8, with its ends of lines unchanged."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except FileNotFoundError:
        raise SourceError.of(
            path, f"there is no such file with the hierarchy of column {column!r}", "check the path"
        ) from None
    except UnicodeDecodeError:
        raise SourceError.of(path, "it is not in UTF-8", "save it in that encoding") from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path") from None
