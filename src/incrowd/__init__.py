"""Incrowd: who stands out in this table, and through which columns?

>>> import incrowd
>>> d = incrowd.diagnose("patients.csv")
>>> print(d.ask(k=5))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.api import (
        anonymize,
        apply,
        attack,
        diagnose,
        frontier,
        inspect,
        measure,
        neighbours,
        read,
        report,
        risk,
        table,
        verify,
    )
    from incrowd.core.schema import Nulls, Order, Role, Schema
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis
    from incrowd.diagnosis.questions import FIND
    from incrowd.errors import IncrowdError
    from incrowd.jobs import Job

__all__ = [
    "FIND",
    "Answer",
    "Diagnosis",
    "IncrowdError",
    "Job",
    "Nulls",
    "Order",
    "Role",
    "Schema",
    "anonymize",
    "apply",
    "attack",
    "diagnose",
    "frontier",
    "inspect",
    "measure",
    "neighbours",
    "read",
    "report",
    "risk",
    "table",
    "verify",
]

# Loaded when first used, so that the command line starts fast.
_HOMES = {
    "FIND": "incrowd.diagnosis.questions",
    "Answer": "incrowd.diagnosis.answer",
    "Diagnosis": "incrowd.diagnosis.diagnosis",
    "IncrowdError": "incrowd.errors",
    "Job": "incrowd.jobs",
    "Nulls": "incrowd.core.schema",
    "Order": "incrowd.core.schema",
    "Role": "incrowd.core.schema",
    "Schema": "incrowd.core.schema",
    "anonymize": "incrowd.api",
    "apply": "incrowd.api",
    "attack": "incrowd.api",
    "diagnose": "incrowd.api",
    "frontier": "incrowd.api",
    "inspect": "incrowd.api",
    "measure": "incrowd.api",
    "neighbours": "incrowd.api",
    "read": "incrowd.api",
    "report": "incrowd.api",
    "risk": "incrowd.api",
    "table": "incrowd.api",
    "verify": "incrowd.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'incrowd' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
