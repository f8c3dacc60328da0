"""A job as XML, written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from incrowd import models
from incrowd.core.schema import Nulls
from incrowd.errors import UsageError
from incrowd.jobs import families, preparation, xml_file
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.parts import Column, Data, Origin, Records
from incrowd.jobs.trees import Branch, branches, groups

if TYPE_CHECKING:
    from incrowd.jobs.model import Job

_TAGS = {role: tag for tag, role in xml_file.ROLES.items()}
_OTHER_TAGS = {"suppress": "max_supp"}
"""ANON's names of keys."""
_NEVER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold in any way."""


def write(job: Job) -> str:
    """Return a job as XML, as `xml_file.read` takes it."""
    root = Element("ANON")
    _add_parameters(SubElement(root, "Parameters"), job)
    if job.data is not None:
        _add_data(root, job.data)
    if job.output is not None:
        flags = {key: "true" for key in ("replace", "spreadsheet_safe") if getattr(job.output, key)}
        keys = {"location": job.output.to, "table": job.output.table, "delimiter": job.output.delimiter}
        SubElement(root, "Output", _given({**keys, **flags}))
    attributes = SubElement(root, "Attributes")
    for name, column in job.columns.items():
        given = column.to_dict()
        settings = {key: given.get(key) for key in ("priority", "limit", "minimum", "form", "bounds")}
        for key in ("domain", "normalize"):
            settings[key] = " ".join(map(str, given[key])) if key in given else None
        settings["person"] = "true" if column.person else None
        element = SubElement(attributes, _TAGS[column.role], _given({"name": name, **settings}))
        for value in given.get("scale", ()):
            SubElement(element, "scale", {"value": value})
        for code in column.missing:
            SubElement(element, "null_string", {"value": code})
    _add_hierarchies(root, job)
    indent(root)
    text = tostring(root, encoding="unicode")
    if _NEVER.search(text):
        raise UsageError.invalid("the job as XML", "a name contains a control character", "write it as YAML or JSON")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_parameters(parameters: Element, job: Job) -> None:
    usual = job.to_dict()
    demanded = list(job.models)
    if set(models.to_dict(demanded[0])) == {"k_anonymity"}:
        SubElement(parameters, "k").text = str(models.to_dict(demanded.pop(0))["k_anonymity"]["k"])
    for key in ("knows", "generalize", "suppress", "order", "wiped", "time", "seed"):
        if key in usual:
            text, options = _limit(usual[key]) if isinstance(usual[key], Mapping) else (usual[key], {})
            SubElement(parameters, _OTHER_TAGS.get(key, key), options).text = str(text)
    for tag, text in (("search", SEARCHES.spell(job.search)), ("metric", METRICS.spell(job.metric))):
        if tag in usual:
            SubElement(parameters, tag, {"type": text})
    for model in demanded:
        SubElement(parameters, "model", {"type": models.spell(model)})
    texts = job.missing
    if texts or job.nulls != Nulls.EXTENDED:
        missing = SubElement(parameters, "missing", _given({"handling": usual.get("nulls")}))
        for text in texts:
            SubElement(missing, "null_string", {"value": text})
    if job.output is not None and (job.output.record or job.output.mapping):
        SubElement(parameters, "report", _given({"record": job.output.record, "mapping": job.output.mapping}))
    if job.population is not None:
        _add_records(parameters, "population", job.population)


def _limit(limit: Mapping[str, Any]) -> tuple[Any, dict[str, str]]:
    """Return the share or number of a limit, and the attributes that say what it counts."""
    (_, amount), *options = limit.items()
    return amount, {name: str(value).lower() for name, value in options}


def _add_data(root: Element, data: Data) -> None:
    prepare = {} if data.prepare is None else {"prepare": preparation.spell(data.prepare)}
    element = _add_described(root, "Datasource", data, prepare)
    for source in data.source:
        if isinstance(source, str):
            SubElement(element, "source", {"location": source})
        else:
            _add_described(element, "source", source, {"location": source.location})
    for name in data.names:
        SubElement(element, "column", {"name": name})


def _add_described(parent: Element, tag: str, of: Data | Origin, first: dict[str, str]) -> Element:
    """Add an element that says how a source, or all of them, are read."""
    texts = {key: getattr(of, key) for key in ("table", "query", "delimiter", "encoding")}
    texts["header"] = None if of.header is None else str(of.header).lower()
    texts["widths"] = " ".join(map(str, of.widths)) or None
    element = SubElement(parent, tag, _given({**first, **texts}))
    for name in of.names if isinstance(of, Origin) else ():
        SubElement(element, "column", {"name": name})
    return element


def _add_records(parent: Element, tag: str, records: Records) -> None:
    element = SubElement(parent, tag, _given({"table": records.table, "query": records.query}))
    for location in records.source:
        SubElement(element, "source", {"location": location})


def _add_hierarchies(root: Element, job: Job) -> None:
    described = {
        name: each for name, each in job.columns.items() if each.hierarchy is not None or each.losses is not None
    }
    section = SubElement(root, "GeneralizationHierarchies") if described else root
    for name, column in described.items():
        element = SubElement(section, "hierarchy", {"attribute": name})
        for loss in column.to_dict().get("losses", ()):
            SubElement(element, "level", {"loss": str(loss)})
        _describe(element, column)


def _describe(element: Element, column: Column) -> None:
    """Write a tree as elements if they hold all of it, anything else as text."""
    match column.to_dict().get("hierarchy"):
        case None:
            return
        case {"tree": {"groups": content, **rest}} if not rest and groups(branches(content)) == content:
            _add_values(element, branches(content))
        case _:
            element.set("by", families.spell(column.hierarchy))


def _add_values(parent: Element, values: list[Branch]) -> None:
    for label, inside in values:
        _add_values(SubElement(parent, "value", {"name": label}), inside)


def _given(attributes: Mapping[str, Any]) -> dict[str, str]:
    """Return the entries that have a value, as texts."""
    return {name: str(value) for name, value in attributes.items() if value is not None}
