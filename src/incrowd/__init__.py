"""Incrowd: who stands out in this table, and through which columns?

>>> import incrowd
>>> d = incrowd.diagnose("patients.csv")
>>> print(d.ask(k=5))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.api import (
        Anonymizer,
        anonymize,
        apply,
        attack,
        diagnose,
        explore,
        frontier,
        head,
        hierarchy,
        init,
        inspect,
        measure,
        neighbors,
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
    from incrowd.errors import (
        HierarchyError,
        IncrowdError,
        Infeasible,
        Interrupted,
        JobError,
        NotVerified,
        SourceError,
        UsageError,
    )
    from incrowd.jobs import Job
    from incrowd.jobs.linked import LinkedJob

    __version__: str

__all__ = [
    "FIND",
    "Anonymizer",
    "Answer",
    "Diagnosis",
    "HierarchyError",
    "IncrowdError",
    "Infeasible",
    "Interrupted",
    "Job",
    "JobError",
    "LinkedJob",
    "NotVerified",
    "Nulls",
    "Order",
    "Role",
    "Schema",
    "SourceError",
    "UsageError",
    "anonymize",
    "apply",
    "attack",
    "diagnose",
    "explore",
    "frontier",
    "head",
    "hierarchy",
    "init",
    "inspect",
    "measure",
    "neighbors",
    "read",
    "report",
    "risk",
    "table",
    "verify",
]

# Loaded when first used, so that the command line starts fast.
_HOMES = {
    "FIND": "incrowd.diagnosis.questions",
    "Anonymizer": "incrowd.api",
    "Answer": "incrowd.diagnosis.answer",
    "Diagnosis": "incrowd.diagnosis.diagnosis",
    "HierarchyError": "incrowd.errors",
    "IncrowdError": "incrowd.errors",
    "Infeasible": "incrowd.errors",
    "Interrupted": "incrowd.errors",
    "Job": "incrowd.jobs",
    "JobError": "incrowd.errors",
    "LinkedJob": "incrowd.jobs.linked",
    "NotVerified": "incrowd.errors",
    "Nulls": "incrowd.core.schema",
    "Order": "incrowd.core.schema",
    "Role": "incrowd.core.schema",
    "Schema": "incrowd.core.schema",
    "SourceError": "incrowd.errors",
    "UsageError": "incrowd.errors",
    "anonymize": "incrowd.api",
    "apply": "incrowd.api",
    "attack": "incrowd.api",
    "diagnose": "incrowd.api",
    "explore": "incrowd.api",
    "frontier": "incrowd.api",
    "head": "incrowd.api",
    "hierarchy": "incrowd.api",
    "init": "incrowd.api",
    "inspect": "incrowd.api",
    "measure": "incrowd.api",
    "neighbors": "incrowd.api",
    "neighbours": "incrowd.api",
    "read": "incrowd.api",
    "report": "incrowd.api",
    "risk": "incrowd.api",
    "table": "incrowd.api",
    "verify": "incrowd.api",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("incrowd")
    if name not in _HOMES:
        raise AttributeError(f"module 'incrowd' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
