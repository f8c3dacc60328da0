"""Errors of the service: a code, a message and a hint. Never a record's value."""

import errno
import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from incrowd.errors import IncrowdError

CODES = {
    "SourceError": "bad_source",
    "UsageError": "bad_request",
    "JobError": "bad_job",
    "HierarchyError": "bad_hierarchy",
    "Refused": "refused",
    "NotThere": "not_there",
    "InUse": "in_use",
    "TooLarge": "too_large",
    "QueueFull": "queue_full",
    "BadType": "bad_type",
    "NotVerified": "not_verified",
    "Infeasible": "infeasible",
    "Interrupted": "cancelled",
}
"""By the name of the error; one that is not here goes by the next one above it."""

INTERNAL = "internal"


def failure(code: str, message: str, hint: str = "") -> dict[str, str]:
    """Return an error in the shape that all errors have."""
    return {"code": code, "message": message, "hint": hint}


def describe_error(error: BaseException) -> dict[str, str]:
    """Return an error in that shape; of an unforeseen one only its type, because its message may quote a record."""
    if isinstance(error, MemoryError):
        return failure(
            "out_of_memory", "the run needs more memory than it may have", "ask for less, or raise the limit"
        )
    if _is_full(error):
        return failure("disk_full", "the disk of the service is full", "delete files and runs, or make room")
    if not isinstance(error, IncrowdError):
        return failure(INTERNAL, f"an internal error, {_place(error)}", "please report it")
    code = next(CODES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in CODES)
    text = str(error)
    if "\n" in text:
        return failure(code, text, "correct what is named")
    message, _, hint = text.rpartition("; ")
    return failure(code, message or hint, hint if message else "")


_TOLD = 10
"""Number of faults of a request that are reported, and characters of each."""
_SHORT = 200


def faults(found: Iterable[Mapping[str, Any]]) -> str:
    """Return the faults of a request that pydantic found, without its values."""
    each = list(dict.fromkeys(map(_fault, found)))
    more = [f"and {len(each) - _TOLD:,} more"] if len(each) > _TOLD else []
    return ", ".join([*each[:_TOLD], *more])


def _fault(each: Mapping[str, Any]) -> str:
    if each["type"] == "json_invalid":
        return "the request: it is not valid JSON"
    place = ".".join(str(part) for part in each["loc"] if part not in ("body", "query", "path"))
    return f"{place[:_SHORT] or 'the request'}: {each['msg'][:_SHORT]}"


def _is_full(error: BaseException) -> bool:
    """Return whether writing failed because the disk is full."""
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _place(error: BaseException) -> str:
    """Return the type of an error and the last line of Incrowd in its traceback."""
    trace, place = error.__traceback__, "unknown"
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if re.match(r"incrowd(\.|$)", name):
            place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} in {place}"
