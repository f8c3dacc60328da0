"""Commands that a user can copy and run."""

import shlex
from collections.abc import Sequence
from os.path import exists


def source_arguments(name: str) -> tuple[str, ...]:
    """Return the arguments that name a source; none for a frame, or for several files read as one."""
    return (name,) if "://" in name or exists(name) else ()


def command(verb: str, source: Sequence[str], option: str, names: Sequence[str], *further: str) -> str:
    """Return one command; column names follow the option, as one list if that can be parsed back."""
    return shlex.join(["incrowd", verb, *source, *named(option, names), *further])


def named(option: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return an option that names columns; nothing if there are none."""
    if not names:
        return ()
    # In a list, a name may neither contain a separator nor begin or end with a blank.
    plain = all(name == name.strip() and not set(name) & set(',"\n\r') for name in names)
    return (option, ",".join(names)) if plain else tuple(part for name in names for part in (option, name))


def steps(listed: Sequence[tuple[str, str]]) -> str:
    """Return the next steps: each command with what it does."""
    return "\n".join(["Next steps:", "", *(f"  {step}\n      {does}" for step, does in listed)])
