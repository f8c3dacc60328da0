"""A job as the body of a request: JSON, YAML or XML, by its content type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from incrowd.errors import Fault, JobError, UsageError
from incrowd.jobs.document import Written

_READERS = {
    "application/json": "json_file",
    "application/yaml": "yaml_file",
    "application/x-yaml": "yaml_file",
    "text/yaml": "yaml_file",
    "application/xml": "xml_file",
    "text/xml": "xml_file",
}

CONTENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A job of one table, or of several; its data, hierarchies and population are files of the "
        "workspace, by id or name. A job of several tables is not written as XML.",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "anyOf": [{"required": ["data", "columns", "models"]}, {"required": ["tables", "models"]}],
                    "properties": {
                        "data": {},
                        "columns": {"type": "object"},
                        "tables": {"type": "object"},
                        "models": {"type": "array"},
                    },
                }
            },
            "application/yaml": {"schema": {"type": "string"}},
            "application/xml": {"schema": {"type": "string"}},
        },
    }
}
"""Description for OpenAPI; /v1/job-schema has every key."""


class BadType(UsageError):
    """The content type is not supported."""


def job_of(body: bytes, content_type: str) -> Written:
    """Read the job; it may have faults."""
    from importlib import import_module

    kind = content_type.partition(";")[0].strip().lower()
    if kind not in _READERS:
        raise BadType.not_one_of("the content type of a job", kind[:100], _READERS)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise JobError.of("the job", [Fault(None, "", "it is not in UTF-8; save it in that encoding")]) from None
    written: Written = import_module(f"incrowd.jobs.{_READERS[kind]}").read(text, "the job")
    if not isinstance(written.plain, dict):
        raise JobError.of("the job", [*written.faults, Fault(None, "", "not a mapping of keys to values")])
    return written


@contextmanager
def with_all_faults(written: Written) -> Iterator[None]:
    """Raise faults of the text and of the job together, each with its line."""
    try:
        yield
    except JobError as error:
        raise JobError.of("the job", [*written.faults, *map(written.located, error.faults)]) from None
