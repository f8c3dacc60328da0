"""Where the paths in a model's parameters begin: at the present folder, or beside the job that names them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_BEGIN: ContextVar[Path] = ContextVar("begin", default=Path())


@contextmanager
def beginning_at(folder: Path) -> Iterator[None]:
    """Let models that are made within find their files from this folder on."""
    before = _BEGIN.set(folder)
    try:
        yield
    finally:
        _BEGIN.reset(before)


def located(path: str) -> Path:
    """Return the file that a parameter names."""
    return _BEGIN.get() / path
