"""Publish a table of numbers whose sensitive cells cannot be derived."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.path_sandbox import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Table
from incrowd.watch import Show

_NAME = "table"


REQUEST = Table


def prepare(request: Table, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    from incrowd.tables.writing import check

    _asked(request.model_dump())
    to = f"{_NAME}.{request.output.lstrip('.')}"
    check(to, replace=False)
    plain = located(request, files)
    within = {name: hierarchy_within(given, files) for name, given in request.hierarchies.items()}
    return {**plain, "hierarchies": within, "output": to}


def _asked(plain: dict[str, Any]) -> Any:
    """Return the options of the library."""
    from incrowd.tables import TableOptions

    if not isinstance(plain["protect"], str | dict):
        raise UsageError.invalid("a protection", "it is not one name with its options", "write suppression")
    further = {key: plain[key] for key in ("hierarchies", "seed", "contributors", "person") if key in plain}
    return TableOptions.of(
        plain["by"], plain["measure"], plain["rules"], plain["protect"], **further, in_full=plain["details"]
    )


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the table; write the part that may be published, never private details."""
    from incrowd.tables import publish
    from incrowd.watch import Watch

    with Watch(plain.get("time"), show) as watch:
        found = publish(opened(plain), _asked(plain), watch)
    found.save(plain["output"])
    return {**found.to_dict(private=plain["details"]), "text": str(found)}
