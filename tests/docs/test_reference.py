"""The reference pages follow the code, and nothing that a user can name is left out of the documentation."""

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType
from typing import Any

import pytest
import typer.main

import incrowd
from incrowd.cli.app import app
from incrowd.families import members
from incrowd.jobs import Column, Data, Job, Output, Population

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    """The text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands below a heading, up to the next one of its level."""
    level = heading.partition(" ")[0]
    below = text.partition(f"\n{heading}\n")[2]
    return re.split(rf"\n{level} ", below)[0]


def options() -> Iterator[tuple[str, str]]:
    """Every option of every command, with the heading of its command."""
    group: Any = typer.main.get_command(app)
    for heading, command in [("incrowd", group), *((f"incrowd {name}", one) for name, one in group.commands.items())]:
        for param in command.params:
            if param.param_type_name == "option":
                yield from ((heading, option) for option in param.opts)


def test_reference_pages_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    pages: dict[Path, str] = import_module("reference").pages()
    stale = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"{stale}: run python scripts/reference.py"


def test_tables_within_pages_follow_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    filled = import_module("members").filled
    told = filled("before\n<!-- generated: claims -->\nold\n<!-- end -->\nafter\n")
    assert told.startswith("before\n<!-- generated: claims -->\n\n| model |")
    assert told.endswith("\n\n<!-- end -->\nafter\n")
    assert "old" not in told
    assert "| [`k_anonymity`](models/k_anonymity.md) | yes | yes | yes | no | no |" in told
    assert "| [`alpha_k`](models/alpha_k.md) | yes | with `alpha=1` | yes | no | no |" in told
    assert filled(told) == told


def test_there_are_options() -> None:
    assert {("incrowd", "--version"), ("incrowd diagnose", "-k"), ("incrowd risk", "--threshold")} <= set(options())


@pytest.mark.parametrize(("heading", "option"), sorted(set(options())))
def test_every_option_is_told_of(heading: str, option: str) -> None:
    told = section(page("commands.md"), f"## {heading}")
    assert re.search(rf"<code>[^<]*(?<![\w-]){option}(?![\w-])", told)


@pytest.mark.parametrize("name", incrowd.__all__)
def test_every_public_name_is_told_of(name: str) -> None:
    assert f"\n### incrowd.{name}\n" in page("python.md")


@pytest.mark.parametrize("name", [name for name in incrowd.__all__ if isinstance(getattr(incrowd, name), FunctionType)])
def test_parameters_and_results_of_functions_are_explained(name: str) -> None:
    shared = page("python.md").partition("## Functions")[2].partition("### ")[0]
    told = section(page("python.md"), f"### incrowd.{name}").rpartition("```")[2]
    unexplained = [each for each in signature(getattr(incrowd, name)).parameters if f"`{each}`" not in shared + told]
    assert unexplained in ([], ["sources"])
    links = re.findall(r"\]\(#([\w-]+)\)", told.partition("\nReturns ")[2])
    headings = {re.sub(r"[^\w]", "", heading).lower() for heading in re.findall(r"\n### (.+)", page("python.md"))}
    assert links
    assert set(links) <= headings


@pytest.mark.parametrize("described", [incrowd.Diagnosis, incrowd.Answer, Job], ids=["Diagnosis", "Answer", "Job"])
def test_every_public_member_is_told_of(described: type) -> None:
    told = section(page("python.md"), f"### incrowd.{described.__name__}")
    public = [name for name, value in vars(described).items() if not name.startswith("_") and _is_code(value)]
    assert public
    assert [name for name in public if f"{described.__name__}.{name}\n" not in told and f"`{name}:" not in told] == []


def _is_code(value: object) -> bool:
    """Methods and properties of ours, as against the defaults of fields and what pydantic adds."""
    ours = getattr(value, "__module__", "incrowd").startswith("incrowd")
    return isinstance(value, FunctionType | property | cached_property) and ours


@pytest.mark.parametrize("declared", ["SUFFIXES", "SCHEMES"])
def test_every_format_is_told_of(declared: str) -> None:
    endings = {"SUFFIXES": "`", "SCHEMES": "://"}
    known = [name for format in members("formats", "open").values() for name in getattr(format, declared, ())]
    assert known
    assert [name for name in known if f"`{name}{endings[declared]}" not in page("sources.md")] == []


@pytest.mark.parametrize(("declared", "closing"), [("WRITTEN_SUFFIXES", "`"), ("store", "://`")])
def test_every_format_that_is_written_is_told_of(declared: str, closing: str) -> None:
    known = members("formats", declared).values()
    # Of the databases that can be read, these can be written.
    names = ("sqlite", "duckdb", "postgres", "postgresql") if declared == "store" else None
    names = names or tuple(suffix for format in known for suffix in format.WRITTEN_SUFFIXES)
    assert known
    assert [name for name in names if f"`{name}{closing}" not in page("releases.md")] == []


PAGES = {"models": "models", "metrics": "metrics", "searches": "searches", "yardsticks": "metrics"}
"""The folder of a family that has a page for each member."""
SECTIONS = {
    "scores": ("searches/scored.md", "### "),
    "hierarchies": ("hierarchies.md", "## "),
    "rules": ("tables.md", "### "),
    "protections": ("tables.md", "### "),
    "attacks": ("attack.md", "### "),
}
"""The page that explains the members of any other family, and how the heading of a section begins."""
FAMILIES = {
    "models": ("models", "MODEL"),
    "metrics": ("metrics", "METRIC"),
    "searches": ("searches", "SEARCH"),
    "scores": ("scores", "SCORE"),
    "hierarchies": ("hierarchies", "build"),
    "yardsticks": ("release_metrics", "RELEASE_METRIC"),
    "rules": ("tables.rules", "RULE"),
    "protections": ("tables.protections", "PROTECTION"),
    "attacks": ("attacks", "ATTACK"),
}
"""A family's folder in the package, and what a member declares."""
PARTS = ("Example", "Parameters", "Source", "Limits")
"""What every page of a member has, besides what it means in one bold sentence."""


def all_members() -> Iterator[tuple[str, str]]:
    """Every member of every family that the documentation explains."""
    for family, (folder, declares) in FAMILIES.items():
        yield from ((family, name) for name in sorted(members(folder, declares)))


def options_of(member: Any) -> list[str]:
    """The names of a member's options, as a user writes them."""
    if isinstance(member, type):
        return [field.name for field in fields(member)]
    return [name.rstrip("_") for name in signature(member).parameters if name not in ("values", "name")]


def test_every_judge_of_roles_is_listed() -> None:
    told = section(page("inspect.md"), "## Roles")
    assert [name for name in members("proposing", "judge") if f"| `{name}` |" not in told] == []


def test_there_are_members() -> None:
    assert {("models", "k_map"), ("scores", "eta"), ("hierarchies", "mask")} <= set(all_members())


def explained(family: str, name: str) -> str:
    """What the documentation says about a member: its page, or its section of one."""
    if family in PAGES:
        return page(f"{PAGES[family]}/{name}.md")
    where, level = SECTIONS[family]
    return section(page(where), f"{level}{name}")


@pytest.mark.parametrize(("family", "name"), list(all_members()))
def test_every_member_is_explained_with_its_options(family: str, name: str) -> None:
    told = explained(family, name)
    assert len(told.split()) > 5
    folder, declares = FAMILIES[family]
    options = options_of(getattr(members(folder, declares)[name], declares))
    assert [option for option in options if not re.search(rf"`[^`\n]*\b{option}\b[^`\n]*`", told)] == []
    assert f"\n### {name}\n" in page("members.md")


@pytest.mark.parametrize(("family", "name"), [each for each in all_members() if each[0] in PAGES])
def test_the_page_of_a_member_has_all_parts(family: str, name: str) -> None:
    told = explained(family, name)
    assert told.startswith(f"# {name}\n\n**")
    assert [part for part in PARTS if not section(told, f"## {part}").strip()] == []
    example = section(told, "## Example")
    assert "examples/ten.csv" in example
    assert "\n```output\n" in example or "\n```console" in example


@pytest.mark.parametrize("folder", sorted(set(PAGES.values())))
def test_every_page_of_a_folder_is_that_of_a_member(folder: str) -> None:
    known = {name for family, name in all_members() if PAGES.get(family) == folder}
    assert {path.stem for path in (DOCS / folder).glob("*.md")} == known


@pytest.mark.parametrize("part", [Job, Data, Population, Output, Column], ids=lambda part: part.__name__)
def test_every_key_of_a_job_is_told_of(part: Any) -> None:
    heading = {"Job": "## Every key", "Column": "### columns"}.get(part.__name__, f"### {part.__name__.lower()}")
    told = section(page("jobs.md"), heading)
    assert [key for key in part.model_fields if f"<code>{key}</code>" not in told] == []


def errors() -> list[type[incrowd.IncrowdError]]:
    """Every error that is raised on purpose, in an order that does not depend on what was imported first."""
    for module in walk_packages(incrowd.__path__, "incrowd."):
        if "._" not in module.name:
            import_module(module.name)
    return sorted([incrowd.IncrowdError, *kinds_of(incrowd.IncrowdError)], key=lambda error: error.__name__)


def kinds_of(error: type[incrowd.IncrowdError]) -> Iterator[type[incrowd.IncrowdError]]:
    """The errors derived from one."""
    for each in error.__subclasses__():
        yield each
        yield from kinds_of(each)


@pytest.mark.parametrize("error", errors(), ids=lambda error: error.__name__)
def test_every_error_is_told_of(error: type[incrowd.IncrowdError]) -> None:
    assert f"| `{error.__module__}.{error.__name__}` | {error.exit_code} |" in page("python.md")
    assert f"\n| {error.exit_code} |" in section(page("commands.md"), "## Exit codes")


@pytest.mark.parametrize("question", [f"Q{number}" for number in range(1, 13)])
def test_every_question_is_explained(question: str) -> None:
    assert f"\n| {question} |" in page("questions.md")
    assert f"\n### {question}: " in page("questions.md")


@pytest.mark.parametrize("name", sorted(members("models", "MODEL")))
def test_the_page_of_a_model_defines_it_by_people(name: str) -> None:
    assert len(section(explained("models", name), "## Counting people").split()) > 15
