"""Descriptions of the fields of a model: the strings below them.

pydantic reads them for every model that is defined, which takes longer than all else that defining one takes; they are
wanted where a schema is.
"""

import ast
from collections.abc import Mapping
from functools import cache
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent


@cache
def docstrings(model: type) -> Mapping[str, str]:
    """Return the string below each field of a class and of those that it derives from, if there is one."""
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if "__annotations__" in vars(each) and each.__module__.startswith("incrowd."):
            found |= _own(each)
    return found


def _own(model: type) -> dict[str, str]:
    [defined] = ast.parse(dedent(getsource(model))).body
    assert isinstance(defined, ast.ClassDef)
    return {
        field.target.id: cleandoc(text.value.value)
        for field, text in pairwise(defined.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }
