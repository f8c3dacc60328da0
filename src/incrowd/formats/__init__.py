"""Reading: a path, a URL or a frame becomes a Source. One format a file, found by the registry."""

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol, cast

from incrowd.engines.frames import FrameSource
from incrowd.engines.source import Source
from incrowd.engines.union import union
from incrowd.errors import SourceError, UsageError
from incrowd.formats.described import described
from incrowd.formats.options import AS_IT_IS, ReadOptions, WriteOptions
from incrowd.formats.writing import Written, check_writable, write
from incrowd.registry import members

__all__ = ["Format", "ReadOptions", "WriteOptions", "Written", "check_writable", "format_of", "read", "write"]

_HEAD = 1 << 16
"""How many bytes tell a format without a known suffix."""


class Format(Protocol):
    """What a module of this folder declares; SUFFIXES, SCHEMES and `recognises` may be left out."""

    KIND: str
    """What messages call a source of this format."""
    OPTIONS: tuple[str, ...]
    """The options of ReadOptions that apply."""
    SUFFIXES: tuple[str, ...]
    """How the names of its files end."""
    SCHEMES: tuple[str, ...]
    """How its URLs begin, before "://"."""

    def recognises(self, head: bytes) -> bool:
        """Whether a file that begins so is of this format."""
        ...

    def open(self, location: str, options: ReadOptions) -> Source:
        """The records at a path that exists, or at a URL."""
        ...


def read(*sources: Any, options: ReadOptions = AS_IT_IS) -> Source:
    """Records of one or several paths, database URLs, frames or Sources; several must have the same columns.

    A path or URL that is described by keys, as {"url": ..., "table": ...}, has options of its own; of the others it
    takes the texts for missing alone.
    """
    if not sources:
        raise UsageError.senseless("nothing to read", "no source was given", "name a file, a database URL or a frame")
    return union([_opened(source, options) for source in sources])


def _opened(source: Any, options: ReadOptions) -> Source:
    if isinstance(source, Mapping):
        source, options = described(source, options.missing)
    if isinstance(source, str | PathLike):
        location = str(fspath(source))
        format = format_of(location)
        options.only(location.partition("://")[0] if "://" in location else location, format.KIND, format.OPTIONS)
        return format.open(location, options)
    if _is_source(source):
        options.only(source.name, "a source that is open already", ())
        return cast(Source, source)
    options.only("a frame", "a frame", ("missing",))
    return FrameSource(source, missing=options.missing)


def format_of(location: str) -> Format:
    """The format of a URL, or of a file that exists."""
    return _of_url(location) if "://" in location else _of_file(Path(location))


def _is_source(given: Any) -> bool:
    """Judged by its class, because a frame may have columns called count and table."""
    return all(callable(getattr(type(given), verb, None)) for verb in ("count", "table"))


def _formats() -> list[Format]:
    return list(members("formats", "open").values())


def _of_url(url: str) -> Format:
    scheme = url.partition("://")[0].lower()
    schemes = {name: format for format in _formats() for name in getattr(format, "SCHEMES", ())}
    if scheme not in schemes:
        raise SourceError.of(
            f"{scheme}://",
            "no such kind of URL",
            f"the known ones are {', '.join(f'{name}://' for name in sorted(schemes))}; files go by their path",
        )
    return schemes[scheme]


def _of_file(path: Path) -> Format:
    head = _head(path)
    suffixes = {suffix: format for format in _formats() for suffix in getattr(format, "SUFFIXES", ())}
    fitting = [suffix for suffix in suffixes if path.name.lower().endswith(suffix)]
    if fitting:
        return suffixes[max(fitting, key=len)]
    for format in _formats():
        if hasattr(format, "recognises") and format.recognises(head):
            return format
    raise SourceError.of(
        path, "neither its name nor its content tells its format", f"the known suffixes are {', '.join(suffixes)}"
    )


def _head(path: Path) -> bytes:
    """The first bytes of a file that can be read and has any."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SourceError.of(path, "it can be read only once", "save its content as a file and read that")
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path") from None
    except IsADirectoryError:
        raise SourceError.of(path, "it is a directory", "name the files in it") from None
    except PermissionError:
        raise SourceError.of(path, "you may not read it", "ask its owner for the permission to read") from None
    except ValueError:
        raise SourceError.not_a_path(str(path)) from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path and the disk") from None
    if not head:
        raise SourceError.of(path, "it is empty", "a table has at least a header")
    return head
