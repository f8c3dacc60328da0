"""The notebooks of the examples run, and show the real output."""

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from docs.test_blocks import ROOT, refuse_durations, run_python
from markdown_blocks import Block

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells with code."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def outputs_of(path: Path) -> list[list[dict[str, Any]]]:
    """What each cell shows, run from top to bottom in the folder of the notebook."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    return [run_cell(path, "".join(cell["source"]), at, namespace) for at, cell in enumerate(cells_of(path), 1)]


def run_cell(path: Path, text: str, number: int, namespace: dict[str, object]) -> list[dict[str, Any]]:
    """What a cell prints, and the look of its last value, if it ends in one."""
    tree = ast.parse(text)
    last = tree.body[-1]
    if isinstance(last, ast.Expr) and not ast.unparse(last).startswith("print("):
        kept = ast.Assign([ast.Name("_", ast.Store())], last.value)
        text = ast.unparse(ast.fix_missing_locations(ast.Module([*tree.body[:-1], kept], [])))
    namespace["_"] = None
    printed = run_python(Block(path, 1, "python", text, True), namespace)
    shown = [{"name": "stdout", "output_type": "stream", "text": [f"{line}\n" for line in printed]}] if printed else []
    value: Any = namespace["_"]
    if value is None:
        return shown
    data = {"text/html": value._repr_html_().splitlines(keepends=True), "text/plain": [repr(value)]}
    return [*shown, {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}]


def comparable(outputs: list[dict[str, Any]]) -> str:
    """Outputs as text; of a picture only its words, since each version of matplotlib draws a little differently."""
    text = json.dumps(outputs, ensure_ascii=False)
    text = re.sub(r"<svg.*</svg>", lambda svg: " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg[0])), text)
    return re.sub(r"[\d,]+ characters of SVG", "SVG", text)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_runs_and_shows_the_real_output(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    monkeypatch.chdir(folder)
    # Twice: somebody who runs it again must not trip over what the first run wrote.
    expected = [comparable(cell["outputs"]) for cell in cells_of(path)]
    refuse_durations(path.name, expected)
    assert list(map(comparable, outputs_of(path))) == expected
    assert list(map(comparable, outputs_of(path))) == expected


def test_cells_are_numbered_in_order_and_hold_nothing_of_the_machine() -> None:
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert [cell["execution_count"] for cell in cells_of(path)] == [*range(1, len(cells_of(path)) + 1)]
        assert json.loads(text)["metadata"] == {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
        assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
