"""The JSON Schema of a job, for editors. scripts/schema.py writes the file that is shipped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from importlib.resources import files
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, get_type_hints

from incrowd.core.grid import Suppress, Unit
from incrowd.core.knowledge import Known
from incrowd.families import BUILDERS, METRICS, MODELS, SEARCHES
from incrowd.jobs.model import Job

_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean"}


def schema() -> dict[str, Any]:
    """Return the parts of a job as pydantic sees them, and the members of families by their names and options."""
    found = Job.model_json_schema()
    properties, column = found["properties"], found["$defs"]["Column"]["properties"]
    properties["models"]["items"] = _one_of(MODELS.known())
    properties["models"]["minItems"] = 1
    properties["search"] |= _named(SEARCHES.known())
    properties["metric"] |= _named(METRICS.known())
    properties["suppress"]["anyOf"] = [
        {"type": "integer", "minimum": 0},
        {"type": "number", "minimum": 0, "maximum": 1},
        {"type": "string", "examples": ["2%", "100%", "1 record", *Suppress]},
        _limit(),
    ]
    properties["knows"]["anyOf"] = [{"enum": list(Known)}, {"type": "integer", "minimum": 1}]
    column["hierarchy"]["anyOf"] = [{"type": "string"}, _builders(), {"type": "null"}]
    return found


def _limit() -> dict[str, Any]:
    """Return a suppression limit that counts people or takes whole ones."""
    return {
        "type": "object",
        "properties": {
            "share": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string"}]},
            "number": {"type": "integer", "minimum": 0},
            "of": {"enum": list(Unit)},
            "whole": {"type": "boolean"},
        },
        "oneOf": [{"required": ["share"]}, {"required": ["number"]}],
        "additionalProperties": False,
    }


def shipped() -> Path:
    """Return the file that editors can be pointed at."""
    return Path(str(files("incrowd.jobs") / "job.schema.json"))


def text() -> str:
    """Return the schema as the shipped file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _named(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return a member by its name alone, or with options; names that other packages add are not known here."""
    return {"anyOf": [{"type": "string", "examples": sorted(known)}, _one_of(known)]}


def _one_of(known: Mapping[str, Any]) -> dict[str, Any]:
    return _single({name: _options(kind) for name, kind in sorted(known.items())})


def _options(kind: Any) -> dict[str, Any]:
    types = get_type_hints(kind)
    properties = {field.name: _typed(types[field.name]) for field in fields(kind)}
    required = [field.name for field in fields(kind) if field.default is field.default_factory is MISSING]
    return _keys(properties, required, (kind.__doc__ or "").partition("\n")[0])


def _builders() -> dict[str, Any]:
    found = {}
    for name, module in sorted(BUILDERS.modules().items()):
        taken = [each for each in signature(module.build).parameters.values() if each.name not in ("values", "name")]
        required = [each.name for each in taken if each.default is Parameter.empty]
        says = (module.build.__doc__ or "").partition("\n")[0]
        found[name] = _keys({each.name.rstrip("_"): {} for each in taken}, required, says)
    return _single(found)


def _keys(properties: Mapping[str, Any], required: Iterable[str], description: str) -> dict[str, Any]:
    return {
        "type": ["object", "null"],
        "description": description,
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _single(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "minProperties": 1, "maxProperties": 1}


def _typed(hint: Any) -> dict[str, Any]:
    return {"type": _TYPES[hint]} if hint in _TYPES else {}
