"""Describe every column."""

from typing import Any

from incrowd.service.kinds._reading import OF_COLUMNS, located, opened
from incrowd.service.references import References
from incrowd.service.requests import Inspect
from incrowd.watch import Show

REQUEST = Inspect


def prepare(request: Inspect, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it; what is set for columns is told with what is noticed."""
    plain = located(request, files)
    return {**plain, **{key: plain["data"].pop(key) for key in OF_COLUMNS if key in plain["data"]}}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the inspection."""
    from incrowd.api import inspect

    return inspect(opened(plain), progress=show, **plain).to_dict()
