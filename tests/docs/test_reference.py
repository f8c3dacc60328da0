"""The reference pages follow the code, and nothing that a user can name is left out of the documentation."""

import re
import runpy
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
import typer.main

import incrowd
from incrowd.cli.app import app
from incrowd.registry import members

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


def test_reference_pages_are_up_to_date() -> None:
    pages: dict[Path, str] = runpy.run_path(str(ROOT / "scripts" / "reference.py"))["pages"]()
    stale = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"{stale}: run python scripts/reference.py"


def test_there_are_options() -> None:
    assert {("incrowd", "--version"), ("incrowd diagnose", "-k"), ("incrowd risk", "--threshold")} <= set(options())


@pytest.mark.parametrize(("heading", "option"), sorted(set(options())))
def test_every_option_is_told_of(heading: str, option: str) -> None:
    told = section(page("commands.md"), f"## {heading}")
    assert re.search(rf"<code>[^<]*(?<![\w-]){option}(?![\w-])", told)


@pytest.mark.parametrize("name", incrowd.__all__)
def test_every_public_name_is_told_of(name: str) -> None:
    assert f"\n### incrowd.{name}\n" in page("python.md")


@pytest.mark.parametrize("described", [incrowd.Diagnosis, incrowd.Answer], ids=["Diagnosis", "Answer"])
def test_every_public_member_is_told_of(described: type) -> None:
    told = section(page("python.md"), f"### incrowd.{described.__name__}")
    public = [name for name, value in vars(described).items() if not name.startswith("_") and _is_code(value)]
    assert public
    assert [name for name in public if f"{described.__name__}.{name}\n" not in told and f"`{name}:" not in told] == []


def _is_code(value: object) -> bool:
    """Methods and properties, as against the defaults of fields."""
    return isinstance(value, FunctionType | property | cached_property)


@pytest.mark.parametrize("declared", ["SUFFIXES", "SCHEMES"])
def test_every_format_is_told_of(declared: str) -> None:
    endings = {"SUFFIXES": "`", "SCHEMES": "://"}
    known = [name for format in members("formats", "open").values() for name in getattr(format, declared, ())]
    assert known
    assert [name for name in known if f"`{name}{endings[declared]}" not in page("sources.md")] == []


@pytest.mark.parametrize("question", [f"Q{number}" for number in range(1, 13)])
def test_every_question_is_explained(question: str) -> None:
    assert f"\n| {question} |" in page("questions.md")
    assert f"\n### {question}: " in page("questions.md")
