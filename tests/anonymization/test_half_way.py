"""Whoever reads a release with what lies beside it first undoes what a killed run began there."""

import ast
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import incrowd
from incrowd.cli.app import app
from incrowd.files.together import Change

SOURCE = Path(incrowd.__file__).parent
ROWS = zip([30, 31, 32, 33, 40, 41, 42, 43], "uuvvuuvv", "abcdabcd", strict=True)
PEOPLE = "age,town,ill\n" + "".join(f"{age},{town},{ill}\n" for age, town, ill in ROWS)


def make(width: int, sensitive: str, out: Path) -> None:
    """A release of the people."""
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [width]}}},
        **{name: {"role": "sensitive" if name == sensitive else "quasi"} for name in ("town", "ill")},
    }
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "output": {"to": str(out), "replace": True}}
    job["search"] = "optimal"
    incrowd.anonymize(str(people_beside(out)), job)


def people_beside(out: Path) -> Path:
    """The original, in a folder of its own."""
    path = out.parents[1] / "people.csv"
    path.write_text(PEOPLE)
    return path


def killed_before_the_data(run: Callable[[], None]) -> None:
    """Run in a process that is killed when everything but the data is in place."""
    child = os.fork()
    if child == 0:
        real, calls = Change._move, [0]

        def move(change: Change, parts: Any) -> None:
            calls[0] += 1
            if calls[0] == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            real(change, parts)

        Change._move = move  # type: ignore[method-assign]
        run()
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def command(*words: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code in (0, 1), done.output
    return done.output


def applied(record: str, out: Path) -> str:
    """The people, published as a private record says."""
    to = out.parents[1] / "applied.csv"
    incrowd.apply(record, str(people_beside(out)), str(to), replace=True)
    return to.read_text()


READERS: dict[str, Callable[[Path], object]] = {
    "attack": lambda out: incrowd.attack(out).to_json(),
    "attack, command": lambda out: command("attack", str(out)),
    "attack with another release": lambda out: incrowd.attack(out.with_name("other.csv"), other=out).to_json(),
    "apply": lambda out: applied(f"{out}.record.json", out),
    "measure": lambda out: incrowd.measure(people_beside(out), out).to_dict()["releases"],
    "verify": lambda out: incrowd.verify(out).to_dict(),
    "report": lambda out: incrowd.report(out, "external").to_dict(),
    "report, command": lambda out: command("report", str(out), "--external"),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forked")
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_finds_the_old_release(reader: str, tmp_path: Path) -> None:
    out, other = tmp_path / "here" / "out.csv", tmp_path / "here" / "other.csv"
    out.parent.mkdir()
    make(10, "ill", other)
    make(10, "ill", out)
    expected = READERS[reader](out)
    killed_before_the_data(partial(make, 20, "town", out))
    assert any(out.parent.glob(".incrowd-*/journal"))
    assert READERS[reader](out) == expected
    assert not any(out.parent.glob(".incrowd-*"))


def test_nobody_else_reads_what_lies_beside_a_release() -> None:
    """Through `formats/settling.py`, or where the place is settled already or nothing is put in place."""
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "read" and ast.unparse(node.value) in ("Manifest", "Record")
    }
    assert found == {
        "formats/settling.py",
        "reports/reading.py",
        "verification/_verify.py",
        "service/uploads.py",
    }
