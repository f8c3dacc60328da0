"""The public functions, one for each verb. No logic: what each does lives where it is imported from.

A module declares its verbs as `__all__`. They are found, not listed: `incrowd.verb` is the function, whether it is here
or in another package, which names the module in an entry point in the group `incrowd.api`. `tables` has the verbs that
look at a table, `alternatives` those before a release is made, `releases` those that make or verify one, `assessing`
those that measure, attack or report on it.
"""

from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.api.alternatives import *
    from incrowd.api.assessing import *
    from incrowd.api.releases import *
    from incrowd.api.tables import *

_HERE = ("releases", "tables", "assessing", "alternatives")


def __getattr__(name: str) -> Any:
    """Return a verb when it is first asked for: what one needs to be loaded, another does without."""
    if not name.startswith("_") and name not in _HERE:
        for module in _HERE:
            verbs = import_module(f"{__name__}.{module}")
            if name in verbs.__all__:
                globals()[name] = getattr(verbs, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def faults(module: Any) -> list[str]:
    """Return the names that a module declares as verbs and that are no functions."""
    lacking = [name for name in module.__all__ if not isfunction(getattr(module, name, None))]
    return [f"its __all__ names {', '.join(lacking)}, which it has not as a function"] * bool(lacking)
