"""Files whose first line is a record, through every command that reads a table, and what cannot be read or written."""

import errno
import io
from pathlib import Path

import pytest

from cli.command import Command
from incrowd.formats import writing
from incrowd.jobs import Job
from incrowd.release import Manifest

SECRET = "Geheim"
NAMES = "name,age,sex,ill"
HIERARCHY = "age=intervals:widths=20"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    monkeypatch.chdir(tmp_path)
    rows = [f"{SECRET if at == 0 else f'P{at}x'},{20 + at % 20},{'fm'[at % 2]},{'abc'[at % 3]}" for at in range(60)]
    Path("bare.csv").write_text("\n".join(rows) + "\n")
    Path("good.csv").write_text("\n".join([NAMES, *rows]) + "\n")
    return Command(monkeypatch, capsys)


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "bare.csv"],
        ["init", "bare.csv", "--yes"],
        ["diagnose", "bare.csv", "--quasi", "age"],
        ["risk", "bare.csv", "--quasi", "age"],
        ["risk", "good.csv", "--quasi", "age", "--population", "bare.csv"],
        ["hierarchy", "bare.csv", "--column", "age"],
        ["table", "bare.csv", "--by", "sex"],
        ["report", "bare.csv"],
        ["anonymize", "bare.csv", "-q", HIERARCHY, "-m", "k_anonymity:k=2", "-o", "out.csv"],
        ["anonymize", "good.csv", "-q", "age", "-m", "k_map:k=2", "--population", "bare.csv", "-o", "out.csv"],
        ["measure", "bare.csv", "good.csv", "-q", "age"],
        ["measure", "good.csv", "bare.csv", "-q", "age"],
        ["attack", "bare.csv", "-q", "age"],
        ["attack", "good.csv", "-q", "age", "--with", "bare.csv"],
    ],
    ids=" ".join,
)
def test_a_first_line_like_a_record_is_refused_unseen(command: Command, words: list[str]) -> None:
    done = command(*words)
    assert done.code == 2
    assert "bare.csv: the first line looks like a record" in done.error
    assert "--no-header" in done.error
    assert done.error.count("\n") == 1
    assert SECRET not in done.out + done.error
    assert sorted(path.name for path in Path().iterdir()) == ["bare.csv", "good.csv"]


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "words.csv", "--among", "age"],
        ["diagnose", "words.csv", "--quasi", "age"],
        ["risk", "words.csv", "--quasi", "age"],
        ["risk", "good.csv", "--quasi", "age", "--population", "words.csv"],
        ["hierarchy", "words.csv", "--column", "age"],
        ["table", "words.csv", "--by", "sex"],
        ["anonymize", "words.csv", "-q", HIERARCHY, "-m", "k_anonymity:k=2", "-o", "out.csv"],
        ["anonymize", "good.csv", "-q", HIERARCHY, "-m", "k_map:k=2", "--population", "words.csv", "-o", "out.csv"],
        ["frontier", "words.csv", "-q", HIERARCHY, "--k", "2"],
        ["measure", "words.csv", "good.csv", "-q", "age"],
        ["measure", "good.csv", "words.csv", "-q", "age"],
        ["attack", "words.csv", "-q", "age"],
        ["attack", "good.csv", "-q", "age", "--with", "words.csv"],
        ["attack", "good.csv", "-q", "age", "--with", "words.csv", "--name", "name"],
        ["report", "words.csv", "--quasi", "age"],
        ["verify", "words.csv", "--manifest", "good.manifest.json"],
    ],
    ids=" ".join,
)
def test_a_first_line_that_may_be_a_record_is_not_quoted(command: Command, words: list[str]) -> None:
    """Nothing tells a list of different words without a header from one with a header."""
    if words[0] == "verify":
        command("anonymize", "good.csv", "-q", HIERARCHY, "-m", "k_anonymity:k=2", "-o", "made.csv")
        Path("made.csv.manifest.json").rename("good.manifest.json")
    Path("words.csv").write_text("".join(f"{each},{each}-Gasse,{each} Stadt\n" for each in (SECRET, *"ABCDEFGH")))
    done = command(*words)
    assert done.code != 0
    assert done.code != 4
    assert SECRET not in done.out + done.error


def test_an_ordinary_header_is_quoted_where_a_column_does_not_exist(command: Command) -> None:
    done = command("diagnose", "good.csv", "--quasi", "aeg")
    assert "the columns are 'name', 'age', 'sex', 'ill'; did you mean 'age'?" in done.error


def test_a_file_without_a_header_is_read_and_released(command: Command) -> None:
    assert "column_2" in command("inspect", "bare.csv", "--no-header").out
    same = command("diagnose", "good.csv", "--quasi", "age,sex").out
    assert command("diagnose", "bare.csv", "--names", NAMES, "--quasi", "age,sex").out == same
    assert command("init", "bare.csv", "--yes", "--names", NAMES).code == 0
    job = Job.from_file("job.yaml")
    assert job.data is not None
    assert job.data.names == tuple(NAMES.split(","))
    said = ["-q", HIERARCHY, "-q", "sex", "-m", "k_anonymity:k=2", "-o", "out.csv"]
    assert command("anonymize", "bare.csv", "--no-header", "--names", NAMES, *said).code == 0
    assert Manifest.read(Path("out.csv.manifest.json")).data.records == 60
    assert command("verify", "out.csv", "--record", "out.csv.record.json").code == 0
    assert command("apply", "out.csv.record.json", "bare.csv", "-o", "again.csv").code == 0
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    assert command("report", "out.csv", "--original", "bare.csv").code == 0
    assert command("measure", "bare.csv", "out.csv", "--names", NAMES).code == 0


def test_a_header_that_was_suspected_is_confirmed(command: Command) -> None:
    Path("odd.csv").write_text("\n".join(["30,f", *(f"{20 + at % 20},{'fm'[at % 2]}" for at in range(60))]) + "\n")
    assert command("inspect", "odd.csv").code == 2
    said = ["-q", "30=intervals:widths=20", "-q", "f", "-m", "k_anonymity:k=2", "-o", "out.csv"]
    assert command("anonymize", "odd.csv", "--header", *said).code == 0
    # A release has a header, whatever it looks like.
    assert command("measure", "odd.csv", "out.csv", "--header").code == 0
    assert command("attack", "out.csv").code in (0, 1)
    assert command("report", "out.csv").code == 0


def test_fixed_widths(command: Command) -> None:
    Path("fixed.txt").write_text("".join(f"{20 + at % 20:>3}{'fm'[at % 2]}\n" for at in range(60)))
    done = command("diagnose", "fixed.txt", "--widths", "3,1", "--names", "age,sex", "--quasi", "sex")
    assert done.out.startswith("k = 30 for {sex}")
    assert command("diagnose", "fixed.txt", "--widths", "3,x", "--quasi", "sex").code == 2


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_a_disk_that_is_full(command: Command, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    class Format:
        KIND, WRITE_OPTIONS = "a file", ()
        known = writing._of_file(f"x{suffix}")

        def write(self, _: object, *rest: object) -> None:
            self.known.write(Full(), *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "_of_file", lambda _: Format())
    done = command("anonymize", "good.csv", "-q", HIERARCHY, "-m", "k_anonymity:k=2", "-o", f"out{suffix}")
    assert (done.code, done.error.count("\n")) == (2, 1)
    assert "cannot be written (No space left on device)" in done.error
    assert sorted(path.name for path in Path().iterdir()) == ["bare.csv", "good.csv"]


def test_what_the_system_refuses_is_no_internal_error(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", "out.csv")

    monkeypatch.setattr("incrowd.api.inspect", refuse)
    done = command("inspect", "good.csv")
    assert done.code == 2
    assert done.error == "incrowd: out.csv: Read-only file system; check the path, your permissions and the disk\n"
