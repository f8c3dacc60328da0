"""Writes the reference pages of the documentation, the tables in other pages that follow the code, and the verbs of
the package as type checkers and editors see them.

python scripts/reference.py
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from textwrap import dedent
from typing import Any

import definitions
import members
import typer.main

import incrowd
from incrowd import families
from incrowd.cli.app import app

DOCS = Path(__file__).parents[1] / "docs"
PACKAGE = Path(__file__).parents[1] / "src" / "incrowd" / "__init__.py"

WARNING = "<!-- Written by scripts/reference.py: change the code, then run the script. -->"

EXIT_CODES = {
    0: "Done; the answer is yes, or no yes-or-no question was asked.",
    1: "Done; the answer is no: the table does not have that k, a risk is above the given threshold, the release "
    "fails verification, or an attack exposes, or may expose, anyone.",
    2: "Nothing was done: the command line, the job or the source is invalid. One line says what to change.",
    3: "No release, or no answer, exists within the limits that were given; or the release is empty.",
    4: "An error of Incrowd itself; the line names the place to report.",
    5: "`verify`: nothing failed, but something could not be checked with what was given.",
    130: "Stopped by Ctrl-C or by the time limit before there was a result.",
}
"""What each exit code of a command means."""

STANDARD = (
    "`-` in the place of a file to read is standard input: a table, whose format is told from its beginning, or the "
    "job of `anonymize` and `frontier`. A table is copied into a private temporary folder first, because it is read "
    "more than once; the copy is removed at the end. `-o -` writes to standard output, and no text for people goes "
    "there then. A release is printed as CSV, after it was verified; its manifest is not kept, and neither is its "
    "private record, unless `--record` names a file. With `--quiet`, standard output holds data and JSON alone, and "
    "standard error errors alone."
)

COMPLETION = (
    "`incrowd --install-completion` lets the shell complete commands and options with the Tab key, from the next "
    "session on (bash, zsh, fish, PowerShell). `--show-completion` prints the script, to install it by hand."
)

JSON = (
    "`--json` prints one document on one line of standard output. Its first key, `version`, is the version of Incrowd. "
    "If the command ends with an error, the document has `error`, with a `code`, a `message` and a `hint` as in "
    "[the service](service.md), and `exit_code`; the line for people is on standard error, as always."
)

COMMON = {
    "source": "A path, a database URL, a frame, or what `incrowd.read` returns: see [sources](sources.md).",
    "missing": "Texts that stand for missing values, such as `?`.",
    "table": "The table of a database, or the sheet of a workbook.",
    "query": "A database query instead of a table.",
    "output": "Where the release goes, a file or a database URL; `output_table`, `replace` and `spreadsheet_safe` are "
    "`table`, `replace` and `spreadsheet_safe` of [job files](jobs.md#output). Without it, nothing is written.",
    "column": "The column whose hierarchy is built.",
    "manifest": "The manifest of a release.",
    "by": "The columns whose values make the cells of a [table](tables.md).",
    "protect": "The [protection](tables.md#protections) of the table.",
    "seed": "The random seed; the same seed gives the same result.",
    "time": "Time limit (seconds). When it is over, the call returns the partial result, or raises `Interrupted`.",
    "progress": "A function that is called now and then with the progress: `share`, from 0 to 1, or None if it is not "
    "known, and `words`.",
}
"""What parameters mean that several functions share, or that a page of their own explains."""

RAISES = (
    "Every function raises a `SourceError` if a source cannot be read and a `UsageError` if an argument is wrong: a "
    "`JobError` lists all faults of a job, a `HierarchyError` names that of a hierarchy. `anonymize`, `apply` and "
    "`table` raise `Infeasible` if nothing within the limits can be published. `anonymize` and `apply` raise "
    "`NotVerified` if the release that was made fails verification; it is discarded. See [errors](#errors)."
)


GLOSSARY = PACKAGE.with_name("web") / "glossary.md"
"""The glossary as the help of the web app has it."""


def pages() -> dict[Path, str]:
    """The pages as they should be, and the package."""
    written = {
        PACKAGE: typed_verbs(PACKAGE.read_text(encoding="utf-8")),
        DOCS / "commands.md": _page(commands_page()),
        DOCS / "python.md": _page(python_page()),
        DOCS / "members.md": _page(members_page()),
        GLOSSARY: (DOCS / "glossary.md").read_text(encoding="utf-8"),
    }
    others = [path for path in sorted(DOCS.rglob("*.md")) if path not in written]
    return written | {path: members.filled(path.read_text(encoding="utf-8")) for path in others}


def typed_verbs(text: str) -> str:
    """The package with an import of every module of its own that has verbs."""
    modules = sorted(of.__name__ for of in families.members("api", "__all__").values())
    lines = "".join(f"    from {name} import *\n" for name in modules if name.startswith("incrowd."))
    return re.sub(r"(    from incrowd\.api\.\w+ import \*\n)+", lines, text)


def _page(parts: Iterator[str]) -> str:
    return "\n\n".join([WARNING, *parts]) + "\n"


# The command line.


def commands_page() -> Iterator[str]:
    """Every command with every option."""
    group: Any = typer.main.get_command(app)
    yield "# Commands"
    yield (
        "Every option of every command. `incrowd --help` and `incrowd COMMAND --help` show the same on the terminal. "
        "What the questions and their answers mean is told in [the twelve questions](questions.md), "
        "[inspect](inspect.md), [risk](risk.md), [frontier](frontier.md), [anonymize](anonymize.md), "
        "[hierarchies](hierarchies.md), [releases](releases.md), [attack](attack.md), [measure](measure.md) and "
        "[tables](tables.md); what can stand for FILE in [sources](sources.md)."
    )
    yield "## incrowd"
    yield _sentences(group.help)
    yield _options(group)
    for name, command in group.commands.items():
        yield f"## incrowd {name}"
        yield _sentences(command.help)
        yield _usage(name, command)
        yield _options(command)
    yield "## Standard input and output"
    yield STANDARD
    yield "## Shell completion"
    yield COMPLETION
    yield "## JSON"
    yield JSON
    yield "## Exit codes"
    yield definitions.table(("code", "meaning"), [(str(number), told) for number, told in EXIT_CODES.items()])


def _sentences(text: str | None) -> str:
    """Help as paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in dedent(text or "").split("\n\n"))


def _usage(name: str, command: Any) -> str:
    required = [_words(param).removeprefix("-o, ") for param in command.params if param.required]
    return definitions.fenced(" ".join(["incrowd", name, *required, "[OPTIONS]"]), "text")


def _options(command: Any) -> str:
    rows = [(definitions.code(_words(param)), _told(param)) for param in command.params]
    return definitions.table(("option", "what it does"), rows)


def _words(param: Any) -> str:
    """An option as it is typed, or what an argument stands for."""
    if param.param_type_name == "argument":
        return param.metavar.rstrip(".") + ("..." if param.nargs == -1 else "")
    return ", ".join(sorted(param.opts, key=len)) + (f" {param.metavar}" if param.metavar else "")


def _told(param: Any) -> str:
    given = "Must be given." if param.required else f"Default: {param.default}." if param.default else ""
    return f"{param.help} {given}".strip()


# Python.


def python_page() -> Iterator[str]:
    """Every public name, and what the public functions give back."""
    public = {name: getattr(incrowd, name) for name in incrowd.__all__}
    functions = {name: value for name, value in public.items() if inspect.isfunction(value)}
    classes = [value for value in public.values() if inspect.isclass(value)]
    constants = [name for name in public if name not in functions and public[name] not in classes]
    yield "# Python"
    yield (
        "Every public name of the package. Import it once, with `import incrowd`. `incrowd.__version__` is its version."
    )
    yield "## Functions"
    yield "These parameters mean the same in every function:"
    yield definitions.table(("parameter", "meaning"), [(f"`{name}`", meaning) for name, meaning in COMMON.items()])
    yield RAISES
    for name, function in functions.items():
        yield from definitions.function(f"incrowd.{name}", function, "###")
        yield _returned(function, classes)
    yield "## Values and classes"
    for name in constants:
        yield f"### incrowd.{name}"
        yield inspect.getdoc(type(public[name])) or ""
    for each in classes:
        if issubclass(each, Exception):
            # How they are made is nothing to users.
            yield f"### incrowd.{each.__name__}"
            yield f"{inspect.getdoc(each)} See [errors](#errors)."
        else:
            yield from definitions.class_(f"incrowd.{each.__name__}", each)
    yield "## What the functions give back"
    yield (
        "The functions above make these, so nobody has to import them. `print` shows each result as text, a "
        "[notebook](notebook.md) as a page, and `to_dict` gives it as plain data. `to_rows`, `to_pandas` and "
        "`to_polars` return its table, that of a release its records; `plot` returns a picture where one makes sense."
    )
    for each in _given_back(list(functions.values()), classes):
        yield from definitions.fields(each)
    yield "## Errors"
    yield (
        "What Incrowd raises on purpose is an `incrowd.IncrowdError`: one of these. "
        "The message is one line: what is wrong, what exists, what to do; of a job all that is wrong, a line each. "
        "It never holds a record's value. On the command line the error ends in its exit code."
    )
    yield definitions.table(("error", "exit code", "meaning"), list(_errors(incrowd.IncrowdError)))


def _errors(error: Any) -> Iterator[tuple[str, ...]]:
    """An error and all that are such."""
    for module in walk_packages(incrowd.__path__, "incrowd."):
        if "._" not in module.name:
            import_module(module.name)
    yield f"`{error.__module__}.{error.__name__}`", str(error.exit_code), inspect.getdoc(error) or ""
    for each in sorted(error.__subclasses__(), key=lambda kind: kind.__name__):
        yield from _errors(each)


def _returned(function: Any, public: list[Any]) -> str:
    """Return what a function returns, each class linked to its section."""
    links = []
    returns = definitions.parsed(function).returns
    for name in _names(returns):
        described = _class_called(name, sys.modules[function.__module__])
        if described is not None:
            anchor = f"incrowd{name.lower()}" if described in public else name.lower()
            links.append(f"[`{name}`](#{anchor}): {(inspect.getdoc(described) or '').splitlines()[0]}")
    return ("Returns a list of " if ast.unparse(returns).startswith("list") else "Returns ") + " Or ".join(links)


def _given_back(functions: list[Any], known: list[Any]) -> list[Any]:
    """The classes that functions return and that are not public names, each followed by the classes of its fields."""
    found: list[Any] = []
    for function in functions:
        for name in _names(definitions.parsed(function).returns):
            _add(_class_called(name, sys.modules[function.__module__]), [*known], found)
    return found


def _add(described: Any, known: list[Any], found: list[Any]) -> None:
    if described is None or described in [*known, *found]:
        return
    found.append(described)
    written = definitions.parsed(described)
    annotations = [node.annotation for node in written.body if isinstance(node, ast.AnnAssign)]
    # A list of results has its items in its bases.
    for annotation in [*annotations, *(base for base in written.bases if isinstance(base, ast.Subscript))]:
        for name in _names(annotation):
            inner = _class_called(name, sys.modules[described.__module__])
            if _holds_fields(inner) and not inner.__module__.startswith("incrowd.core"):
                _add(inner, known, found)


def _holds_fields(described: Any) -> bool:
    return described is not None and (is_dataclass(described) or issubclass(described, tuple))


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


# Members of families.


def members_page() -> Iterator[str]:
    """Every member of every family."""
    yield "# Models, metrics, searches, hierarchies"
    yield (
        "Every member of the families that a job can choose from, with its options, as the code has them. A member is "
        "named as its file; another package adds one through an entry point in the group `incrowd.models`, "
        "`incrowd.metrics`, `incrowd.release_metrics`, `incrowd.searches`, `incrowd.scores`, `incrowd.hierarchies`, "
        "`incrowd.attacks`, `incrowd.formats`, `incrowd.tables.rules` or `incrowd.tables.protections`. "
        "In a job a member is `{name: {option: value}}`, or the name alone. "
        "On the command line it is `name:option=value,option=value`, with `/` between the items of a list. "
        "A comma, a slash or a plus sign within the name of a column or a value of a model has a backslash before it; "
        "other text with a comma, or that looks like a number, stands in double quotes, as JSON; "
        "so do nested lists and mappings."
    )
    yield from members.page()


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
