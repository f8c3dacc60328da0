"""Read the table that a request names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from incrowd.formats.options import OF_FILES
from incrowd.jobs.preparation import prepare_given
from incrowd.service.path_sandbox import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Diagnose, Reading, Report, Risk

if TYPE_CHECKING:
    from incrowd.engines.source import Source


OF_COLUMNS = ("normalize", "missing_in")
"""Options that say how single columns are read."""


def located(request: Reading | Diagnose | Report | Risk, files: References) -> dict[str, Any]:
    """Return the request as plain data, its file as a location with reading options."""
    plain = request.model_dump(exclude_none=True)
    found = files.source(plain.pop("file"))
    reading = {key: plain.pop(key) for key in (*OF_FILES, "table", *OF_COLUMNS) if key in plain}
    if "table" in reading:
        found["query"] = None
    prepare_given(reading.get("prepare"))
    return {**plain, "data": {**found, **reading}}


def opened(plain: dict[str, Any]) -> Source:
    """Open the table in a worker; the other keys of the request remain."""
    from incrowd.api import read

    reading = dict(plain.pop("data"))
    location = reading.pop("source")
    delimiter = {r"\t": "\t", "tab": "\t"}.get(reading.get("delimiter") or "", reading.get("delimiter"))
    return read(location, **{**reading, "delimiter": delimiter})


def columns_within(columns: dict[str, Any] | list[str] | None, files: References) -> dict[str, Any]:
    """Return the columns of a request, with hierarchy files as the folder of the run has them."""
    if not isinstance(columns, dict):
        return {}
    found = {
        name: {**of, "hierarchy": hierarchy_within(of.get("hierarchy"), files)} if isinstance(of, Mapping) else of
        for name, of in columns.items()
    }
    return {"columns": found}


def given(how: dict[str, Any], **more: Any) -> Any:
    """Return the path of a plain file, beside which its manifest is found; otherwise open it as `more` says."""
    from incrowd.api import read

    reading = {"table": how["table"], "query": how["query"], **more}
    return read(how["source"], **reading) if any(reading.values()) else how["source"]
