"""How the source is written: docstrings name a thing or say what is done, and spelling is American."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "incrowd"
FILES = [path for path in sorted(SOURCE.rglob("*.py")) if "vocabulary" not in path.parts]
"""Names of columns are spelled in all ways."""

BRITISH = re.compile(
    r"behaviou|colour|neighbour|anonymis|generalis|recognis|summaris|optimis|minimis|normalis|catalogue|labell|centred",
    re.I,
)
KEPT = ("neighbours", "Neighbour = Neighbor", "labelled: int", "self.labelled", "labelled=next")
"""Earlier names, which still work, and a key of JSON."""


def british(text: str) -> list[str]:
    return [line for line in text.splitlines() if BRITISH.search(line) and not any(kept in line for kept in KEPT)]


def test_no_docstring_asks_what() -> None:
    assert [path.name for path in FILES if '"""What ' in path.read_text(encoding="utf-8")] == []


def test_spelling_is_american() -> None:
    found = {path.name: british(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("text", ["# the behaviour of all", "labelled = 1", "_colour: int"])
def test_another_spelling_is_noticed(text: str) -> None:
    assert british(text) == [text]
