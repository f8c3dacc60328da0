"""Files on their way are private, and only what dead runs left is removed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import incrowd
from anonymization.hospital import in_folder, tight_job
from incrowd.files.private import private_folder, sweep
from incrowd.files.together import Planned, changed_together
from incrowd.files.whole import whole_file
from incrowd.verification import verify

LIVING = """
import sys
from pathlib import Path
from incrowd.files.private import private_folder

with private_folder(Path(sys.argv[1])) as folder:
    (folder.path / "half").write_text("half")
    print(folder.path, flush=True)
    sys.stdin.read()
"""


def test_only_what_dead_runs_left_is_removed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIVING, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = Path(other.stdout.readline().strip())
        with private_folder(tmp_path) as own:
            sweep(tmp_path)
            assert sorted(tmp_path.iterdir()) == sorted([own.path, theirs])
            assert (theirs / "half").exists()
        assert list(tmp_path.iterdir()) == [theirs]
        os.kill(other.pid, signal.SIGKILL)
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_only_looks_like_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".incrowd-0123456789abcdef").symlink_to(tmp_path / "elsewhere")
    (tmp_path / ".incrowd-mine").mkdir()
    (tmp_path / ".incrowd-0123456789abcde0").write_text("a file")
    before = sorted(tmp_path.iterdir())
    with whole_file(str(tmp_path / "x"), replace=False) as file:
        file.write(b"x")
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "x"])


@pytest.mark.parametrize("name", ["release.csv", "release.parquet", "release.xlsx", "sqlite:///release.db"])
def test_nobody_else_reads_what_is_not_verified(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    before = os.umask(0)
    seen: list[int] = []

    def looking(*given: object) -> object:
        for folder, _, files in os.walk(tmp_path):
            if folder != str(tmp_path):
                assert os.stat(tmp_path / Path(folder).relative_to(tmp_path).parts[0]).st_mode & 0o777 == 0o700
                seen.extend(os.stat(Path(folder) / file).st_mode & 0o777 for file in files if file != "lock")
        return verify(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("incrowd.anonymization.writing.verify", looking)
    try:
        table = {"table": "released"} if "://" in name else {}
        incrowd.anonymize("patients.csv", tight_job(output={"to": name, "mapping": "mapping.csv", **table}))
    finally:
        os.umask(before)
    assert set(seen) == {0o600}


def test_files_in_several_folders_change_together(tmp_path: Path) -> None:
    finals = [tmp_path / "one" / "record", tmp_path / "two" / "data"]
    for path in finals:
        path.parent.mkdir()
        path.write_text("old")
    command = [sys.executable, "-c", KILLED, *map(str, finals)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert [path.read_text() for path in finals] == ["new", "old"]
    # Whichever folder is looked at first.
    sweep(tmp_path / "one")
    assert [path.read_text() for path in finals] == ["old", "old"]
    with changed_together([Planned(path) for path in finals], tmp_path / "two") as change:
        for path in finals:
            change.fresh(path).write_text("new")
        change.put_in_place(finals)
    assert [path.read_text() for path in finals] == ["new", "new"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["data", "one", "record", "two"]


KILLED = """
import os, signal, sys
from pathlib import Path
from incrowd.files.together import Change, Planned, changed_together

finals = [Path(each) for each in sys.argv[1:]]
move = Change._move

def only_first(self, parts):
    if str(finals[-1]) in [part.final for part in parts]:
        os.kill(os.getpid(), signal.SIGKILL)
    move(self, parts)

Change._move = only_first
with changed_together([Planned(path) for path in finals], finals[-1].parent) as change:
    for path in finals:
        change.fresh(path).write_text("new")
    change.put_in_place(finals)
"""
