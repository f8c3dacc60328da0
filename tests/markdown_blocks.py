"""Finds the code blocks of a Markdown page, and the commands and outputs of a console block."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,}) *(?P<language>[\w+-]*) *$")
_NO_RUN = re.compile(r"^<!-- no-run: \S.* -->$")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    """Of its first line of text, counted from 1."""
    language: str
    text: str
    runs: bool
    """False when the comment directly above it says why it must not run."""


@dataclass(frozen=True)
class Command:
    """One command of a console block and the output shown below it."""

    line: str
    output: tuple[str, ...]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    found = []
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        end = _closing(lines, at + 1, opening["marks"], page)
        text = "".join(line.removeprefix(opening["indent"]) + "\n" for line in lines[at + 1 : end])
        runs = at == 0 or not _NO_RUN.match(lines[at - 1].strip())
        found.append(Block(page, at + 2, opening["language"], text, runs))
        at = end + 1
    return found


def _closing(lines: list[str], start: int, marks: str, page: Path) -> int:
    for at in range(start, len(lines)):
        line = lines[at].strip()
        if line.startswith(marks) and not line.strip(marks[0]):
            return at
    raise ValueError(f"{page}:{start}: a code block is not closed")


def commands_of(block: Block) -> list[Command]:
    """The commands of a console block; a line that ends with a backslash goes on."""
    commands: list[Command] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            while command.endswith("\\"):
                command = command[:-1] + next(lines).removeprefix("> ").lstrip()
            commands.append(Command(command, ()))
        elif commands:
            commands[-1] = Command(commands[-1].line, (*commands[-1].output, line.rstrip()))
        else:
            raise ValueError(f"{block.page}:{block.line}: a console block begins with a command")
    return commands


def matches(shown: Sequence[str], real: Sequence[str]) -> bool:
    """Whether the real lines are those shown, where a shown line "..." stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in real)) is not None
