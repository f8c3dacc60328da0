"""The shape that docs/design.md promises: one direction of imports, light modules, short files, sorted public names."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import incrowd

SOURCE = Path(__file__).parents[1] / "src" / "incrowd"
FILES = sorted(SOURCE.rglob("*.py"))

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"amounts", "errors", "watch", "families", "spelling", "text", "parameters", "notebook", "results"}),
    frozenset({"core", "files", "commands", "risk_map", "charts"}),
    frozenset(
        {
            "hierarchies",
            "models",
            "metrics",
            "release_metrics",
            "recodings",
            "scores",
            "proposing",
            "noticing",
            "profiles",
        }
    ),
    frozenset(
        {
            "engines",
            "formats",
            "diagnosis",
            "risks",
            "searches",
            "verification",
            "jobs",
            "release",
            "comparison",
            "tables",
            "attacks",
        }
    ),
    frozenset({"anonymization"}),
    frozenset({"frontiers", "linked"}),
    frozenset({"reports"}),
    frozenset({"api", "incrowd", "anonymizer"}),
    frozenset({"service"}),
    frozenset({"rest", "web", "client"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
"""From the ground up; a part is a folder or a file directly in the package, `incrowd` is the package itself."""

FORBIDDEN = {"core": {"families"}}
"""Imports that would point downwards and are still not wanted."""

VERIFICATION = {"errors", "families", "models", "release", "results", "text"}
"""All that verification may import: the definitions, the readers that formats of others bring, what a release claims,
and the words. It shares no code with what makes releases; tests/verification/test_alone.py looks at what runs."""

ARRAYS = frozenset({"numpy", "pyarrow"})
AT_THE_TOP: dict[str, frozenset[str]] = {
    "core": ARRAYS,
    "models": ARRAYS,
    "metrics": ARRAYS,
    "release_metrics": ARRAYS,
    "engines": ARRAYS | {"narwhals"},
    "formats": ARRAYS,
    "hierarchies": ARRAYS,
    "noticing": ARRAYS,
    "proposing": ARRAYS,
    "diagnosis": ARRAYS,
    "risks": ARRAYS,
    "recodings": ARRAYS,
    "release": ARRAYS,
    "searches": ARRAYS,
    "anonymization": ARRAYS,
    "frontiers": ARRAYS,
    "linked": ARRAYS,
    "reports": ARRAYS,
    "verification": ARRAYS,
    "comparison": ARRAYS,
    "tables": ARRAYS,
    "attacks": ARRAYS,
    "jobs": frozenset({"pydantic", "yaml"}),
    "api": ARRAYS,
    "service": frozenset({"pydantic"}),
    "rest": frozenset({"fastapi", "pydantic", "starlette"}),
    "web": frozenset({"fastapi", "nicegui", "socketio", "starlette"}),
    "client": frozenset({"httpx"}),
    "cli": frozenset({"typer", "rich"}),
}
"""Libraries that a part may import when it is itself imported; all others are imported where they are used."""

OPTIONAL = {
    *("calamine", "duckdb", "highspy", "ibis", "matplotlib", "openpyxl", "pandas", "polars", "pyspark"),
    *("python_calamine", "scipy", "sklearn", "sqlglot"),
}


@dataclass(frozen=True)
class Import:
    """One imported module."""

    module: str
    at_top: bool
    """Executed when the importing module is."""


def part_of(module: str) -> str:
    """`incrowd.core.table` is in `core`; the package itself is a part of its own."""
    names = module.split(".")
    return names[1] if len(names) > 1 else names[0]


def module_of(path: Path) -> str:
    """The dotted name of a source file."""
    names = ["incrowd", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imports_of(text: str) -> Iterator[Import]:
    """All imports of a module, those inside functions included; imports for type checkers alone left out."""
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(text), True)]
    while pending:
        node, at_top = pending.pop()
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used here"
            yield from (Import(name, at_top) for name in imported_from(node))
        inside = at_top and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        pending += [(child, inside) for child in executed(node)]


def executed(node: ast.AST) -> list[ast.AST]:
    """A node's children, but not the body of `if TYPE_CHECKING:`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return list(node.orelse)
    return list(ast.iter_child_nodes(node))


def imported_from(node: ast.ImportFrom) -> list[str]:
    """`from incrowd import api` imports incrowd.api where there is such a part, else a name of the package."""
    module = node.module or ""
    if module != "incrowd":
        return [module]
    known = frozenset().union(*LAYERS)
    return [f"incrowd.{alias.name}" if alias.name in known else "incrowd" for alias in node.names]


@cache
def imports_in(path: Path) -> tuple[Import, ...]:
    """All imports of a source file, which is parsed once for all tests."""
    return tuple(imports_of(path.read_text("utf-8")))


def imports_by_part() -> dict[str, set[str]]:
    """For each part of the package the other parts that it imports."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        part = part_of(module_of(path))
        own = {part_of(i.module) for i in imports_in(path) if i.module.split(".")[0] == "incrowd"}
        found.setdefault(part, set()).update(own - {part})
    return found


def layer_of(part: str) -> int:
    """How far above the ground a part is."""
    found = [at for at, parts in enumerate(LAYERS) if part in parts]
    assert found, f"{part} has no place in LAYERS"
    return found[0]


def test_imports_point_downwards() -> None:
    upwards = {
        f"{part} imports {other}"
        for part, others in imports_by_part().items()
        for other in others
        if layer_of(other) > layer_of(part)
    }
    assert upwards == set()


def test_the_design_lists_every_part_once() -> None:
    text = (SOURCE.parents[1] / "docs" / "design.md").read_text("utf-8")
    table = text.split("## The parts\n", 1)[1].split("\n## ", 1)[0]
    listed = [
        cell for line in table.splitlines() if line.startswith("| `") for cell in [line.split("|")[1].strip(" `")]
    ]
    present = {f"{path.name}/" for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    present |= {path.name for path in SOURCE.glob("*.py")} - {"__init__.py"}
    assert sorted(listed) == sorted(present)
    assert {name.removesuffix("/").removesuffix(".py") for name in listed} == frozenset().union(*LAYERS) - {"incrowd"}


def test_parts_do_not_import_each_other_in_a_circle() -> None:
    # Raises CycleError with the circle.
    TopologicalSorter(imports_by_part()).prepare()


def test_forbidden_imports() -> None:
    imports = imports_by_part()
    assert {part: found for part, others in FORBIDDEN.items() if (found := imports.get(part, set()) & others)} == {}


def test_verification_stands_alone() -> None:
    assert imports_by_part()["verification"] == VERIFICATION


def private_imports(path: Path) -> set[str]:
    """Modules and names that begin with an underscore and that a file imports from another part."""
    own, found = part_of(module_of(path)), set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            private = any(each.startswith("_") and not each.startswith("__") for each in parts)
            if parts[0] == "incrowd" and private and part_of(name) != own:
                found.add(name)
    return found


def test_private_is_private() -> None:
    assert {module_of(path): found for path in FILES if (found := private_imports(path))} == {}


def test_a_private_import_is_noticed(tmp_path: Path) -> None:
    path = SOURCE / "anonymization" / "run.py"
    assert private_imports(path) == set()
    text = "from incrowd.searches._cells import options\nfrom incrowd.text import _width\nimport incrowd.core._x\n"
    copy = tmp_path / "run.py"
    copy.write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(globals(), "module_of", lambda _: "incrowd.anonymization.run")
        assert private_imports(copy) == {"incrowd.searches._cells.options", "incrowd.text._width", "incrowd.core._x"}


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_libraries_are_imported_where_they_are_used(path: Path) -> None:
    allowed = {"incrowd", *sys.stdlib_module_names, *AT_THE_TOP.get(part_of(module_of(path)), frozenset())}
    at_top = {found.module.split(".")[0] for found in imports_in(path) if found.at_top}
    assert at_top - allowed == set()


def test_importing_every_module_loads_no_optional_library() -> None:
    names = [module_of(path) for path in FILES if path.name != "__main__.py"]
    program = f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert OPTIONAL & set(done.stdout.split()) == set()


@pytest.mark.parametrize("path", [*FILES, *sorted(SOURCE.rglob("*.pyx"))], ids=lambda path: path.name)
def test_no_file_holds_two_ideas(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_starting_the_command_line_loads_no_array_library() -> None:
    program = "import sys, incrowd.cli\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {*ARRAYS, *OPTIONAL, "narwhals", "pydantic", "yaml"} & set(done.stdout.split()) == set()


def test_public_names_are_sorted_and_exist() -> None:
    def constants_classes_functions(name: str) -> tuple[bool, bool, str]:
        return not name.isupper(), name[0].islower(), name

    assert list(incrowd.__all__) == sorted(set(incrowd.__all__), key=constants_classes_functions)
    assert [name for name in incrowd.__all__ if not hasattr(incrowd, name)] == []


# The rest sees to it that the walk misses nothing.


def test_the_walk_finds_every_import() -> None:
    text = """
import numpy as np, os.path
from typing import TYPE_CHECKING
from incrowd import api, nothing
if TYPE_CHECKING:
    import pandas
else:
    import json
try:
    import rich.text
except ImportError:
    pass
class A:
    import re
    def method(self):
        import polars
def function():
    from incrowd.core.table import Table
    async def inner():
        import duckdb
"""
    found = set(imports_of(text))
    top = "numpy os.path typing incrowd.api incrowd json rich.text re"
    assert found == {Import(name, True) for name in top.split()} | {
        Import(name, False) for name in ("polars", "incrowd.core.table", "duckdb")
    }


def test_the_walk_sees_this_package() -> None:
    assert {"errors"} <= imports_by_part()["core"] <= {"errors", "watch"}
    assert "core" in imports_by_part()["engines"]


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert incrowd.__version__ == version("incrowd")


def test_errors_are_importable_from_the_top() -> None:
    from incrowd import errors

    for name in ("HierarchyError", "IncrowdError", "Infeasible", "Interrupted", "JobError", "NotVerified"):
        assert getattr(incrowd, name) is getattr(errors, name)
    assert (incrowd.SourceError, incrowd.UsageError) == (errors.SourceError, errors.UsageError)
