"""Ctrl-C and the time limit: in the search the best release so far is published, elsewhere nothing is left."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import hospital_job, in_arrow, in_folder
from anonymization.runs import beside, contents, files, job, quasi, read_csv, refused, verified
from anonymization.wide import WIDTH, wide_file, wide_job, wide_table
from incrowd.anonymization.infeasible import NoRelease
from incrowd.engines.streams import StreamSource
from incrowd.errors import Interrupted
from incrowd.families import SEARCHES
from incrowd.watch import Progress, Watch


def interrupt_at(words: str) -> Callable[[Progress], None]:
    """Ctrl-C, once the progress says these words."""

    def show(progress: Progress) -> None:
        if words in progress.words:
            signal.raise_signal(signal.SIGINT)

    return show


@pytest.fixture(autouse=True)
def the_signal_is_given_back() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def stream(interrupted_pass: int) -> StreamSource:
    """Records that can be read again and again; in one of the passes Ctrl-C comes between two batches."""
    passes = iter(range(1, 100))

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        number = next(passes)
        batch = pa.record_batch({column: ["x", "y"] for column in columns})
        yield batch
        if number == interrupted_pass:
            signal.raise_signal(signal.SIGINT)
        yield batch

    return StreamSource("some.csv", ("a", "b"), batches)


# In the search.


def test_progress_tells_what_the_best_so_far_scores(tmp_path: Path) -> None:
    told: list[str] = []
    described = wide_job(tmp_path / "v.csv", output=str(tmp_path / "release.csv"))
    stop = interrupt_at("the best so far scores")

    def show(progress: Progress) -> None:
        told.append(progress.words)
        stop(progress)

    made = verified(incrowd.anonymize(wide_table(), described, progress=show))
    found = next(words for words in told if "the best so far scores" in words)
    assert float(found.rpartition(" ")[2]) >= round(made.to_dict()["scores"]["loss"], 4) - 1e-3


def test_ctrl_c_in_the_search_publishes_the_best_so_far(tmp_path: Path) -> None:
    described = wide_job(tmp_path / "v.csv", output=str(tmp_path / "release.csv"))
    made = verified(incrowd.anonymize(wide_table(), described, progress=interrupt_at("0 nodes counted")))
    plain = made.to_dict()
    assert (plain["stopped"], plain["optimal"], plain["verdict"]) == ("interrupted", False, "holds")
    assert plain["lattice"] == 3**WIDTH
    assert 0 < plain["gap"] <= plain["scores"]["loss"]
    assert plain["suppressed"] <= 20
    assert len(read_csv(tmp_path / "release.csv")) == 400 - plain["suppressed"]
    assert "Stopped (interrupted) with the best release so far; the best score is at most" in str(made)
    assert "No release of this recoding type within the limits scores better." not in str(made)


@pytest.mark.usefixtures("ticking")
def test_the_time_ends_the_search_alone(tmp_path: Path) -> None:
    described = wide_job(tmp_path / "v.csv", output=str(tmp_path / "release.csv"), time=0.3)
    made = verified(incrowd.anonymize(wide_table(), described))
    plain = made.to_dict()
    assert (plain["stopped"], plain["optimal"]) == ("time", False)
    assert 0 < plain["gap"] <= plain["scores"]["loss"]
    private = json.loads((tmp_path / "release.csv.record.json").read_text("utf-8"))["figures"]
    assert private["search"]["stopped"] == "time"
    assert private["search"]["gap"] == plain["gap"]


@pytest.mark.parametrize("search", ["exhaustive", "samarati", "incognito", "best_first", "optimal", "scored"])
def test_every_search_can_be_stopped(search: str, tmp_path: Path) -> None:
    described = hospital_job({"k_anonymity": {"k": 3}}, search=search, output=str(tmp_path / "release.csv"))
    try:
        made = incrowd.anonymize(in_arrow(), {**described, "time": 0})
    except Interrupted as error:
        assert "timed out" in str(error)  # noqa: PT017
        assert files(tmp_path) == set()
    else:
        assert made.figures.search.stopped == "time"
        assert made.verdict.holds


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("search", ["annealing", "genetic", "k_optimize", "set_partitioning"])
def test_what_takes_long_has_a_limit_of_its_own_and_a_release(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on with every look; after the first two there is no time left."""
    found = SEARCHES.known()[search]
    assert found.usual_time == 60
    monkeypatch.setattr(found, "usual_time", 0.003)
    metric = {"metric": "discernibility"} if search == "k_optimize" else {}
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, search=search, **metric))
    assert (made.figures.search.stopped, made.verdict.holds) == ("time", True)


def test_the_columns_are_compared_in_what_is_left_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []

    def costliest(_: object, watch: Watch) -> None:
        left.append(watch.seconds_left)

    monkeypatch.setattr("incrowd.anonymization.run.costliest", costliest)
    monkeypatch.setattr("incrowd.anonymization.searching.perf_counter", iter([10.0, 35.0]).__next__)
    described = hospital_job({"k_anonymity": {"k": 3}}, search="optimal", time=30)
    incrowd.anonymize(in_arrow(), described)
    assert 0 < left[0] <= 5


# While rows are read or written.


@pytest.mark.parametrize(
    ("number", "words"), [(1, "while some.csv was being read"), (2, "being written"), (3, "being")]
)
def test_ctrl_c_elsewhere_leaves_nothing(number: int, words: str, tmp_path: Path) -> None:
    described = job(quasi("a", "b"), output=str(tmp_path / "release.csv"), order="source")
    with pytest.raises(Interrupted) as caught:
        incrowd.anonymize(stream(number), described)
    assert caught.value.exit_code == 130
    assert words in str(caught.value)
    assert files(tmp_path) == set()


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "output", ["release.xlsx", "release.parquet", "sqlite:///release.db", "duckdb:///release.duckdb"]
)
def test_whatever_is_written(number: int, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = {"table": "t"} if "://" in output else {}
    described = job(quasi("a", "b"), output={"to": output, **table}, order="source")
    refused(Interrupted, lambda: incrowd.anonymize(stream(number), described))
    assert files(tmp_path) == set()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_was_there_is_there_still(number: int, tmp_path: Path) -> None:
    for name in beside("release.csv"):
        (tmp_path / name).write_text("old")
    before = contents(tmp_path)
    output = {"to": str(tmp_path / "release.csv"), "replace": True}
    described = job(quasi("a", "b"), output=output, order="source")
    refused(Interrupted, lambda: incrowd.anonymize(stream(number), described))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("words", ["sorting the records", "records written"])
def test_ctrl_c_while_a_release_is_made_of_counts(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Watch.tick

    def tick(watch: Watch, said: str, share: float | None = None) -> None:
        if words in said:
            watch.cancel()
        honest(watch, said, share)

    monkeypatch.setattr(Watch, "tick", tick)
    described = job(quasi("a", "b"), output=str(tmp_path / "release.csv"))
    assert "while the release was being written" in refused(
        Interrupted, lambda: incrowd.anonymize(stream(0), described)
    )
    assert files(tmp_path) == set()


def test_ctrl_c_while_the_release_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import writing

    honest = writing.verify

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return honest(*given)

    monkeypatch.setattr(writing, "verify", interrupted)
    refused(Interrupted, lambda: incrowd.anonymize(in_arrow(), hospital_job(output=str(tmp_path / "release.csv"))))
    assert files(tmp_path) == set()


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    def impatient(_: Progress) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    described = hospital_job(output=str(tmp_path / "release.csv"))
    with pytest.raises(KeyboardInterrupt):
        incrowd.anonymize(in_arrow(), described, progress=impatient)
    assert files(tmp_path) == set()


def test_ctrl_c_while_a_recoding_is_applied(tmp_path: Path) -> None:
    source = str(in_folder(tmp_path))
    made = incrowd.anonymize(source, hospital_job(output=str(tmp_path / "release.csv")))
    before = files(tmp_path)
    for words in ("records read", "applying", "records published"):
        refused(
            Interrupted,
            lambda words=words: incrowd.apply(
                made.record_file or "", source, str(tmp_path / "out.csv"), progress=interrupt_at(words)
            ),
        )
        assert files(tmp_path) == before


def test_ctrl_c_while_concessions_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import relaxing

    honest = relaxing._lower_demands

    def interrupted(parameter: str, value: float) -> Sequence[float]:
        if parameter == "l":
            signal.raise_signal(signal.SIGINT)
        return honest(parameter, value)

    monkeypatch.setattr(relaxing, "_lower_demands", interrupted)
    described = hospital_job({"entropy_l": {"l": 3.9, "column": "disease"}})
    with pytest.raises(NoRelease) as caught:
        incrowd.anonymize(in_arrow(), described)
    assert caught.value.nearest is not None
    assert [relaxation.setting for relaxation in caught.value.relaxations] in ([], ["suppress"])


# The command.


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="progress shows on a terminal, and there is none to imitate")
def test_ctrl_c_in_a_running_command(tmp_path: Path) -> None:
    described = wide_job(tmp_path / "v.csv", data=str(wide_file(tmp_path / "wide.csv")), output="release.csv")
    (tmp_path / "job.json").write_text(json.dumps(described))
    terminal, other_end = os.openpty()
    command = [sys.executable, "-m", "incrowd", "anonymize", str(tmp_path / "job.json"), "--json"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other_end, text=True)
    os.close(other_end)
    shown = b""
    while b"nodes counted" not in shown:
        assert running.poll() is None, "the search ended before it could be interrupted"
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 1000)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate()
    os.close(terminal)
    assert running.returncode == 0
    plain = json.loads(out)
    assert (plain["stopped"], plain["verdict"]) == ("interrupted", "holds")
    assert plain["gap"] > 0
    assert incrowd.verify(tmp_path / "release.csv").holds
