"""Write the real output of every code block into the pages that show it: scripts/outputs.py [PAGE ...].

Runs README.md, the documentation and the notebooks, or the pages that are named, as tests/docs does. Output that a page
shows and that is no longer real is replaced. A line "..." stays, between lines that resemble those around it.
Read the difference before you commit it: what a page says around a block is not changed.
"""

import json
import os
import shutil
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from docs.test_blocks import PAGES, run_command, run_python, trimmed  # noqa: E402
from docs.test_notebook import NOTEBOOKS, comparable, outputs_of  # noqa: E402
from markdown_blocks import Block, blocks_of, commands_of, matches  # noqa: E402

DOTS = "..."


def refreshed(shown: list[str], real: list[str]) -> list[str]:
    """The real lines, with dots where the page had them; what stands between dots is looked for by its likeness."""
    if matches(shown, real) or DOTS not in shown:
        return shown if matches(shown, real) else real
    parts: list[list[str]] = [[]]
    for line in shown:
        parts = [*parts, []] if line == DOTS else [*parts[:-1], [*parts[-1], line]]
    found, at = real[: len(parts[0])], len(parts[0])
    for place, part in enumerate(parts[1:], 1):
        is_end = place == len(parts) - 1
        start = max(at, len(real) - len(part)) if is_end else _most_alike(part, real, at)
        found = [*found, DOTS, *real[start : start + len(part)]]
        at = start + len(part)
    return found


def _most_alike(part: list[str], real: list[str], at: int) -> int:
    """Where the lines are that resemble a part most, from a place on."""
    text = "\n".join(part)
    starts = range(at, max(at, len(real) - len(part)) + 1)
    windows = ((start, "\n".join(real[start : start + len(part)])) for start in starts)
    return max(windows, key=lambda window: SequenceMatcher(None, text, window[1], autojunk=False).ratio())[0]


def of_console(block: Block) -> list[str]:
    """The lines of a console block, with the output that its commands have now."""
    found: list[str] = []
    lines = block.text.splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for command, start in zip(commands_of(block), starts, strict=True):
        end = start + 1
        while lines[end - 1].endswith("\\"):
            end += 1
        found += lines[start:end]
        shown = trimmed(command.output)
        real = run_command(command.line)[1]
        found += refreshed(shown, real) if shown else []
        # A blank line before the next command stays.
        found += [""] * (bool(command.output) and command.output[-1] == "" and start != starts[-1])
    return found


def refresh(page: Path) -> bool:
    """Run one page and rewrite it; whether anything changed."""
    lines = page.read_text(encoding="utf-8").splitlines()
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed: list[str] = []
    changes: list[tuple[int, int, list[str]]] = []
    for block in blocks_of(page):
        size = len(block.text.splitlines())
        shown = block.text.splitlines()
        real = shown
        if block.language == "output":
            real = refreshed(trimmed(shown), printed)
        elif block.language == "python" and block.runs:
            printed = run_python(block, namespace)
        elif block.language in ("console", "console-wrapped") and block.runs:
            real = of_console(block)
        if real != shown:
            changes.append((block.line - 1, block.line - 1 + size, real))
    for start, end, real in reversed(changes):
        indent = lines[start - 1][: len(lines[start - 1]) - len(lines[start - 1].lstrip())]
        lines[start:end] = [f"{indent}{line}".rstrip() for line in real]
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return bool(changes)


def refresh_notebook(path: Path) -> bool:
    """Run one notebook in the folder of the examples and rewrite its outputs; whether anything changed."""
    before = path.read_text(encoding="utf-8")
    notebook = json.loads(before)
    os.chdir("examples")
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, outputs in zip(cells, outputs_of(path), strict=True):
        # A picture that says the same stays: each version of matplotlib draws a little differently.
        if comparable(outputs) != comparable(cell["outputs"]):
            cell["outputs"] = outputs
    after = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    path.write_text(after, encoding="utf-8")
    return after != before


def main(names: list[str]) -> None:
    """Every page in a folder of its own, beside the examples."""
    pages = [Path(name).resolve() for name in names] or [*PAGES, *NOTEBOOKS]
    home = Path.cwd()
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples", Path(folder) / "examples")
            os.chdir(folder)
            try:
                changed = (refresh_notebook if page.suffix == ".ipynb" else refresh)(page)
                told = "rewritten" if changed else "as it was"
            except Exception as error:
                told = f"FAILS: {type(error).__name__}: {error}"
            finally:
                os.chdir(home)
        print(f"{page.relative_to(ROOT)}: {told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
