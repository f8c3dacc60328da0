"""A search that is stopped, by its deadline or by Ctrl-C, says what is known, and that it is not everything."""

import json
import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from diagnosis.by_definition import OVER_ALL_SETS, class_sizes, gone_for, k_of, opened, suppressions
from incrowd.cli import main
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.diagnosis.overview import overview
from incrowd.engines.streams import StreamSource
from incrowd.errors import Interrupted
from incrowd.watch import Progress
from strategies import Row

WIDTH = 24
COLUMNS = tuple(f"c{at}" for at in range(WIDTH))
ASKED: dict[str, dict[str, Any]] = {
    "Q3": {"k": 2},
    "Q4": {},
    "Q7": {"k": 3, "suppress": 0.01},
    "Q8": {"suppress": 0.01},
    "Q10": {"k": 2, "suppress": "find"},
    "Q12": {"suppress": "find", "up_to": 3},
}


def wide_rows(width: int, records: int) -> list[tuple[str, ...]]:
    """Records of two values a column, as often one as the other, so that the borders lie high in the lattice."""
    luck = random.Random(7)
    return [tuple(luck.choices("xy", k=width)) for _ in range(records)]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [dict(zip(COLUMNS, record, strict=True)) for record in wide_rows(WIDTH, 600)]


@pytest.fixture(scope="module", params=["extended", "basic"])
def wide(request: pytest.FixtureRequest, rows: list[Row]) -> Diagnosis:
    """A wide table that has been read, so that only the search is stopped; missing cells make basic matching slow."""
    missing: Row = {**rows[0], COLUMNS[0]: None}
    diagnosis = opened([*rows, missing] if request.param == "basic" else rows, COLUMNS, request.param)
    diagnosis.frequencies(COLUMNS)
    return diagnosis


def assert_right(answer: Answer, rows: Sequence[Row], nulls: str) -> None:
    """What is listed holds; a dozen sets are looked at."""
    asked = answer.asked
    share = None if asked.suppress is None else "0.01"
    luck = random.Random(3)
    listed = luck.sample(answer.answer, min(12, len(answer.answer)))
    for row in listed:
        if asked.value is not None and answer.question in ("Q3", "Q7"):
            assert smallest(rows, row, nulls, share) >= asked.value
        elif answer.question in ("Q4", "Q8"):
            assert row["k"] == smallest(rows, row["quasi"], nulls, share)
        elif answer.question == "Q10":
            assert row["suppressed"] == gone_for(class_sizes(rows, row["quasi"], nulls), asked.value or 0)
        else:
            expected = list(suppressions(class_sizes(rows, row["quasi"], nulls), asked.up_to))
            assert {name: value for name, value in row.items() if name != "quasi"} in expected


def smallest(rows: Sequence[Row], columns: Sequence[str], nulls: str, share: str | None) -> int:
    """k; by classes, because comparing each record with each would take long."""
    return min(class_sizes(rows, columns, nulls)) if share is None else k_of(rows, columns, nulls, share)


def all_rows(diagnosis: Diagnosis, rows: list[Row]) -> list[Row]:
    return [*rows, {**rows[0], COLUMNS[0]: None}] if diagnosis.nulls == "basic" else rows


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("question", OVER_ALL_SETS)
@pytest.mark.parametrize("seconds", [0, 0.05])
def test_a_deadline_gives_what_is_known(wide: Diagnosis, rows: list[Row], question: str, seconds: float) -> None:
    answer = wide.ask(**ASKED[question], time=seconds)
    assert answer.question == question
    assert answer.complete is False
    assert answer.stopped == "time"
    assert "Partial result: timed out" in answer.sentence
    plain = json.loads(json.dumps(answer.to_dict()))
    assert (plain["complete"], plain["stopped"], plain["records"]) == (False, "time", len(all_rows(wide, rows)))
    assert str(answer).startswith(answer.sentence)
    if seconds:
        assert answer.evaluations > 0
    assert_right(answer, all_rows(wide, rows), str(wide.nulls))


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("seconds", [0, 0.05, 0.2])
def test_a_deadline_with_at_most(rows: list[Row], seconds: float) -> None:
    """Each set listed is unsafe and every part of it safe, however early the search ended."""
    diagnosis = opened(rows, COLUMNS)
    diagnosis.frequencies(COLUMNS)
    answer = diagnosis.ask(k=1, at_most=True, time=seconds)
    assert not answer.complete
    for names in answer.answer[:40]:
        assert smallest(rows, names, "extended", None) == 1
        assert all(smallest(rows, [name for name in names if name != out], "extended", None) > 1
                   for out in names if len(names) > 1)  # fmt: skip
    for names in (answer.other_border or [])[:40]:
        assert smallest(rows, names, "extended", None) > 1


def interrupt(_: Progress) -> None:
    """What Ctrl-C does."""
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("question", OVER_ALL_SETS)
def test_ctrl_c_gives_what_is_known(wide: Diagnosis, rows: list[Row], question: str) -> None:
    before = signal.getsignal(signal.SIGINT)
    answer = wide.ask(**ASKED[question], progress=interrupt)
    assert (answer.stopped, answer.complete, answer.evaluations) == ("interrupted", False, 1)
    assert "interrupted after 1 attribute set." in answer.sentence
    assert signal.getsignal(signal.SIGINT) is before
    assert_right(answer, all_rows(wide, rows), str(wide.nulls))


def test_methods_that_return_plain_lists_do_not_pass_a_part_for_the_whole(
    wide: Diagnosis, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = wide.ask
    monkeypatch.setattr(wide, "ask", lambda **arguments: whole(**arguments, time=0))
    for method in (wide.safe_sets, wide.threats):
        with pytest.raises(Interrupted, match="Partial result"):
            method(2)


def test_a_diagnosis_that_was_stopped_can_be_asked_again(rows: list[Row]) -> None:
    diagnosis = opened(rows, COLUMNS[:6])
    diagnosis.frequencies(COLUMNS[:6])
    assert not diagnosis.ask(time=0).complete
    again = diagnosis.ask()
    assert again.complete
    assert len(again.answer) == 63


def test_a_deadline_while_reading_leaves_nothing_known(rows: list[Row]) -> None:
    with pytest.raises(Interrupted, match="timed out while the frame was being read; there is no result yet"):
        opened(rows, COLUMNS).ask(time=0)


# The command line.


def interrupted_stream(name: str) -> StreamSource:
    """Ctrl-C after the first batch."""

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        batch = pa.record_batch({column: ["x", "y"] for column in columns})
        yield batch
        signal.raise_signal(signal.SIGINT)
        yield batch

    return StreamSource(name, ("a", "b"), batches)


def exit_code_of(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The command line in this process."""
    monkeypatch.setattr(sys, "argv", ["incrowd", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize("more", [[], ["--json"], ["--k", "2"], ["--quasi", "a"]])
def test_ctrl_c_while_reading_gives_one_line(
    more: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("incrowd.api.read", lambda *_, **__: interrupted_stream("some.csv"))
    assert exit_code_of(["diagnose", "some.csv", *more], monkeypatch) == 130
    out, error = capsys.readouterr()
    # With --json the error is a document on standard output, too.
    assert (json.loads(out)["exit_code"] == 130) if more == ["--json"] else out == ""
    assert error == "incrowd: interrupted while some.csv was being read; there is no result yet\n"


def test_ctrl_c_before_anything_watches_gives_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def impatient(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("incrowd.api.read", impatient)
    assert exit_code_of(["diagnose", "some.csv"], monkeypatch) == 130
    out, error = capsys.readouterr()
    assert (out, error) == ("", "incrowd: interrupted\n")


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many columns that no search over all sets ends."""
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    lines = [",".join(record) for record in wide_rows(26, 3000)]
    path.write_text("\n".join([",".join(f"c{at}" for at in range(26)), *lines]) + "\n")
    return path


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="progress shows on a terminal, and there is none to imitate")
@pytest.mark.parametrize("more", [["--json"], ["--k", "2", "--json"], ["--k", "2"], []])
def test_ctrl_c_in_a_running_command(wide_file: Path, more: list[str]) -> None:
    terminal, other_end = os.openpty()
    command = [sys.executable, "-m", "incrowd", "diagnose", str(wide_file), *more]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other_end, text=True)
    os.close(other_end)
    shown = b""
    while b"attribute sets counted" not in shown:
        assert running.poll() is None, "the search ended before it could be interrupted"
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 1000)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate()
    os.close(terminal)
    assert running.returncode == 130
    if "--json" in more:
        plain = json.loads(out)
        assert (plain["complete"], plain["stopped"], plain["records"]) == (False, "interrupted", 3000)
        assert plain["evaluations"] > 0
    else:
        assert "Partial result: interrupted after " in out


def test_a_first_look_that_is_stopped_tells_of_which_sizes_it_knows_all(wide: Diagnosis) -> None:
    answer = Diagnosis.ask(wide, max_size=None, time=0.2)
    assert answer.stopped == "time"
    through = answer.through
    assert through is not None
    sizes = "All sets of 1 column were" if through == 1 else f"All sets of up to {through} columns were"
    shown = str(overview(wide, answer))
    assert ("Smallest sets of columns that" in shown) == bool(through and answer.other_border)
    assert (sizes in shown) == (through > 0)
    assert "complete" not in shown
    assert answer.to_dict()["through"] == through


def test_the_first_answers_are_shown_as_soon_as_they_are_there() -> None:
    """The progress tells how many sets of one and two columns single somebody out while larger ones are counted."""
    luck = random.Random(5)
    columns = COLUMNS[:9]
    rows = [{name: str(luck.randrange(2 + at)) for at, name in enumerate(columns)} for _ in range(100)]
    words: list[str] = []
    diagnosis = opened(rows, columns)
    with pytest.MonkeyPatch.context() as patch:
        # Every tick is shown, not ten in a second.
        patch.setattr("incrowd.watch.time.monotonic", iter(range(10**6)).__next__)
        diagnosis.ask(progress=lambda now: words.append(now.words))
    alone = [{name} for name in columns if smallest(rows, [name], "extended", None) == 1]
    pairs = [
        {one, two}
        for at, one in enumerate(columns)
        for two in columns[:at]
        if not any(each <= {one, two} for each in alone) and smallest(rows, [one, two], "extended", None) == 1
    ]
    assert pairs
    shown = next(each for each in words if "now of 3 columns" in each)
    assert shown.endswith(f"{len(alone) + len(pairs)} smallest that single somebody out")
