"""Publish new data with the recoding of an earlier release."""

from typing import Any

from incrowd.service.kinds._released import keep, keep_tables
from incrowd.service.kinds._sets import named, refuse_further
from incrowd.service.references import RELEASE, TABLES, References
from incrowd.service.requests import Apply
from incrowd.watch import Show

REQUEST = Apply


def prepare(request: Apply, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    from incrowd.errors import UsageError
    from incrowd.formats.writing import written_suffix

    if request.tables is not None:
        return _of_tables(request, request.tables, files)
    if request.file is None:
        raise UsageError.invalid("the request for apply", "it needs a file or tables", "give one of the two")
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


def _of_tables(request: Apply, tables: dict[str, str], files: References) -> dict[str, Any]:
    """Return a request for several tables, named as those of the earlier release."""
    from incrowd.errors import UsageError
    from incrowd.service.path_sandbox import table_format

    refuse_further("apply", request.model_fields_set - {"tables", "record"}, "output")
    # A run is listed with the first table that it reads.
    given = named(tables, files)
    held = files.held(request.record, "record")
    is_run = held.kind == TABLES
    record = f"{files.folder(held)}.record.json" if is_run else files.path(request.record, "record", "record")
    format = table_format(request.output)
    if format is None:
        raise UsageError.invalid("the output", "its ending tells no format that can be written", "give csv or parquet")
    return {"record": record, "tables": given, "format": format}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Make the release."""
    from incrowd.api import apply, read

    if "tables" in plain:
        from incrowd.linked.applying import apply_tables
        from incrowd.release.tables import LinkedRecord

        to = {"to": RELEASE, "format": plain["format"]}
        again = apply_tables(LinkedRecord.of(plain["record"]), plain["tables"], to, progress=show)
        return keep_tables(again, plain["tables"], show)
    source, reading = plain["source"], {"table": plain["table"], "query": plain["query"]}
    made = apply(plain["record"], source, plain["output"], None, False, plain["spreadsheet_safe"], show, **reading)
    missing = made.record.job["data"].get("missing", ())
    return {**keep(made, read(source, missing=missing, **reading), show), "missing": list(missing)}
