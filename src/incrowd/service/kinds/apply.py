"""New data with the recoding of an earlier release."""

from typing import Any

from incrowd.service.kinds._released import keep
from incrowd.service.references import References
from incrowd.service.requests import Apply
from incrowd.watch import Show

REQUEST = Apply


def prepare(request: Apply, files: References) -> dict[str, Any]:
    """The request for a worker."""
    from incrowd.anonymization.place import written_suffix
    from incrowd.errors import UsageError

    to = f"release.{request.output.lstrip('.')}"
    if written_suffix(to) is None:
        raise UsageError.senseless(
            "the output", "its ending tells no format that can be written", "give csv or parquet"
        )
    held = files.held(request.record, "record")
    record = files.path(request.record, "record", "record", "release")
    record += ".record.json" if held.kind == "release" else ""
    source = files.source(request.file)["source"]
    return {"record": record, "source": source, "output": to, "spreadsheet_safe": request.spreadsheet_safe}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The release."""
    from incrowd.api import apply

    safe = plain["spreadsheet_safe"]
    made = apply(plain["record"], plain["source"], plain["output"], spreadsheet_safe=safe, progress=show)
    return keep(made, plain["source"], show)
