"""Families of interchangeable members: the modules of a folder, and what other packages offer through entry points.

A member is named as its file. Another package adds one with an entry point in the group "incrowd.<family>".
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any


@cache
def members(family: str, declares: str) -> dict[str, Any]:
    """Every member of the family by name; a module of the folder is one when it declares the given name."""
    package = import_module(f"incrowd.{family}")
    names = [module.name for module in iter_modules(package.__path__) if not module.name.startswith("_")]
    modules = {name: import_module(f"{package.__name__}.{name}") for name in names}
    own = {name: module for name, module in modules.items() if hasattr(module, declares)}
    others = {point.name: point.load() for point in entry_points(group=package.__name__)}
    # Nobody outside takes the name of a member of our own.
    return {**others, **own}
