"""Commands that a user can run as they stand."""

import shlex
from collections.abc import Sequence
from os.path import exists


def source_arguments(name: str) -> tuple[str, ...]:
    """What names a source on the command line; nothing for a frame, or for several files read as one."""
    return (name,) if "://" in name or exists(name) else ()


def command(verb: str, source: Sequence[str], option: str, names: Sequence[str], *further: str) -> str:
    """One command; the names of columns follow the option, in a list where that can be read back."""
    # In a list, a name may neither hold what separates names nor begin or end with a blank.
    plain = all(name == name.strip() and not set(name) & set(',"\n\r') for name in names)
    columns = [option, ",".join(names)] if plain else [part for name in names for part in (option, name)]
    return shlex.join(["incrowd", verb, *source, *(columns if names else ()), *further])


def steps(listed: Sequence[tuple[str, str]]) -> str:
    """What to do next: each command with what it tells."""
    return "\n".join(["What to ask next:", "", *(f"  {step}\n      {tells}" for step, tells in listed)])
