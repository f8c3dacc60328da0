"""XML: the elements below the root are the records, their child elements and attributes the cells."""

from collections.abc import Iterator
from typing import Any

from incrowd.engines.source import Source
from incrowd.errors import SourceError
from incrowd.formats._rows import Row, source_of_rows
from incrowd.formats.options import ReadOptions

KIND = "an XML file"
OPTIONS = ("missing",)
SUFFIXES = (".xml",)

_SHAPE = "an XML table is a root, one repeated element a record below it, and one element or attribute a cell"
_INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
"""Attributes that speak of an element and hold no data, such as xsi:nil."""


def open(location: str, options: ReadOptions) -> Source:
    """The records of an XML file; a cell that a record lacks is missing."""
    return source_of_rows(location, _rows(location), options)


def _rows(location: str) -> Iterator[Row]:
    """Each record once its element ends; what was read is dropped, so the tree never grows."""
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
            raise SourceError.of(location, f"below its root are different elements, {names}", _SHAPE)
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
            location, "it holds a document type or entities, which can do harm", "write it anew without them"
        ) from None
    except ParseError as error:
        raise SourceError.of(location, f"line {error.position[0]} is not valid XML", "correct it") from None
    except (LookupError, ValueError):
        raise SourceError.of(location, "it declares an encoding that is unknown", "convert it to UTF-8") from None


def _row(location: str, number: int, element: Any) -> Row:
    row = {_name(key): value for key, value in element.attrib.items() if not key.startswith(_INSTANCE)}
    if _content(element.text) or any(_content(cell.tail) for cell in element):
        raise SourceError.of(location, f"record {number} holds text outside its cells", _SHAPE)
    for cell in element:
        name = _name(cell.tag)
        if len(cell) or any(not key.startswith(_INSTANCE) for key in cell.attrib):
            raise SourceError.of(location, f"cell {name!r} of record {number} is not a single value", _SHAPE)
        if name in row:
            raise SourceError.of(location, f"record {number} has more than one cell {name!r}", _SHAPE)
        row[name] = cell.text
    return {name: _content(value) for name, value in row.items()}


def _content(text: str | None) -> str | None:
    """A text as it is, but none where there is only white space."""
    return text if text and not text.isspace() else None


def _name(tag: str) -> str:
    """A tag without its namespace."""
    return tag.rpartition("}")[2]
