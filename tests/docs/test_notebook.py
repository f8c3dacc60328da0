"""The notebooks of the examples run, and show the real output."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from docs.test_blocks import ROOT, refuse_durations, run_python, trimmed
from markdown_blocks import Block

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells with code."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def outputs_of(path: Path) -> list[list[str]]:
    """What each cell prints, run from top to bottom in the folder of the notebook."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    return [run_python(Block(path, 1, "python", "".join(cell["source"]), True), namespace) for cell in cells_of(path)]


def shown(cell: dict[str, Any]) -> list[str]:
    """The output that a cell shows: what it printed, and nothing else."""
    assert all(output["output_type"] == "stream" and output["name"] == "stdout" for output in cell["outputs"])
    return trimmed("".join(line for output in cell["outputs"] for line in output["text"]).splitlines())


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_runs_and_shows_the_real_output(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    monkeypatch.chdir(folder)
    # Twice: somebody who runs it again must not trip over what the first run wrote.
    expected = [shown(cell) for cell in cells_of(path)]
    refuse_durations(path.name, [line for lines in expected for line in lines])
    assert outputs_of(path) == expected
    assert outputs_of(path) == expected


def test_cells_are_numbered_in_order_and_hold_nothing_of_the_machine() -> None:
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert [cell["execution_count"] for cell in cells_of(path)] == [*range(1, len(cells_of(path)) + 1)]
        assert json.loads(text)["metadata"] == {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
        assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
