"""Writes the reference pages of the documentation from the code: python scripts/reference.py"""

import ast
import inspect
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from textwrap import dedent
from typing import Any

import typer.main

import incrowd
from incrowd.cli.app import app

DOCS = Path(__file__).parents[1] / "docs"
WIDTH = 100
"""Signatures that are longer take a line for each parameter."""

PROGRESS = (
    "A `source` is a path, a database URL, a frame, or what `incrowd.read` gives: see [sources](sources.md). `time` "
    "is the number of seconds that a call may take; when they are over, it gives back what is known by then. "
    "`progress` is a function of yours that is called now and then with how far the work is: `share`, from 0 to 1 or "
    "None while nobody can tell, and `words`."
)

WARNING = "<!-- Written by scripts/reference.py: change the code, then run the script. -->"


def pages() -> dict[Path, str]:
    """The reference pages as they should be."""
    return {DOCS / "commands.md": commands_page(), DOCS / "python.md": python_page()}


# The command line.


def commands_page() -> str:
    """Every command with every option."""
    group: Any = typer.main.get_command(app)
    parts = [
        WARNING,
        "# Commands",
        "Every option of every command. `incrowd --help` and `incrowd COMMAND --help` show the same on the terminal. "
        "What the questions and their answers mean is told in [the twelve questions](questions.md), "
        "[inspect](inspect.md) and [risk](risk.md); what can stand for FILE in [sources](sources.md).",
        "## incrowd",
        _sentences(group.help),
        _options(group),
    ]
    for name, command in group.commands.items():
        parts += [f"## incrowd {name}", _sentences(command.help), _usage(name, command), _options(command)]
    return "\n\n".join(parts) + "\n"


def _sentences(text: str | None) -> str:
    """Help as paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in dedent(text or "").split("\n\n"))


def _usage(name: str, command: Any) -> str:
    required = [_words(param) for param in command.params if param.required]
    return fenced(" ".join(["incrowd", name, *required, "[OPTIONS]"]), "text")


def _options(command: Any) -> str:
    rows = [f"| {_code(_words(param))} | {_told(param)} |" for param in command.params]
    return "\n".join(["| option | what it does |", "|---|---|", *rows])


def _words(param: Any) -> str:
    """An option as it is typed, or what an argument stands for; an argument without dashes takes several files."""
    if param.param_type_name == "argument":
        return f"{param.metavar.rstrip('.')}..."
    return ", ".join(sorted(param.opts, key=len)) + (f" {param.metavar}" if param.metavar else "")


def _told(param: Any) -> str:
    given = "Must be given." if param.required else f"Default: {param.default}." if param.default else ""
    return f"{param.help} {given}".strip().replace("|", "&#124;")


def _code(text: str) -> str:
    """Inline code in a table, where a bar would end the cell."""
    return f"<code>{text.replace('|', '&#124;')}</code>"


# Python.


def python_page() -> str:
    """Every public name, and what the public functions give back."""
    public = {name: getattr(incrowd, name) for name in incrowd.__all__}
    functions = {name: value for name, value in public.items() if inspect.isfunction(value)}
    classes = [value for value in public.values() if inspect.isclass(value)]
    constants = [name for name in public if name not in functions and public[name] not in classes]
    parts = [
        WARNING,
        "# Python",
        "Every public name of the package. Import it once, with `import incrowd`.",
        "## Functions",
        PROGRESS,
        *(part for name, function in functions.items() for part in _function(f"incrowd.{name}", function, "###")),
        "## Values and classes",
        *(part for name in constants for part in _constant(name, public[name])),
        *(part for each in classes for part in _class(f"incrowd.{each.__name__}", each)),
        "## What the functions give back",
        "The functions above make these, so nobody has to import them. `print` shows each as text; an inspection and a "
        "risk report have `to_dict` and `to_json` like an answer.",
        *(part for each in _given_back(list(functions.values()), classes) for part in _fields(each)),
    ]
    return "\n\n".join(parts) + "\n"


def _constant(name: str, value: Any) -> Iterator[str]:
    yield f"### incrowd.{name}"
    yield inspect.getdoc(type(value)) or ""


def _function(name: str, function: Any, heading: str) -> Iterator[str]:
    yield f"{heading} {name}"
    yield fenced(signature(name.rpartition(".")[2], _parsed(function)), "text")
    yield inspect.getdoc(function) or ""


def _class(name: str, described: Any) -> Iterator[str]:
    yield from _fields(described, name)
    for node in _parsed(described).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not _is_attribute(node):
            yield from _function(f"{described.__name__}.{node.name}", getattr(described, node.name), "####")


def _fields(described: Any, name: str = "") -> Iterator[str]:
    yield f"### {name or described.__name__}"
    yield inspect.getdoc(described) or ""
    body = _parsed(described).body
    values = list(_enumerated(body) if issubclass(described, Enum) else _attributes(body))
    if values:
        yield "\n".join(values)


def _enumerated(body: list[ast.stmt]) -> Iterator[str]:
    for node, told in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.Assign):
            yield _item(f"{ast.unparse(node.targets[0])} = {ast.unparse(node.value)}", _text(told))


def _attributes(body: list[ast.stmt]) -> Iterator[str]:
    """Fields and properties; a field that holds a function is how the answer is made, and no part of it."""
    for node, told in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("Callable"):
            yield _item(f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}", _text(told))
        if isinstance(node, ast.FunctionDef) and _is_attribute(node) and node.returns is not None:
            yield _item(f"{node.name}: {ast.unparse(node.returns)}", ast.get_docstring(node) or "")


def _is_attribute(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in node.decorator_list)


def _item(code: str, told: str) -> str:
    return f"- `{code}`" + (f"<br>{' '.join(told.split())}" if told else "")


def _text(node: ast.stmt) -> str:
    """The docstring that follows a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value
    return ""


def signature(name: str, function: ast.FunctionDef) -> str:
    """A function's parameters as they are written, without self."""
    arguments = function.args
    arguments.args = [argument for argument in arguments.args if argument.arg not in ("self", "cls")]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    parameters = list(_parameters(arguments))
    line = f"{name}({', '.join(parameters)}){returns}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {parameter},\n" for parameter in parameters) + f"){returns}"


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    without = [None] * (len(arguments.args) - len(arguments.defaults))
    for argument, default in zip(arguments.args, [*without, *arguments.defaults], strict=True):
        yield _parameter(argument, default)
    if arguments.vararg or arguments.kwonlyargs:
        yield f"*{ast.unparse(arguments.vararg) if arguments.vararg else ''}"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(argument, default)


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _given_back(functions: list[Any], known: list[Any]) -> list[Any]:
    """The classes that functions return and that are not public names, each followed by the classes of its fields."""
    found: list[Any] = []
    for function in functions:
        for name in _names(_parsed(function).returns):
            _add(_class_called(name, sys.modules[function.__module__]), [*known], found)
    return found


def _add(described: Any, known: list[Any], found: list[Any]) -> None:
    if described is None or described in [*known, *found]:
        return
    found.append(described)
    package = described.__module__.rpartition(".")[0]
    for node in _parsed(described).body:
        for name in _names(node.annotation) if isinstance(node, ast.AnnAssign) else ():
            inner = _class_called(name, sys.modules[described.__module__])
            if is_dataclass(inner) and getattr(inner, "__module__", "").rpartition(".")[0] == package:
                _add(inner, known, found)


def _names(annotation: ast.expr | None) -> list[str]:
    return [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)] if annotation else []


def _class_called(name: str, module: Any) -> Any:
    """A class by its name in a module, also where it is imported for annotations alone."""
    if inspect.isclass(value := getattr(module, name, None)):
        return value if value.__module__.startswith("incrowd") else None
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            value = getattr(__import__(str(node.module), fromlist=[name]), name)
            return value if inspect.isclass(value) and value.__module__.startswith("incrowd") else None
    return None


def _parsed(described: Any) -> Any:
    """The definition of a class or function."""
    return ast.parse(dedent(inspect.getsource(described))).body[0]


def fenced(text: str, language: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
