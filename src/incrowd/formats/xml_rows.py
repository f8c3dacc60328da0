"""XML: the elements below the root are the records, their child elements and attributes the cells.

A character not allowed in an element name is written as _xHHHH_, its number in hexadecimal digits, as defined by
ISO/IEC 9075-14 (SQL/XML).
"""

import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.engines.source import Source
from incrowd.errors import SourceError
from incrowd.formats import _lines
from incrowd.formats._rows import Row, source_of_rows
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "an XML file"
OPTIONS = ("missing",)
SUFFIXES = (".xml",)
WRITE_OPTIONS = ()
WRITTEN_SUFFIXES = SUFFIXES
RANK = 5
OUTPUTS = {".xml": "XML"}
SAME_FOR_RELEASE = False
BEGINNINGS = b"<"
TYPED = False

_SHAPE = "an XML table has one repeated element per record below its root, and one element or attribute per cell"
_INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
"""Attributes about an element that hold no data, such as xsi:nil."""

_LETTERS = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u038e-\u03a1\u03a3-\u03ce"
    "\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
)
"""Letters allowed in names by both the first and the last edition of XML 1.0; not every parser knows the last."""

_NO_START = f"[^{_LETTERS}]"
_NO_PART = f"[^{_LETTERS}.0-9-]|_(?=x[0-9A-Fa-f]{{4}}(?:[0-9A-Fa-f]{{2}})?_)"
"""Characters written by number: a colon, for example, would mark a namespace."""

_CODED = "_x([0-9A-Fa-f]{4}|[0-9A-Fa-f]{6})_"
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r"))
_NO_CHARACTERS = ("\ufffe".encode(), "\uffff".encode())


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of an XML file; a cell that a record lacks is missing."""
    return source_of_rows(location, _rows(location), options)


def _rows(location: str) -> Iterator[Row]:
    """Yield each record when its element ends; parsed elements are dropped, so the tree never grows."""
    events = _events(location)
    _, root = next(events)
    depth = records = 0
    tag = ""
    for event, element in events:
        depth += 1 if event == "start" else -1
        if event == "start" or depth != 0:
            continue
        tag = tag or element.tag
        if element.tag != tag:
            names = f"{_name(tag)!r} and {_name(element.tag)!r}"
            raise SourceError.of(location, f"the elements below its root differ ({names})", _SHAPE)
        records += 1
        yield _row(location, records, element)
        root.clear()


def _events(location: str) -> Iterator[tuple[str, Any]]:
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        yield from iterparse(location, events=("start", "end"), forbid_dtd=True)
    except DefusedXmlException:
        raise SourceError.of(
            location, "it contains a document type or entities, which can be harmful", "save it without them"
        ) from None
    except ParseError as error:
        raise SourceError.of(location, f"line {error.position[0]} is not valid XML", "correct it") from None
    except (LookupError, ValueError):
        raise SourceError.of(location, "its declared encoding is unknown", "convert it to UTF-8") from None


def _row(location: str, number: int, element: Any) -> Row:
    row = {_name(key): value for key, value in element.attrib.items() if not key.startswith(_INSTANCE)}
    if _content(element.text) or any(_content(cell.tail) for cell in element):
        raise SourceError.of(location, f"record {number} contains text outside its cells", _SHAPE)
    for cell in element:
        name = _name(cell.tag)
        if len(cell) or any(not key.startswith(_INSTANCE) for key in cell.attrib):
            raise SourceError.of(location, f"cell {name!r} of record {number} is not a single value", _SHAPE)
        if name in row:
            raise SourceError.of(location, f"record {number} has more than one cell {name!r}", _SHAPE)
        row[name] = cell.text
    return {name: _content(value) for name, value in row.items()}


def _content(text: str | None) -> str | None:
    """Return the text, or None if it is only white space."""
    return text if text and not text.isspace() else None


def _name(tag: str) -> str:
    """Return a tag without its namespace, with characters written by number decoded."""
    return re.sub(_CODED, lambda coded: _character(coded[1]) or coded[0], tag.rpartition("}")[2])


def _character(digits: str) -> str:
    """Return the character of a hexadecimal number; empty if there is none."""
    number = int(digits, 16)
    return "" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write one element per record and per cell; an empty element that is not nil is an empty text."""
    instance = _INSTANCE.strip("{}")
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<records xmlns:xsi="{instance}">\n'.encode())
    for batch in batches:
        cells = [_elements(location, name, column) for name, column in zip(schema.names, batch.columns, strict=True)]
        file.write(_lines.joined(["<record>", *cells, "</record>\n"]))
    file.write(b"</records>\n")


def _elements(location: str, name: str, column: pa.Array) -> pa.StringArray:
    cells = _lines.texts(name, column)
    if _lines.holds(cells, _CONTROLS) or any(odd in _lines.content(cells) for odd in _NO_CHARACTERS):
        raise SourceError.of(
            location, f"column {name!r} contains control characters, which XML cannot hold", "write CSV or Parquet"
        )
    from xml.sax.saxutils import escape

    # An unescaped carriage return would be read as a line break.
    cells = _lines.escaped(cells, b"&<>\r", lambda text: escape(text, {"\r": "&#13;"}))
    tag = _tag(name)
    return pc.binary_join_element_wise(f"<{tag}>", cells, f"</{tag}>", "").fill_null(f'<{tag} xsi:nil="true"/>')


def _tag(name: str) -> str:
    """Return a column's name as the name of an element."""
    tag = re.sub(_NO_PART, lambda found: _coded(found[0]), name)
    return _coded(tag[0]) + tag[1:] if re.match(_NO_START, tag) else tag


def _coded(character: str) -> str:
    number = ord(character)
    return f"_x{number:04X}_" if number <= 0xFFFF else f"_x{number:06X}_"
