"""Publish new data with the recoding of an earlier release."""

from typing import Any

from incrowd.service.kinds._released import keep
from incrowd.service.references import References
from incrowd.service.requests import Apply
from incrowd.watch import Show

REQUEST = Apply


def prepare(request: Apply, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    from incrowd.errors import UsageError
    from incrowd.formats.writing import written_suffix

    to = f"release.{request.output.lstrip('.')}"
    if written_suffix(to) is None:
        raise UsageError.invalid(
            "the output", "its extension is not that of a format that can be written", "give csv or parquet"
        )
    source = files.source(request.file)
    held = files.held(request.record, "record")
    record = files.path(request.record, "record", "record", "release")
    record += ".record.json" if held.kind == "release" else ""
    return {
        "record": record,
        **source,
        "output": to,
        "spreadsheet_safe": request.spreadsheet_safe,
    }


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Make the release."""
    from incrowd.api import apply, read

    source, reading = plain["source"], {"table": plain["table"], "query": plain["query"]}
    made = apply(plain["record"], source, plain["output"], None, False, plain["spreadsheet_safe"], show, **reading)
    missing = made.record.job["data"].get("missing", ())
    return {**keep(made, read(source, missing=missing, **reading), show), "missing": list(missing)}
