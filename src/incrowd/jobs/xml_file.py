"""A job as XML, read: ANON's definition file with its five sections (Ciglic, Eder, Koncilia); anon.xsd defines it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from incrowd.errors import Fault, close_to
from incrowd.jobs import preparation
from incrowd.jobs.document import Place, Written
from incrowd.jobs.frozen import number
from incrowd.jobs.trees import Branch, groups

ROLES = {
    "k-attribute": "quasi",
    "l-attribute": "sensitive",
    "dontcare": "keep",
    "ignore": "drop",
    "identifier": "identifier",
    "person": "person",
}
"""The kinds of attributes; ANON has the first four."""

_DIVERSITIES = {"distinct": "distinct_l", "entropy": "entropy_l", "recursive": "recursive_cl"}


@dataclass
class Element:
    """One element, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def one(self, tag: str) -> Element | None:
        """Return the first child of that tag."""
        return next(iter(self.all(tag)), None)

    def all(self, *tags: str) -> list[Element]:
        """Return the children of these tags, in order."""
        return [child for child in self.children if child.tag in tags]


@dataclass(frozen=True)
class Shape:
    """Allowed content of an element."""

    needs: tuple[str, ...] = ()
    """Attributes that must be there."""
    may: tuple[str, ...] = ()
    """Attributes that may be there."""
    once: tuple[str, ...] = ()
    """Children that come at most once."""
    often: tuple[str, ...] = ()
    """Children that may be repeated."""
    has_text: bool = False


_TEXT = Shape(has_text=True)
_RECORDS = ("table", "query")
_OF_TEXT = ("delimiter", "encoding", "header", "widths")
_PARAMETERS = (
    *("k", "knows", "generalize", "max_supp", "search", "metric", "missing", "order", "wiped", "report"),
    *("population", "time", "seed"),
)
SHAPES = {
    "ANON": Shape(once=("Parameters", "Datasource", "Output", "Attributes", "GeneralizationHierarchies")),
    "Parameters": Shape(once=_PARAMETERS, often=("model",)),
    **dict.fromkeys(("k", "knows", "generalize", "order", "wiped", "time", "seed"), _TEXT),
    "max_supp": Shape(may=("of", "whole"), has_text=True),
    **dict.fromkeys(("search", "metric", "model"), Shape(needs=("type",))),
    "missing": Shape(may=("handling",), often=("null_string",)),
    "null_string": Shape(needs=("value",)),
    "report": Shape(may=("record", "mapping")),
    "population": Shape(may=_RECORDS, often=("source",)),
    "Datasource": Shape(may=(*_RECORDS, *_OF_TEXT, "prepare"), often=("source", "column")),
    "column": Shape(needs=("name",)),
    "source": Shape(needs=("location",), may=(*_RECORDS, *_OF_TEXT), often=("column",)),
    "Output": Shape(needs=("location",), may=("table", "delimiter", "replace", "spreadsheet_safe")),
    "Attributes": Shape(often=tuple(ROLES)),
    "k-attribute": Shape(
        needs=("name",),
        may=("priority", "limit", "minimum", "form", "domain", "bounds", "normalize", "person"),
        often=("scale", "null_string"),
    ),
    "l-attribute": Shape(needs=("name",), may=("domain", "normalize"), often=("l-diversity", "scale", "null_string")),
    "scale": Shape(needs=("value",)),
    "l-diversity": Shape(needs=("type", "l"), may=("c",)),
    **dict.fromkeys(("dontcare", "ignore", "identifier", "person"), Shape(needs=("name",))),
    "GeneralizationHierarchies": Shape(often=("hierarchy",)),
    "hierarchy": Shape(needs=("attribute",), may=("by",), often=("level", "value")),
    "level": Shape(needs=("loss",)),
    "value": Shape(needs=("name",), often=("value",)),
}
"""The schema, for messages with lines."""


def read(text: str, name: str) -> Written:
    """Return the data of an XML text and its lines."""
    written = Written(name)
    root = _parsed(text, written)
    written.lines[()] = root.line
    if root.tag != "ANON":
        raise written.broken(root.line, f"the root element is {root.tag!r}; it must be ANON")
    try:
        written.faults += _misshapen(root)
        written.plain = _Job(written, root).plain()
    except RecursionError:
        raise written.broken(None, "it is nested too deeply") from None
    return written


def _parsed(text: str, written: Written) -> Element:
    from defusedxml.common import DefusedXmlException
    from defusedxml.sax import parse

    handler = _Handler()
    try:
        parse(StringIO(text), handler, forbid_dtd=True)
    except DefusedXmlException:
        raise written.broken(None, "it contains a document type or entities, which are unsafe; remove them") from None
    except SAXParseException as error:
        raise written.broken(error.getLineNumber(), f"this is not valid XML: {error.getMessage()}") from None
    return handler.roots[0]


class _Handler(ContentHandler):
    """Elements with their lines."""

    def __init__(self) -> None:
        super().__init__()
        self.roots: list[Element] = []
        self._open: list[Element] = []

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        element = Element(name, dict(attrs.items()), self._locator.getLineNumber() or 0)
        (self._open[-1].children if self._open else self.roots).append(element)
        self._open.append(element)

    def endElement(self, name: str) -> None:  # noqa: N802
        self._open.pop()

    def characters(self, content: str) -> None:
        self._open[-1].text += content


def _misshapen(element: Element) -> Iterator[Fault]:
    """Note all that the schema does not allow, in the whole tree below."""
    shape = SHAPES[element.tag]
    known = (*shape.needs, *shape.may)
    for name in element.attributes:
        if name not in known:
            hint = close_to(name, known)
            yield Fault(element.line, element.tag, f"no attribute {name!r}; there are {_listed(known)}{hint}")
    for name in shape.needs:
        if name not in element.attributes:
            yield Fault(element.line, element.tag, f"the attribute {name!r} is missing")
    if element.text.strip() and not shape.has_text:
        yield Fault(element.line, element.tag, "text is not allowed here")
    seen: dict[str, int] = {}
    for child in element.children:
        allowed = (*shape.once, *shape.often)
        if child.tag not in allowed:
            hint = close_to(child.tag, allowed)
            yield Fault(child.line, child.tag, f"no such element in {element.tag}; there are {_listed(allowed)}{hint}")
            continue
        if child.tag in shape.once and child.tag in seen:
            yield Fault(child.line, child.tag, f"written twice, first on line {seen[child.tag]}; keep one")
        seen.setdefault(child.tag, child.line)
        yield from _misshapen(child)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"


class _Job:
    """From elements to the data of a job."""

    def __init__(self, written: Written, root: Element) -> None:
        self._written = written
        self._root = root
        self._parameters = root.one("Parameters") or Element("Parameters", {}, root.line)

    def plain(self) -> dict[str, Any]:
        """Return what all sections say."""
        columns = self._columns()
        found = {
            "data": self._data(),
            "output": self._output(),
            "population": self._records("population", self._parameters.one("population")),
            "columns": columns,
            "models": self._models(),
            **self._settings(),
        }
        return {key: value for key, value in found.items() if value is not None}

    def _settings(self) -> dict[str, Any]:
        read: dict[str, tuple[str, str, Callable[[str], Any]]] = {
            "nulls": ("missing", "handling", str),
            "order": ("order", "", str),
            "wiped": ("wiped", "", str),
            "generalize": ("generalize", "", str),
            "knows": ("knows", "", number),
            "suppress": ("max_supp", "", str),
            "search": ("search", "type", str),
            "metric": ("metric", "type", str),
            "time": ("time", "", number),
            "seed": ("seed", "", number),
        }
        found = {}
        for key, (tag, attribute, kind) in read.items():
            element = self._parameters.one(tag)
            if element is not None and (not attribute or attribute in element.attributes):
                self._at((key,), element)
                found[key] = kind(element.attributes[attribute] if attribute else element.text.strip())
        if "suppress" in found:
            found["suppress"] = _limit(found["suppress"], self._parameters.one("max_supp"))
        return found

    def _data(self) -> dict[str, Any] | None:
        element = self._root.one("Datasource")
        data = self._records("data", element)
        if data is not None and element is not None:
            data |= _of_text(element)
        missing = self._parameters.one("missing")
        texts = [each.attributes.get("value", "") for each in missing.all("null_string")] if missing else []
        if missing and texts and data is None:
            self._written.faults.append(Fault(missing.line, "null_string", "there is no Datasource with such cells"))
        return {**data, "missing": texts} if data is not None and texts else data

    def _records(self, key: str, element: Element | None) -> dict[str, Any] | None:
        if element is None:
            return None
        self._at((key,), element)
        sources = [_source(each) for each in element.all("source")]
        for at, each in enumerate(element.all("source")):
            self._at((key, "source", at), each)
        return {"source": sources, **{name: element.attributes[name] for name in _known(element)}}

    def _output(self) -> dict[str, Any] | None:
        element, report = self._root.one("Output"), self._parameters.one("report")
        if element is None:
            if report:
                self._written.faults.append(Fault(report.line, "report", "there is no Output to report on"))
            return None
        self._at(("output",), element)
        plain: dict[str, Any] = {name: element.attributes[name] for name in _known(element)}
        plain["to"] = plain.pop("location", "")
        plain |= {key: _READ[key](plain[key]) for key in ("replace", "spreadsheet_safe") if key in plain}
        return {**plain, **({name: report.attributes[name] for name in _known(report)} if report else {})}

    def _columns(self) -> dict[str, Any]:
        attributes = self._root.one("Attributes")
        if attributes is None:
            return {}
        self._at(("columns",), attributes)
        columns = self._written.mapping(
            ("columns",),
            (
                (each.attributes.get("name", ""), each.line, lambda place, each=each: self._column(place, each))  # type: ignore[misc]
                for each in attributes.all(*ROLES)
            ),
        )
        self._add_hierarchies(columns)
        return columns

    def _column(self, place: Place, element: Element) -> dict[str, Any]:
        self._at(place, element)
        given = {name: element.attributes[name] for name in _known(element) if name != "name"}
        settings = {name: _READ.get(name, number)(text) for name, text in given.items()}
        scale = [each.attributes.get("value", "") for each in element.all("scale")]
        missing = [each.attributes.get("value", "") for each in element.all("null_string")]
        listed = {"scale": scale, "missing": missing}
        return {"role": ROLES[element.tag], **settings, **{key: texts for key, texts in listed.items() if texts}}

    def _add_hierarchies(self, columns: dict[str, Any]) -> None:
        section = self._root.one("GeneralizationHierarchies")
        for element in section.all("hierarchy") if section else []:
            name = element.attributes.get("attribute", "")
            if name not in columns:
                what = f"no attribute is called {name!r}{close_to(name, columns)}"
                self._written.faults.append(Fault(element.line, "hierarchy", what))
                continue
            self._add_hierarchy(columns[name], ("columns", name), element)

    def _add_hierarchy(self, column: dict[str, Any], place: Place, element: Element) -> None:
        tree, by = element.all("value"), element.attributes.get("by")
        if "hierarchy" in column or "losses" in column:
            self._written.faults.append(Fault(element.line, "hierarchy", f"{place[1]!r} already has one; keep one"))
            return
        if tree and by is not None:
            what = "it has a tree of values and 'by'; keep one of them"
            self._written.faults.append(Fault(element.line, "hierarchy", what))
        for key in ("hierarchy", "losses"):
            self._at((*place, key), element)
        if tree or by is not None:
            column["hierarchy"] = {"tree": {"groups": groups(_branches(tree))}} if tree else by
        if element.all("level"):
            column["losses"] = [number(each.attributes.get("loss", "")) for each in element.all("level")]

    def _models(self) -> list[Any]:
        """Return k first, then the models that are named, then those of attributes."""
        found: list[tuple[Element, Any]] = []
        k = self._parameters.one("k")
        if k is not None:
            found.append((k, {"k_anonymity": {"k": number(k.text.strip())}}))
        found += [(each, each.attributes.get("type", "")) for each in self._parameters.all("model")]
        attributes = self._root.one("Attributes")
        for column in attributes.all("l-attribute") if attributes else []:
            name = column.attributes.get("name", "")
            found += [(each, self._diversity(name, each)) for each in column.all("l-diversity")]
        for at, (element, _) in enumerate(found):
            self._at(("models", at), element)
        return [model for _, model in found]

    def _diversity(self, column: str, element: Element) -> dict[str, Any]:
        kind = element.attributes.get("type", "")
        parameters = {name: number(element.attributes[name]) for name in ("c", "l") if name in element.attributes}
        # A list, because the name may have a plus sign.
        return {_DIVERSITIES.get(kind, kind): {**parameters, "column": [column]}}

    def _at(self, place: Place, element: Element) -> None:
        self._written.lines[place] = element.line
        self._written.names[place] = element.tag


def _numbers(text: str) -> list[Any]:
    return [number(each) for each in text.split()]


def _truth(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


_READ: dict[str, Callable[[str], Any]] = {
    "form": str,
    "normalize": str.split,
    "prepare": preparation.parse,
    **dict.fromkeys(("domain", "widths"), _numbers),
    **dict.fromkeys(("header", "replace", "spreadsheet_safe", "person", "whole"), _truth),
}
"""How attributes are read that are no single number."""


def _known(element: Element) -> list[str]:
    shape = SHAPES[element.tag]
    return [name for name in element.attributes if name in (*shape.needs, *shape.may)]


def _of_text(element: Element) -> dict[str, Any]:
    """Return what an element says of a text file beside texts: numbers, truth and names of columns."""
    read: dict[str, Any] = {
        key: _READ[key](element.attributes[key]) for key in ("header", "widths", "prepare") if key in element.attributes
    }
    names = [each.attributes.get("name", "") for each in element.all("column")]
    return {**read, **({"names": names} if names else {})}


def _limit(amount: str, element: Element | None) -> Any:
    """Return a suppression limit with the attributes of its element, if it has any."""
    options = {} if element is None else {name: element.attributes[name] for name in _known(element)}
    if not options:
        return amount
    read = {name: _READ.get(name, str)(text) for name, text in options.items()}
    return {"number" if amount.isdecimal() else "share": amount, **read}


def _source(element: Element) -> Any:
    """Return a source: its location, or where it says more its keys."""
    own = {name: element.attributes[name] for name in _known(element) if name != "location"} | _of_text(element)
    location = element.attributes.get("location", "")
    return {"url" if "://" in location else "file": location, **own} if own else location


def _branches(values: list[Element]) -> list[Branch]:
    return [Branch(value.attributes.get("name", ""), _branches(value.all("value"))) for value in values]
