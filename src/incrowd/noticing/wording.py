"""Notices as text: what was noticed, what is assumed, and the options that change it."""

import shlex
from collections.abc import Iterable, Sequence

from incrowd.noticing.notice import Notice, Settings
from incrowd.proposing.facts import Sureness

_SHOWN = 4
"""Columns of which the same is noticed, by name; further ones are counted."""
_OPTIONS = {"missing": ("--missing-in", ","), "normalize": ("--normalize", "/")}


def as_text(noticed: Iterable[Notice]) -> str:
    """Return a line for each thing that was noticed, unsure ones first; columns that share it are in one line."""
    together: dict[tuple[object, ...], list[Notice]] = {}
    for notice in sorted(noticed, key=lambda each: each.sureness is not Sureness.UNSURE):
        key = (notice.what, notice.assumed, tuple((label, *sorted(of.items())) for label, of in notice.choices))
        together.setdefault(key, []).append(notice)
    return "\n".join(["Noticed:", *(f"  {_line(alike)}" for alike in together.values())])


def sentence(notice: Notice) -> str:
    """Return what was noticed of a column and what is assumed."""
    return f"{notice.what}; {notice.assumed}"


def _line(alike: Sequence[Notice]) -> str:
    names = [notice.column for notice in alike]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    told = f"{', '.join(names[:_SHOWN])}{more}: {sentence(alike[0])}."
    ways = [" ".join(_option(name, of) for name in names[:_SHOWN]) for _, of in alike[0].choices]
    if not ways:
        return told
    if len(ways) == 1:
        return f"{told} To change it: {ways[0]}"
    labels = [label for label, _ in alike[0].choices]
    return f"{told} Choose: {'; '.join(f'{label} ({way})' for label, way in zip(labels, ways, strict=True))}"


def _option(name: str, settings: Settings) -> str:
    parts = [(*_OPTIONS[key], values) for key, values in settings.items()]
    quoted = f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',="') or name != name.strip() else name
    return " ".join(f"{option} {shlex.quote(f'{quoted}={between.join(values)}')}" for option, between, values in parts)
