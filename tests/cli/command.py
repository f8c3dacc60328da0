"""The command line in this process."""

import sys
from typing import NamedTuple

import pytest

from incrowd.cli import main


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    error: str


class Command:
    """Runs commands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: object) -> Done:
        """Run one, with these words behind `incrowd`."""
        self._monkeypatch.setattr(sys, "argv", ["incrowd", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, error = self._capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, out, error)
