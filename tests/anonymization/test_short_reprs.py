"""What a notebook prints: the repr of a result, and of all that hangs on it, is short and holds no cell."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization import run_of_everything as every
from incrowd.anonymization import run as running
from incrowd.families import members

LONGEST = 300
"""Characters of the longest repr."""
LONGEST_PAGE = 12_000
"""Characters of the longest page in a notebook."""
PUBLISHED = ("PublishedTable",)
"""Results that are published as they are, so a notebook shows them: their values were protected and audited."""


def held_by(value: Any) -> Iterator[Any]:
    """What hangs on an object directly."""
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value
    if is_dataclass(value):
        yield from (getattr(value, field.name, None) for field in fields(value))
    if type(value).__module__.startswith("incrowd"):
        yield from getattr(value, "__dict__", {}).values()
        yield from (getattr(value, name, None) for name in getattr(type(value), "__slots__", ()))


def reached(*results: Any) -> list[Any]:
    """All objects of the package that hang on results, the results included."""
    seen: dict[int, Any] = {}
    waiting = list(results)
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, type | ModuleType | FunctionType | MethodType | Enum):
            continue
        seen[id(value)] = value
        waiting += held_by(value)
    return [value for value in seen.values() if type(value).__module__.startswith("incrowd")]


def told(value: Any) -> Iterator[tuple[str, int]]:
    """What an object shows of itself unasked, each with the length that it may have."""
    yield repr(value), LONGEST
    if hasattr(value, "_repr_html_") and type(value).__name__ not in PUBLISHED:
        yield value._repr_html_(), LONGEST_PAGE
    for name in ("_repr_markdown_", "_repr_pretty_", "__rich_repr__"):
        if hasattr(value, name):
            yield str(list(getattr(value, name)())), LONGEST


def wrong(*results: Any) -> set[str]:
    """The classes of which an object shows a cell, or too much."""
    return {
        f"{type(value).__module__}.{type(value).__qualname__}"
        for value in reached(*results)
        for text, longest in told(value)
        if len(text) > longest or any(cell in text for cell in every.CELLS)
    }


@pytest.mark.parametrize("search", sorted(members("searches", "SEARCH")))
def test_a_run(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = []
    through = running.found_by

    def noted(*given: Any) -> Any:
        found.append((given, through(*given)))
        return found[-1][1]

    monkeypatch.setattr(running, "found_by", noted)
    made = incrowd.anonymize(every.people(), every.job(search))
    assert wrong(made, incrowd.Job.from_dict(every.job(search)), found) == set()


@pytest.mark.parametrize("result", every.RESULTS.values(), ids=every.RESULTS)
def test_every_other_result(result: Callable[[Path, pa.Table], Any], tmp_path: Path) -> None:
    assert wrong(result(tmp_path, every.people())) == set()


def test_every_function_is_tried() -> None:
    functions = {name for name in incrowd.__all__ if name[0].islower()}
    assert functions == set(every.RESULTS) - {"grid"} | {"anonymize"}
