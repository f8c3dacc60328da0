"""A package that adds a member to every family, and one whose members are all incomplete."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from families.outside import installed
from incrowd.families import found


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(tmp_path_factory.mktemp("site-packages"))


@pytest.fixture
def outside(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package can be imported in this process, and in those that it starts."""
    import os

    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))
    found.cache_clear()
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside_members"]:
        del sys.modules[name]
    found.cache_clear()


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Forty people in the format that the package brings."""
    names = ["Anna", "Aron", "Bela", "Bob"]
    rows = [f"{20 + at % 4 * 10}|{names[at % 4]}|{'flu' if at % 3 else 'cold'}" for at in range(40)]
    path = tmp_path / "people.pipes"
    path.write_text("age|name|disease\n" + "\n".join(rows) + "\n", "utf-8")
    return path
