"""Reading the table that a request names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.service.references import References
from incrowd.service.requests import Reading

if TYPE_CHECKING:
    from incrowd.engines.source import Source


def located(request: Reading, files: References) -> dict[str, Any]:
    """The request as plain data, its file as a location with the options of reading."""
    plain = request.model_dump(exclude_none=True)
    found = files.source(plain.pop("file"))
    reading = {key: plain.pop(key) for key in ("missing", "delimiter", "encoding", "table") if key in plain}
    if "table" in reading:
        found["query"] = None
    return {**plain, "data": {**found, **reading}}


def opened(plain: dict[str, Any]) -> Source:
    """The table, as a worker reads it; what is left of the request are its other keys."""
    from incrowd.api import read

    reading = dict(plain.pop("data"))
    location = reading.pop("source")
    delimiter = {r"\t": "\t", "tab": "\t"}.get(reading.get("delimiter") or "", reading.get("delimiter"))
    return read(location, **{**reading, "delimiter": delimiter})
