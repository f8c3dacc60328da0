"""Uploads: stored under a generated name, their format detected from the content."""

import os
import re
import zipfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from incrowd.errors import SourceError, TooLarge, UsageError
from incrowd.families import FORMATS
from incrowd.formats.options import OF_FILES
from incrowd.service.limits import Limits
from incrowd.service.resources import DATABASE

PURPOSES = ("data", "hierarchy", "manifest", "record")

_BLOCK = 1 << 20
_PACKED = b"\x1f\x8b"
_TEXT, _SQLITE = "delimited", "sqlite"
"""The kind that any text could be, and that of uploaded databases, which are read by URL."""


def endings() -> dict[str, tuple[str, ...]]:
    """Return how files of each format end that can be uploaded; the first is for names that tell nothing."""
    known = {name: module for name, module in FORMATS.modules().items() if not hasattr(module, "NO_UPLOAD")}
    found = {name: getattr(module, "UPLOADS", getattr(module, "SUFFIXES", ())) for name, module in known.items()}
    return {name: ends for name, ends in found.items() if ends}


def has_tables(kind: str) -> bool:
    """Return whether files of a kind may hold several tables or sheets."""
    return hasattr(FORMATS.modules().get(_format(kind)), "tables")


def takes(kind: str, option: str) -> bool:
    """Return whether files of a kind can be read with an option, as header or delimiter."""
    return option in getattr(FORMATS.modules().get(_format(kind)), "OPTIONS", ())


def has_types(kind: str) -> bool:
    """Return whether cells of files of a kind have types; in others all are text."""
    return bool(getattr(FORMATS.modules().get(_format(kind)), "TYPED", True))


def _format(kind: str) -> str:
    return DATABASE if kind == _SQLITE else kind


class FileType(NamedTuple):
    """Format of a file."""

    kind: str
    suffix: str
    """Extension of the stored file."""


def shown_name(given: str) -> str:
    """Return the name of a file for lists: the last part of the user's name, without unsafe characters."""
    last = re.split(r"[\\/]", given)[-1]
    plain = "".join(each for each in last if each.isprintable()).strip()
    return plain[:200] if plain.strip(". ") else "upload"


def store(stream: IO[bytes], path: Path, limits: Limits) -> int:
    """Copy a stream into a new file that only its owner may read; return its size."""
    size = 0
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > limits.upload:
                raise TooLarge.beyond("the file", f"{limits.upload:,} bytes", "cut it, or raise the limit (--upload)")
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return size


class UploadInfo(NamedTuple):
    """Facts about an upload."""

    kind: str
    suffix: str
    """Extension of the stored file."""
    tables: list[str]
    """The tables or sheets among which one is to be chosen; none where that is clear."""


def is_read_in_pieces(path: Path, name: str, purpose: str) -> bool:
    """Return whether a file can be probed piece by piece: text, compressed or not."""
    head = _head(path, name)
    return purpose == "data" and (head.startswith(_PACKED) or _kind(head, _ending(name)) == _TEXT)


def look(path: Path, name: str, purpose: str, limits: Limits) -> UploadInfo:
    """Return the format of a stored file and give it its extension; refuse unreadable files."""
    told = told_by_content(path, name, purpose, limits)
    stored = path.rename(path.with_name(f"{path.name}{told.suffix}"))
    return UploadInfo(*told, check_opens(stored, told.kind, name) if purpose == "data" else [])


def told_by_content(path: Path, name: str, purpose: str, limits: Limits) -> FileType:
    """Return the format of a stored file by its content; refuse unreadable files."""
    if purpose == "data":
        return _table(path, name, limits)
    return {"hierarchy": _hierarchy, "manifest": _manifest, "record": _record}[purpose](path, name)


def check_opens(path: Path, kind: str, name: str) -> list[str]:
    """Open the table and return the tables of a file; messages use its owner's name for it."""
    from incrowd.api import read

    found: list[str] = []

    def opened() -> None:
        found.extend(tables_in(path, kind))
        if kind == DATABASE:
            # Of several tables the first one shows that the file can be read at all.
            len(read(f"sqlite:///{path}", table=found[0] if found else None).columns)
        elif len(found) < 2:
            # Whether its first line is a header, and what the columns are called, is asked once the table is read.
            len(read(str(path), header=False if takes(kind, "header") else None).columns)

    in_the_words_of_the_owner(opened, f"sqlite:///{path}" if kind == DATABASE else str(path), name)
    return found


def in_the_words_of_the_owner(do: Callable[[], object], location: str, name: str) -> None:
    """Replace a path of the workspace in errors by the name of the file."""
    try:
        do()
    except SourceError as error:
        error.args = (str(error).replace(location, name),)
        raise


def tables_in(path: Path, kind: str) -> list[str]:
    """The tables of a database file, or the sheets of a workbook; none where a file is one table."""
    return list(FORMATS.module(_format(kind)).tables(str(path))) if has_tables(kind) else []


def _table(path: Path, name: str, limits: Limits) -> FileType:
    head = _head(path, name)
    packed = head.startswith(_PACKED)
    if packed:
        head = _unpacked(path, name, limits)
    for module in FORMATS.modules().values():
        if hasattr(module, "NO_UPLOAD") and module.recognizes(head):
            why, _, instead = module.NO_UPLOAD.partition("; ")
            raise SourceError.of(name, why, instead)
    ending, known = _ending(name), endings()
    kind = _kind(head, ending)
    if kind is None or (packed and kind != _TEXT):
        raise SourceError.of(
            name,
            "its content is not a table that can be read here",
            f"give a file that ends in {', '.join(end for ends in known.values() for end in ends)}",
        )
    if head.startswith(b"PK"):
        _refuse_bomb(path, name, limits)
    claimed = next((each for each, suffixes in known.items() if ending in suffixes), kind)
    if claimed != kind:
        raise SourceError.of(
            name, f"it is called {ending}, but its content is of another kind", "rename it, or give the right file"
        )
    suffix = ending if ending in known[kind] else known[kind][0]
    return FileType(kind, suffix + (".gz" if packed else ""))


def _ending(name: str) -> str:
    return PurePosixPath(name.lower().removesuffix(".gz")).suffix


def _kind(head: bytes, ending: str) -> str | None:
    """Return the format of a content, by how it begins; what any text could be comes last."""
    known, formats = endings(), FORMATS.modules()
    order = sorted((name for name in known if hasattr(formats[name], "recognizes")), key=lambda name: name == _TEXT)
    found = next((name for name in order if formats[name].recognizes(head)), None)
    if found not in (None, _TEXT):
        return found
    # Formats that cannot be told by their content are told by the name.
    named = [name for name, ends in known.items() if ending in ends and not _is_told(formats[name])]
    if named:
        return named[0]
    return found if found is None or ending in known[_TEXT] else _kind_of_text(head)


def _is_told(format: Any) -> bool:
    return hasattr(format, "recognizes") or hasattr(format, "BEGINNINGS")


def _kind_of_text(head: bytes) -> str:
    """Return the format of a text whose name does not say that it has delimiters."""
    first = head.removeprefix(BOM_UTF8).lstrip()[:1]
    formats = FORMATS.modules().items()
    return next((name for name, of in formats if first and first in getattr(of, "BEGINNINGS", b"")), _TEXT)


def _head(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        head = file.read(1 << 16)
    if not head:
        raise SourceError.of(name, "it is empty", "a table has at least a header")
    return head


def _unpacked(path: Path, name: str, limits: Limits) -> bytes:
    """Return the beginning of a compressed file, after its full size was checked."""
    import gzip

    head, size = b"", 0
    try:
        with gzip.open(path) as file:
            while block := file.read(_BLOCK):
                head, size = head or block[: 1 << 16], size + len(block)
                if size > limits.unpacked:
                    raise _too_much(name, limits)
    except (OSError, EOFError, zlib.error):
        raise SourceError.of(name, "its compressed content is damaged", "compress it again") from None
    return head


def _refuse_bomb(path: Path, name: str, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise SourceError.of(name, "not a workbook, or incomplete", "save it again") from None
    # A workbook is read into memory whole.
    if size > min(limits.unpacked, limits.upload * 4):
        raise _too_much(name, limits)


def _too_much(name: str, limits: Limits) -> TooLarge:
    return TooLarge.beyond(name, f"{limits.unpacked:,} unpacked bytes", "give a part of it")


def _hierarchy(path: Path, name: str) -> FileType:
    """Check a hierarchy file: a table of levels, or a tree as YAML or JSON."""
    import pyarrow as pa

    from incrowd.hierarchies import build, by_suffix

    ending = PurePosixPath(name.lower()).suffix
    suffix = ending if ending in by_suffix() else ".csv"
    # Builders tell what a file is by its ending.
    temporary = path.with_name(f"check{suffix}")
    os.link(path, temporary)
    try:
        build({by_suffix()[suffix]: {"path": str(temporary)}}, pa.array([], pa.string()), name)
    except (UsageError, SourceError) as error:
        error.args = (str(error).replace(str(temporary), name),)
        raise
    finally:
        temporary.unlink()
    return FileType("hierarchy", suffix)


def _manifest(path: Path, name: str) -> FileType:
    from incrowd.release import Manifest
    from incrowd.release.tables import LinkedManifest, is_linked_manifest

    found: list[Manifest | LinkedManifest] = []
    several = is_linked_manifest(_plain_of(path))
    in_the_words_of_the_owner(
        lambda: found.append(LinkedManifest.of(path) if several else Manifest.read(path)), str(path), name
    )
    files = _files_of(found[0])
    if any(re.search(r"[\\/\0]", file) or file.startswith(".") for file in files) or _names_files(found[0].models):
        raise SourceError.of(name, "it names files elsewhere", "get it again from the publisher")
    return FileType("manifest", ".json")


def _plain_of(path: Path) -> Any:
    """Return the content of a JSON file; None if it is none, as whoever reads it says."""
    from incrowd.release.stored import loaded

    try:
        return loaded(path)
    except SourceError:
        return None


def _files_of(manifest: Any) -> list[str]:
    """Return the files that a manifest names, of one table or of several."""
    from incrowd.release.tables import LinkedManifest

    if isinstance(manifest, LinkedManifest):
        return [table.data.file for table in manifest.tables]
    return [manifest.data.file, *([] if manifest.apart is None else [manifest.apart.data.file])]


def _names_files(models: Iterable[Any]) -> bool:
    """Return whether a model would read a file as soon as it is made."""
    return any(
        isinstance(given, Mapping) and isinstance(given.get("policy"), str)
        for model in models
        for given in model.values()
    )


def _record(path: Path, name: str) -> FileType:
    """Store a private record without the locations that it names: none of them is read here."""
    from incrowd.release import Record
    from incrowd.release.tables import LinkedRecord, is_linked_record

    found: list[Record | LinkedRecord] = []
    several = is_linked_record(_plain_of(path))
    in_the_words_of_the_owner(
        lambda: found.append(LinkedRecord.of(path) if several else Record.read(path)), str(path), name
    )
    record = found[0]
    models = _models_of(record)
    if models is None or _names_files(models):
        raise SourceError.of(name, "it names files elsewhere", "get it again from the publisher")
    replace(record, job={**_without_places(record.job), "models": models}).write(path)
    return FileType("record", ".json")


def _models_of(record: Any) -> list[Any] | None:
    """Return the models of a private record as plain data; None if they cannot be read."""
    from incrowd.models import read
    from incrowd.release.tables import LinkedRecord

    if not isinstance(record, LinkedRecord):
        return list(record.models)
    try:
        # That of several tables has them as they were written.
        found = [read(each) if isinstance(each, str) else each for each in record.job.get("models", ())]
    except (UsageError, TypeError):
        return None
    return found if all(isinstance(each, Mapping) for each in found) else None


def _without_places(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job, or one of its tables, without the locations that it names."""
    kept = {key: value for key, value in job.items() if key not in ("output", "population", "data", "models")}
    data = job.get("data")
    if isinstance(data, Mapping) and any(key in data for key in OF_FILES):
        kept["data"] = {"source": "elsewhere.csv", **{key: data[key] for key in OF_FILES if key in data}}
    metric = kept.get("metric")
    if isinstance(metric, str) and "workload" in metric:
        del kept["metric"]
    if isinstance(metric, Mapping):
        kept["metric"] = {name: _without_workload(options) for name, options in metric.items()}
    columns = job.get("columns")
    if isinstance(columns, Mapping):
        kept["columns"] = {each: _without_path(of) for each, of in columns.items()}
    tables = job.get("tables")
    if isinstance(tables, Mapping):
        kept["tables"] = {each: _without_places(of) for each, of in tables.items() if isinstance(of, Mapping)}
    return kept


def _without_workload(options: Any) -> Any:
    return {key: of for key, of in options.items() if key != "workload"} if isinstance(options, Mapping) else options


def _without_path(column: Any) -> Any:
    """Replace a hierarchy file of a column by the levels that the record itself has."""
    from incrowd.hierarchies import settled

    if not isinstance(column, Mapping) or column.get("hierarchy") is None:
        return column
    try:
        _, options = settled(column["hierarchy"], "")
    except UsageError:
        options = {"path": ""}
    return {key: of for key, of in column.items() if key != "hierarchy" or "path" not in options}
