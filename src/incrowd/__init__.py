"""Incrowd: find who can be re-identified in a table, and publish a version that meets privacy models, verified.

>>> import incrowd
>>> d = incrowd.diagnose("patients.csv")
>>> print(d.ask(k=5))
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

# For type checkers and editors; scripts/reference.py writes the lines of the verbs (api).
if TYPE_CHECKING:
    from incrowd.api.alternatives import *
    from incrowd.api.assessing import *
    from incrowd.api.releases import *
    from incrowd.api.tables import *
    from incrowd.core.schema import Nulls as Nulls
    from incrowd.core.schema import Order as Order
    from incrowd.core.schema import Role as Role
    from incrowd.core.schema import Schema as Schema
    from incrowd.diagnosis.answer import Answer as Answer
    from incrowd.diagnosis.diagnosis import Diagnosis as Diagnosis
    from incrowd.diagnosis.questions import FIND as FIND
    from incrowd.errors import HierarchyError as HierarchyError
    from incrowd.errors import IncrowdError as IncrowdError
    from incrowd.errors import Infeasible as Infeasible
    from incrowd.errors import Interrupted as Interrupted
    from incrowd.errors import JobError as JobError
    from incrowd.errors import NotVerified as NotVerified
    from incrowd.errors import SourceError as SourceError
    from incrowd.errors import UsageError as UsageError
    from incrowd.jobs import Job as Job
    from incrowd.jobs.linked import LinkedJob as LinkedJob

    __version__: str

_HOMES = {
    "FIND": "incrowd.diagnosis.questions",
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
}
_ALIASES = {"neighbours": "neighbors"}
"""Earlier spellings, kept as aliases."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that the command line starts fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("incrowd")
    if name == "__all__":
        return [*_HOMES, *sorted(_verbs())]
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        value = None if _is_module(name) else _verbs().get(_ALIASES.get(name, name))
    if value is None:
        raise AttributeError(f"module 'incrowd' has no attribute {name!r}")
    globals()[name] = value
    return value


def _is_module(name: str) -> bool:
    """Return whether a name is that of a part of the package, or private, so that no verb need be looked for."""
    return name.startswith("_") or find_spec(f"incrowd.{name}") is not None


def _verbs() -> dict[str, Any]:
    """Return every verb; no other package takes the name of one of our own."""
    from incrowd.families import members

    modules = sorted(members("api", "__all__").values(), key=lambda module: module.__name__.startswith("incrowd."))
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
