"""Uploads: stored under a name of our own, and told by their content what they are, whatever they are called."""

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
from incrowd.formats.options import OF_FILES
from incrowd.service.limits import Limits

PURPOSES = ("data", "hierarchy", "manifest", "record")

_BLOCK = 1 << 20
_PACKED = b"\x1f\x8b"
_SUFFIXES = {
    "delimited": (".csv", ".tsv", ".txt"),
    "parquet": (".parquet", ".pq"),
    "json_lines": (".jsonl", ".ndjson", ".json"),
    "xml_rows": (".xml",),
    "excel": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    "database": (".sqlite", ".sqlite3", ".db"),
}
"""Of each kind of table how its files end; the first where the name tells nothing."""

_BEGINNINGS = {"json_lines": b"{[", "xml_rows": b"<"}
"""How texts begin that are no delimited ones."""

OF_TABLES = ("excel", "sqlite")
"""Kinds of files that hold several tables or sheets."""


WITH_HEADER = ("delimited", "excel")
"""Kinds of files whose first line is a header, or should be."""


class FileType(NamedTuple):
    """What a content is."""

    kind: str
    suffix: str
    """How the stored file ends."""


def shown_name(given: str) -> str:
    """What a file is called in lists: the last part of what the user calls it, without what no name should hold."""
    last = re.split(r"[\\/]", given)[-1]
    plain = "".join(each for each in last if each.isprintable()).strip()
    return plain[:200] if plain.strip(". ") else "upload"


def store(stream: IO[bytes], path: Path, limits: Limits) -> int:
    """Copy a stream into a new file that only its owner may read; how many bytes it has."""
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
    """What an upload proved to be."""

    kind: str
    suffix: str
    """How the stored file ends."""
    tables: list[str]
    """The tables or sheets among which one is to be chosen; none where that is clear."""


def is_read_in_pieces(path: Path, name: str, purpose: str) -> bool:
    """Whether looking at a file takes no more than a part of it at a time, whatever it holds: text, packed or not."""
    head = _head(path, name)
    return purpose == "data" and (head.startswith(_PACKED) or _kind(head, _ending(name)) == "delimited")


def look(path: Path, name: str, purpose: str, limits: Limits) -> UploadInfo:
    """What a stored file is, which then ends as it should; refused where it is nothing that can be read here."""
    told = told_by_content(path, name, purpose, limits)
    stored = path.rename(path.with_name(f"{path.name}{told.suffix}"))
    return UploadInfo(*told, check_opens(stored, told.kind, name) if purpose == "data" else [])


def told_by_content(path: Path, name: str, purpose: str, limits: Limits) -> FileType:
    """What a stored file is, by what it holds; refused where it is nothing that can be read here."""
    if purpose == "data":
        return _table(path, name, limits)
    return {"hierarchy": _hierarchy, "manifest": _manifest, "record": _record}[purpose](path, name)


def check_opens(path: Path, kind: str, name: str) -> list[str]:
    """Open the table, and say which tables a file has; messages call it as its owner does."""
    from incrowd.api import read

    found: list[str] = []

    def opened() -> None:
        found.extend(tables_in(path, kind))
        if kind == "database":
            # Of several tables the first one shows that the file can be read at all.
            len(read(f"sqlite:///{path}", table=found[0] if found else None).columns)
        elif len(found) < 2:
            # Whether its first line is a header, and what the columns are called, is asked once the table is read.
            len(read(str(path), header=False if kind in WITH_HEADER else None).columns)

    in_the_words_of_the_owner(opened, f"sqlite:///{path}" if kind == "database" else str(path), name)
    return found


def in_the_words_of_the_owner(do: Callable[[], object], location: str, name: str) -> None:
    """An error that names a path of ours names the file instead."""
    try:
        do()
    except SourceError as error:
        error.args = (str(error).replace(location, name),)
        raise


def tables_in(path: Path, kind: str) -> list[str]:
    """The tables of a database file, or the sheets of a workbook; none where a file is one table."""
    if kind == "excel":
        from incrowd.formats.excel import sheets

        return sheets(str(path))
    return _tables(path) if kind in ("database", "sqlite") else []


def _tables(path: Path) -> list[str]:
    import sqlite3
    from contextlib import closing
    from urllib.parse import quote

    listed = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            return [str(name) for (name,) in connection.execute(listed)]
    except sqlite3.Error:
        # Opening it says what is wrong with it.
        return []


def _table(path: Path, name: str, limits: Limits) -> FileType:
    head = _head(path, name)
    packed = head.startswith(_PACKED)
    if packed:
        head = _unpacked(path, name, limits)
    if head[8:12] == b"DUCK":
        raise SourceError.of(
            name, "a DuckDB file is not taken: a view in it may read other files", "export its table as Parquet"
        )
    ending = _ending(name)
    kind = _kind(head, ending)
    if kind is None or (packed and kind != "delimited"):
        raise SourceError.of(
            name,
            "its content is no table that can be read here",
            "give a CSV, TSV, Parquet, JSON lines, Excel, XML or SQLite file",
        )
    if head.startswith(b"PK"):
        _refuse_bomb(path, name, limits)
    claimed = next((each for each, suffixes in _SUFFIXES.items() if ending in suffixes), kind)
    if claimed != kind:
        raise SourceError.of(
            name, f"it is called {ending}, but its content is of another kind", "rename it, or give the right file"
        )
    suffix = ending if ending in _SUFFIXES[kind] else _SUFFIXES[kind][0]
    return FileType(kind, suffix + (".gz" if packed else ""))


def _ending(name: str) -> str:
    return PurePosixPath(name.lower().removesuffix(".gz")).suffix


def _kind(head: bytes, ending: str) -> str | None:
    """The format whose content begins so; what any text could be comes last."""
    from incrowd.registry import members

    known = {name: module for name, module in members("formats", "open").items() if hasattr(module, "recognises")}
    order = sorted((name for name in known if name in _SUFFIXES), key=lambda name: name == "delimited")
    found = next((name for name in order if known[name].recognises(head)), None)
    return found if found != "delimited" or ending in _SUFFIXES[found] else _kind_of_text(head)


def _kind_of_text(head: bytes) -> str:
    """Of a text whose name does not say that it has delimiters."""
    first = head.removeprefix(BOM_UTF8).lstrip()[:1]
    return next((kind for kind, begins in _BEGINNINGS.items() if first and first in begins), "delimited")


def _head(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        head = file.read(1 << 16)
    if not head:
        raise SourceError.of(name, "it is empty", "a table has at least a header")
    return head


def _unpacked(path: Path, name: str, limits: Limits) -> bytes:
    """The beginning of what is packed, all of which was unpacked once to see that it is not beyond measure."""
    import gzip

    head, size = b"", 0
    try:
        with gzip.open(path) as file:
            while block := file.read(_BLOCK):
                head, size = head or block[: 1 << 16], size + len(block)
                if size > limits.unpacked:
                    raise _too_much(name, limits)
    except (OSError, EOFError, zlib.error):
        raise SourceError.of(name, "its compressed content is damaged", "compress it anew") from None
    return head


def _refuse_bomb(path: Path, name: str, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise SourceError.of(name, "it is no workbook, or not a whole one", "save it anew") from None
    # A workbook is read into memory whole.
    if size > min(limits.unpacked, limits.upload * 4):
        raise _too_much(name, limits)


def _too_much(name: str, limits: Limits) -> TooLarge:
    return TooLarge.beyond(name, f"{limits.unpacked:,} bytes once it is unpacked", "give a part of it")


def _hierarchy(path: Path, name: str) -> FileType:
    """A table of levels, or a tree as YAML or JSON; it must make a hierarchy by itself."""
    import pyarrow as pa

    from incrowd.hierarchies import build

    ending = PurePosixPath(name.lower()).suffix
    suffix = ending if ending in (".tsv", ".yaml", ".yml", ".json") else ".csv"
    # Builders tell what a file is by its ending.
    temporary = path.with_name(f"check{suffix}")
    os.link(path, temporary)
    builder = "levels" if suffix in (".csv", ".tsv") else "tree"
    try:
        build({builder: {"path": str(temporary)}}, pa.array([], pa.string()), name)
    except (UsageError, SourceError) as error:
        error.args = (str(error).replace(str(temporary), name),)
        raise
    finally:
        temporary.unlink()
    return FileType("hierarchy", suffix)


def _manifest(path: Path, name: str) -> FileType:
    from incrowd.release import Manifest

    found: list[Manifest] = []
    in_the_words_of_the_owner(lambda: found.append(Manifest.read(path)), str(path), name)
    files = [found[0].data.file, *([] if found[0].apart is None else [found[0].apart.data.file])]
    if any(re.search(r"[\\/\0]", file) or file.startswith(".") for file in files) or _names_files(found[0].models):
        raise SourceError.of(name, "it names files elsewhere", "get it anew from whoever made the release")
    return FileType("manifest", ".json")


def _names_files(models: Iterable[Any]) -> bool:
    """Whether a model would read a file as soon as it is made."""
    return any(
        isinstance(given, Mapping) and isinstance(given.get("policy"), str)
        for model in models
        for given in model.values()
    )


def _record(path: Path, name: str) -> FileType:
    """A private record, kept without the places that it names: none of them is looked at here."""
    from incrowd.release import Record

    found: list[Record] = []
    in_the_words_of_the_owner(lambda: found.append(Record.read(path)), str(path), name)
    record = found[0]
    if _names_files(record.models):
        raise SourceError.of(name, "it names files elsewhere", "get it anew from whoever made the release")
    replace(record, job=_without_places(record)).write(path)
    return FileType("record", ".json")


def _without_places(record: Any) -> dict[str, Any]:
    kept = {key: value for key, value in record.job.items() if key not in ("output", "population", "data", "models")}
    data = record.job.get("data")
    if isinstance(data, Mapping) and any(key in data for key in OF_FILES):
        kept["data"] = {"source": "elsewhere.csv", **{key: data[key] for key in OF_FILES if key in data}}
    metric = kept.get("metric")
    if isinstance(metric, Mapping):
        kept["metric"] = {name: _without_workload(options) for name, options in metric.items()}
    columns = record.job.get("columns")
    if isinstance(columns, Mapping):
        kept["columns"] = {each: _without_path(of) for each, of in columns.items()}
    return {**kept, "models": list(record.models)}


def _without_workload(options: Any) -> Any:
    return {key: of for key, of in options.items() if key != "workload"} if isinstance(options, Mapping) else options


def _without_path(column: Any) -> Any:
    """A column whose hierarchy lies in a file goes by the levels that the record itself has."""
    from incrowd.hierarchies import settled

    if not isinstance(column, Mapping) or column.get("hierarchy") is None:
        return column
    try:
        _, options = settled(column["hierarchy"], "")
    except UsageError:
        options = {"path": ""}
    return {key: of for key, of in column.items() if key != "hierarchy" or "path" not in options}
