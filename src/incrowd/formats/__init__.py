"""Formats: read a path, URL or frame as a Source; write batches of records to a file or a table. One format per module.

A module declares `open` and how it is recognized (SUFFIXES, SCHEMES or `recognizes`). To write files it declares
WRITTEN_SUFFIXES, WRITE_OPTIONS and `write`; to write database tables, the members of TableFormat. It may also declare

    OUTPUTS              the extensions offered for output, with their labels (default: the first extension)
    SAME_FOR_RELEASE     False if a first job writes the release of such a file as CSV
    TYPED                False if all cells are text, so a label does not change the type of a column
    UPLOADS              the extensions of files that the service accepts (default: SUFFIXES)
    BEGINNINGS           first bytes of text files that distinguish this format from delimited text
    tables               a function that lists the tables or sheets of a file
    verification_rows    the reader that verifies a release, which shares no code with `write`; see `faults`
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol, cast

from incrowd.engines.source import Source
from incrowd.engines.union import union
from incrowd.errors import SourceError, UsageError
from incrowd.families import FORMATS
from incrowd.formats.described import described
from incrowd.formats.options import AS_IT_IS, ReadOptions, WriteOptions
from incrowd.formats.writing import Written, check_writable, write
from incrowd.release.tables import manifest_in

__all__ = [
    "Format",
    "ReadOptions",
    "WriteOptions",
    "Written",
    "check_writable",
    "faults",
    "format_of",
    "outputs",
    "read",
    "write",
]

_HEAD = 1 << 16
"""Number of bytes used to recognize a format without a known extension."""


class Format(Protocol):
    """A format that can be read; one of SUFFIXES, SCHEMES and `recognizes` is enough."""

    KIND: str
    """The name of a source of this format in messages."""
    OPTIONS: tuple[str, ...]
    """The ReadOptions that apply."""
    SUFFIXES: tuple[str, ...]
    """Extensions of its files."""
    SCHEMES: tuple[str, ...]
    """Schemes of its URLs, before "://"."""

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file with these first bytes has this format."""
        ...

    def open(self, location: str, options: ReadOptions) -> Source:
        """Open the records at an existing path, or at a URL."""
        ...


_READING = ("KIND", "OPTIONS", "open")
_WRITING_FILES = ("WRITTEN_SUFFIXES", "WRITE_OPTIONS", "write")
_WRITING_TABLES = ("SCHEMES", "WRITE_OPTIONS", "store", "exists", "rename", "passing", "mark", "is_placed", "drop")


def faults(module: Any) -> list[str]:
    """Return what a format lacks to read, and to write files or tables if it does."""
    needed = list(_READING)
    needed += _WRITING_FILES if hasattr(module, "write") or hasattr(module, "WRITTEN_SUFFIXES") else ()
    needed += _WRITING_TABLES if hasattr(module, "store") else ()
    lacking = [name for name in dict.fromkeys(needed) if not hasattr(module, name)]
    if not any(hasattr(module, name) for name in ("SUFFIXES", "SCHEMES", "recognizes")):
        lacking.append("SUFFIXES, SCHEMES or recognizes")
    return [f"it lacks {', '.join(lacking)}"] if lacking else []


def outputs() -> dict[str, str]:
    """Return the extensions offered for output, with their labels."""
    writing = [FORMATS.modules()[name] for name in FORMATS.ranked() if hasattr(FORMATS.modules()[name], "write")]
    found: dict[str, str] = {}
    for module in writing:
        first = module.WRITTEN_SUFFIXES[0]
        found |= getattr(module, "OUTPUTS", {first: first.removeprefix(".").upper()})
    return found


def read(*sources: Any, options: ReadOptions = AS_IT_IS) -> Source:
    """Return the records of one or several paths, database URLs, frames or Sources, all with the same columns.

    A path or URL described by keys, such as {"url": ..., "table": ...}, has its own options; of the others only the
    missing-value markers apply to it.
    """
    if not sources:
        raise UsageError.invalid("nothing to read", "no source was given", "name a file, a database URL or a frame")
    prepare, options = options.prepare, replace(options, prepare=None)
    found = union([_opened(source, options) for source in sources])
    return found if prepare is None else found.prepared(prepare)


def _opened(source: Any, options: ReadOptions) -> Source:
    if isinstance(source, Mapping):
        source, options = described(source, options.missing)
    if isinstance(source, str | PathLike):
        location = str(fspath(source))
        format = format_of(location)
        options.only(location.partition("://")[0] if "://" in location else location, format.KIND, format.OPTIONS)
        return format.open(location, options)
    if is_source(source):
        options.only(source.name, "an open source", ())
        return cast(Source, source)
    # With libraries that files do without.
    from incrowd.engines.frames import FrameSource

    options.only("a frame", "a frame", ("missing", "most_combinations"))
    return FrameSource(source, missing=options.missing, most=options.most_combinations)


def format_of(location: str) -> Format:
    """Return the format of a URL or of an existing file."""
    return _of_url(location) if "://" in location else _of_file(Path(location))


def is_source(given: Any) -> bool:
    """Return whether an object is an open Source, judged by its class: a frame may have columns count and table."""
    return all(callable(getattr(type(given), verb, None)) for verb in ("count", "table"))


def _formats() -> list[Format]:
    return list(FORMATS.modules().values())


def _of_url(url: str) -> Format:
    scheme = url.partition("://")[0].lower()
    schemes = {name: format for format in _formats() for name in getattr(format, "SCHEMES", ())}
    if scheme not in schemes:
        raise SourceError.of(
            f"{scheme}://",
            "not a supported kind of URL",
            f"supported: {', '.join(f'{name}://' for name in sorted(schemes))}; name files by their path",
        )
    return schemes[scheme]


def _of_file(path: Path) -> Format:
    head = _head(path)
    suffixes = {suffix: format for format in _formats() for suffix in getattr(format, "SUFFIXES", ())}
    fitting = [suffix for suffix in suffixes if path.name.lower().endswith(suffix)]
    if fitting:
        return suffixes[max(fitting, key=len)]
    for format in _formats():
        if hasattr(format, "recognizes") and format.recognizes(head):
            return format
    raise SourceError.of(
        path, "its format is not recognized from name or content", f"known extensions: {', '.join(suffixes)}"
    )


def _head(path: Path) -> bytes:
    """Return the first bytes of a file; raise SourceError if it is empty or cannot be read."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SourceError.of(path, "it can be read only once", "save its content as a file and read that")
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path") from None
    except IsADirectoryError:
        if manifest_in(path) is not None:
            what = "it is a release of several tables, which verify takes as a whole"
            raise SourceError.of(path, what, "name one of its tables") from None
        raise SourceError.of(path, "it is a directory", "name the files in it") from None
    except PermissionError:
        raise SourceError.of(path, "you have no permission to read it", "ask its owner for permission") from None
    except ValueError:
        raise SourceError.not_a_path(str(path)) from None
    except OSError as error:
        raise SourceError.of(path, f"cannot be read ({error.strerror})", "check the path and the disk") from None
    if not head:
        raise SourceError.of(path, "it is empty", "a table has at least a header")
    return head
