"""A report as one page of HTML that needs nothing else: style, script and drawings are in it; all text is escaped."""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.metadata import version

from incrowd import charts
from incrowd.reports.blocks import (
    Block,
    Cell,
    Document,
    Grid,
    Listing,
    Picture,
    Points,
    Section,
    Words,
    order_of,
    shown,
)
from incrowd.reports.look import SCRIPT, STYLE
from incrowd.text import printable

_ONLY = b64encode(sha256(SCRIPT.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_ONLY}'; base-uri 'none'"
"""Only this script may run, whatever else gets into the page, and nothing may be fetched."""

_PROSE, _WORD = 60, 16
"""The length from which a cell counts as a sentence, and a word as too long for a narrow column."""
_SPACE, _JOINT = re.compile(r"(\s+)"), re.compile(r"[:,_](?=\w)")


def to_html(document: Document) -> str:
    """Return the whole page."""
    links = "".join(f'<li><a href="#{_anchor(each)}">{_text(each.title)}</a></li>' for each in document.sections)
    kind = "notice private" if document.is_private else "notice"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="robots" content="noindex">',
            f"<title>{_text(document.title)}</title>",
            f"<style>{STYLE}</style>\n</head>\n<body>",
            f"<header>\n<h1>{_text(document.title)}</h1>\n<p class=subtitle>{_text(document.subtitle)}</p>",
            f'<p class="{kind}">{_text(document.notice)}</p>\n</header>',
            f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n<main>',
            *(_section(each) for each in document.sections),
            f"</main>\n<footer>Made with Incrowd {escape(version('incrowd'))}.",
            "<span class=screen>Print this page to save it as PDF.</span></footer>",
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n",
        ]
    )


def _section(section: Section) -> str:
    blocks = "\n".join(part for block in section.blocks for part in _block(block))
    return f'<section>\n<h2 id="{_anchor(section)}">{_text(section.title)}</h2>\n{blocks}\n</section>'


def _anchor(section: Section) -> str:
    return "".join(char if char.isalnum() and char.isascii() else "-" for char in section.title.lower())


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        yield f"<p{' class=warning' if block.warns else ''}>{_text(block.text)}</p>"
    elif isinstance(block, Points):
        yield "<ul>" + "".join(f"<li>{_text(text)}</li>" for text in block.texts) + "</ul>"
    elif isinstance(block, Grid):
        yield f"<figure>\n<figcaption>{_text(block.caption)}</figcaption>\n{_table(block)}\n</figure>"
    elif isinstance(block, Picture):
        yield _picture(block)
    elif isinstance(block, Listing):
        yield f"<details>\n<summary>{_text(block.caption)}</summary>\n<pre>{_lines(block)}</pre>\n</details>"


def _picture(picture: Picture) -> str:
    """Return a drawing above its numbers, or the numbers alone if nothing can be drawn."""
    caption = f"<figcaption>{_text(picture.grid.caption)}</figcaption>"
    if not charts.are_possible():
        return f"<figure>\n{caption}\n{_table(picture.grid)}\n</figure>"
    drawing = f'<div role="img" aria-label="{_text(picture.grid.caption)}">{picture.draw()}</div>'
    if not picture.folded:
        return f"<figure>\n{caption}\n{drawing}\n{_table(picture.grid)}\n</figure>"
    numbers = f"<details>\n<summary>Numbers</summary>\n{_table(picture.grid)}\n</details>"
    return f"<figure>\n{caption}\n{drawing}\n{numbers}\n</figure>"


def _table(grid: Grid) -> str:
    right = [
        bool(grid.rows) and all(not isinstance(row[at], str) for row in grid.rows) for at in range(len(grid.headers))
    ]
    heads = "".join(
        f'<th scope="col"{_number_class(on_right)}><bdi>{_text(name)}</bdi></th>'
        for name, on_right in zip(grid.headers, right, strict=True)
    )
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, on_right) for cell, on_right in zip(row, right, strict=True)) + "</tr>"
        for row in grid.rows
    )
    return f"<div class=scroll><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"


def _cell(cell: Cell, on_right: bool) -> str:
    order = order_of(cell)
    sorted_by = "" if order is None else f' data-order="{order:.17g}"'
    sorted_by = ' data-order="-1"' if cell is None and on_right else sorted_by
    text = shown(cell)
    return f"<td{_number_class(on_right) or _text_class(text)}{sorted_by}><bdi>{_breakable(text)}</bdi></td>"


def _breakable(text: str) -> str:
    """Return a text that may break within long technical words, such as a model with its parameters."""
    parts = (
        part if _SPACE.match(part) or len(part) <= _WORD else _JOINT.sub("\\g<0>\n", part)
        for part in _SPACE.split(text)
    )
    return "".join(escape(part).replace("\n", "<wbr>") for part in parts)


def _number_class(on_right: bool) -> str:
    return " class=number" if on_right else ""


def _text_class(text: str) -> str:
    """Return the class that gives a text a readable width."""
    return "" if " " not in text or len(text) < _WORD else " class=prose" if len(text) > _PROSE else " class=words"


def _lines(listing: Listing) -> str:
    return "\n".join(_text(line) for line in listing.text.splitlines())


def _text(text: str) -> str:
    return escape(printable(text))
