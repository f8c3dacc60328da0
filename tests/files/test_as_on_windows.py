"""Systems without file locks, and with Windows' rule that nobody moves or removes a file that is open."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AS_ON_WINDOWS = """
import os, pathlib, sys
for module in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[module] = None
for name in ("O_TMPFILE", "geteuid", "getuid", "fork", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)

def refuse_open(path):
    path = os.path.realpath(path)
    held = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    with open("/proc/self/maps", encoding="utf-8") as maps:
        held += [line.split(maxsplit=5)[-1].strip() for line in maps]
    if path in held:
        raise PermissionError(13, "it is open", path)

def guarded(real):
    def act(path, *more, **named):
        if not isinstance(path, int):
            refuse_open(path)
        return real(path, *more, **named)
    return act

for name in ("replace", "rename", "unlink", "remove"):
    setattr(os, name, guarded(getattr(os, name)))
from incrowd.cli import main
for line in sys.stdin.read().splitlines():
    sys.argv = ["incrowd", *line.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
"""
JOB = {
    "data": "people.csv",
    "output": "release.csv",
    "columns": {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}},
    "models": [{"k_anonymity": {"k": 2}}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if not Path("/proc/self/maps").exists():
        pytest.skip("only Linux tells which files are open")
    (tmp_path / "people.csv").write_text("age,disease\n30,flu\n30,gout\n40,flu\n40,gout\n")
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    return tmp_path


def run(folder: Path, *commands: str) -> "subprocess.CompletedProcess[str]":
    """Run commands in one process as if on such a system, up to the first that fails."""
    lines, called = "\n".join(commands), [sys.executable, "-c", AS_ON_WINDOWS]
    return subprocess.run(called, cwd=folder, input=lines, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_are_written_and_nothing_is_left(folder: Path, suffix: str) -> None:
    out = f"out.{suffix}"
    done = run(
        folder,
        f"anonymize job.json -o {out}",
        f"anonymize job.json -o {out} --replace",
        f"verify {out}",
        f"apply {out}.record.json people.csv -o again.{suffix}",
        "hierarchy people.csv --column age -o age.csv",
        f"report {out} -o report.md",
    )
    assert (done.returncode, done.stderr) == (0, "")
    parts = {out, f"{out}.manifest.json", f"{out}.record.json"}
    again = {f"again.{suffix}{end}" for end in ("", ".manifest.json", ".record.json")}
    assert {path.name for path in folder.iterdir()} == parts | again | {
        "people.csv",
        "job.json",
        "age.csv",
        "report.md",
    }


def test_serving_says_that_it_cannot(folder: Path) -> None:
    done = run(folder, "serve --workspace space")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "incrowd: serve: this system (such as Windows) lacks file locks and process limits; run it on Linux or macOS, "
        "or in a container; all other commands work here\n"
    )


def test_errors_are_told_as_json(folder: Path) -> None:
    done = run(folder, "verify nowhere.csv --json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (2, "bad_source")
