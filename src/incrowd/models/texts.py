"""Parts of a text between separators; a backslash takes the meaning from the character after it."""

import re


def split(text: str, separator: str) -> list[str]:
    """The parts between separators that no backslash precedes; backslashes stay."""
    parts = [""]
    for token in re.findall(r"\\.|.", text, re.DOTALL):
        if token == separator:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def escaped(text: str, also: str = "") -> str:
    """With a backslash before whatever would separate."""
    return re.sub(rf"([\\,+/{also}])", r"\\\1", text)


def unescaped(text: str) -> str:
    """Without backslashes."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
