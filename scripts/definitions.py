"""Definitions in the code as Markdown: signatures, fields and docstrings, as they are written."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from textwrap import dedent
from types import UnionType
from typing import Any, get_origin

WIDTH = 100
"""Signatures that are longer take a line for each parameter."""


def function(name: str, described: Any, heading: str) -> Iterator[str]:
    """A function with its signature and its docstring."""
    yield f"{heading} {name}"
    yield fenced(signature(name.rpartition(".")[2], parsed(described)), "py")
    yield inspect.getdoc(described) or ""


def class_(name: str, described: Any) -> Iterator[str]:
    """A class with its fields and its public methods."""
    yield from fields(described, name)
    for node in parsed(described).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not _is_attribute(node):
            yield from function(f"{described.__name__}.{node.name}", getattr(described, node.name), "####")


def fields(described: Any, name: str = "") -> Iterator[str]:
    """A class with its fields and properties, or an enumeration with its values."""
    yield f"### {name or described.__name__}"
    yield inspect.getdoc(described) or ""
    body = parsed(described).body
    module = sys.modules[described.__module__]
    values = list(_enumerated(body) if issubclass(described, Enum) else _attributes(body, module))
    if values:
        yield "\n".join(values)


def _enumerated(body: list[ast.stmt]) -> Iterator[str]:
    for node, told in _followed(body):
        if isinstance(node, ast.Assign):
            yield item(f"{ast.unparse(node.targets[0])} = {ast.unparse(node.value)}", told)


def _attributes(body: list[ast.stmt], module: Any) -> Iterator[str]:
    """Fields and properties; a field that holds a function is how the answer is made, and no part of it."""
    for node, told in _followed(body):
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("Callable"):
            target = ast.unparse(node.target)
            yield from (
                [] if target.startswith("_") else [item(f"{target}: {annotation(node.annotation, module)}", told)]
            )
        if isinstance(node, ast.FunctionDef) and _is_attribute(node) and node.returns is not None:
            yield item(f"{node.name}: {ast.unparse(node.returns)}", ast.get_docstring(node) or "")


def parameters(described: Any) -> Iterator[tuple[str, str]]:
    """The fields of a dataclass, those that it inherits last, each as it is written and with its docstring."""
    for each in (kind for kind in described.__mro__ if kind.__module__.startswith("incrowd")):
        for node, told in _followed(parsed(each).body):
            if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("ClassVar"):
                default = "" if node.value is None else f" = {_default(node.value)}"
                shown = annotation(node.annotation, sys.modules[each.__module__])
                yield f"{ast.unparse(node.target)}: {shown}{default}", told


def _default(value: ast.expr) -> str:
    """A default as it is written, or what a dataclass makes it from."""
    if isinstance(value, ast.Call) and value.keywords:
        return f"{ast.unparse(value.keywords[0].value)}()"
    return ast.unparse(value)


def annotation(written: ast.expr, module: Any) -> str:
    """A type without what checks it, its names for other types spelled out."""

    class Plain(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            spelled = _spelled(getattr(module, node.id, None))
            return node if spelled is None else ast.Name(spelled)

        def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
            self.generic_visit(node)
            is_checked = isinstance(node.value, ast.Name) and node.value.id == "Annotated"
            return node.slice.elts[0] if is_checked and isinstance(node.slice, ast.Tuple) else node

    return ast.unparse(Plain().visit(written))


def _spelled(named: Any) -> str | None:
    """What a name stands for where it is that of a type made from others; None where it is not."""
    if hasattr(named, "__metadata__"):
        return _spelled(named.__origin__) or str(named.__origin__.__name__)
    if isinstance(named, UnionType) or get_origin(named) in (tuple, dict, Mapping):
        return re.sub(r"\b\w+\.", "", str(named))
    return None


def _followed(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Every statement with the docstring that follows it."""
    for node, told in zip(body, [*body[1:], ast.Pass()], strict=True):
        is_text = isinstance(told, ast.Expr) and isinstance(told.value, ast.Constant)
        yield node, str(told.value.value) if is_text else ""  # type: ignore[attr-defined]


def _is_attribute(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in node.decorator_list)


def signature(name: str, described: ast.FunctionDef) -> str:
    """A function's parameters as they are written, without self."""
    arguments = described.args
    arguments.args = [argument for argument in arguments.args if argument.arg not in ("self", "cls")]
    returns = f" -> {ast.unparse(described.returns)}" if described.returns else ""
    taken = list(arguments_of(arguments))
    line = f"{name}({', '.join(taken)}){returns}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in taken) + f"){returns}"


def arguments_of(arguments: ast.arguments) -> Iterator[str]:
    """Each argument with its type and default."""
    without = [None] * (len(arguments.args) - len(arguments.defaults))
    for argument, default in zip(arguments.args, [*without, *arguments.defaults], strict=True):
        yield _argument(argument, default)
    if arguments.vararg or arguments.kwonlyargs:
        yield f"*{ast.unparse(arguments.vararg) if arguments.vararg else ''}"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(argument, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def parsed(described: Any) -> Any:
    """The definition of a class or function."""
    return ast.parse(dedent(inspect.getsource(described))).body[0]


def item(code: str, told: str) -> str:
    """An item of a list: code, and what is said about it."""
    return f"- `{code}`" + (f"<br>{' '.join(told.split())}" if told else "")


def fenced(text: str, language: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def table(headers: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table; a bar or the end of a line within a cell would end it."""
    cells = [[" ".join(cell.split()).replace("|", "&#124;") for cell in line] for line in (headers, *rows)]
    lines = ["| " + " | ".join(line) + " |" for line in cells]
    return "\n".join([lines[0], "|" + "---|" * len(headers), *lines[1:]])


def code(text: str) -> str:
    """Inline code in a table, where Markdown's own would keep an escaped bar as it is."""
    return f"<code>{text}</code>"
