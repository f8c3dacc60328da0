"""A report as Markdown; drawings become tables of their numbers."""

import re
from collections.abc import Iterator

from incrowd.reports.blocks import Block, Document, Grid, Listing, Picture, Points, Words, shown
from incrowd.text import printable

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
"""Characters with a meaning in Markdown or in the HTML in it."""


def to_markdown(document: Document) -> str:
    """Return the whole text."""
    parts = [f"# {_text(document.title)}", _text(document.subtitle), f"> {_text(document.notice)}"]
    for section in document.sections:
        parts.append(f"## {_text(section.title)}")
        parts += [part for block in section.blocks for part in _block(block)]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        yield f"> {_text(block.text)}" if block.warns else _text(block.text)
    elif isinstance(block, Points):
        yield "\n".join(f"- {_text(text)}" for text in block.texts)
    elif isinstance(block, Grid):
        yield f"**{_text(block.caption)}**"
        yield _table(block)
    elif isinstance(block, Picture):
        yield from _block(block.grid)
    elif isinstance(block, Listing):
        # Indented, so that no line of it can end the block.
        yield f"{_text(block.caption)}:"
        yield "\n".join(f"    {printable(line)}" for line in block.text.splitlines())


def _table(grid: Grid) -> str:
    right = [
        bool(grid.rows) and all(not isinstance(row[at], str) for row in grid.rows) for at in range(len(grid.headers))
    ]
    lines = [_row(map(_text, grid.headers)), _row("---:" if on_right else "---" for on_right in right)]
    lines += [_row(_text(shown(cell)) for cell in row) for row in grid.rows]
    return "\n".join(lines)


def _row(cells: Iterator[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))
