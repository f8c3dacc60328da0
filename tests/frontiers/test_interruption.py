"""Ctrl-C and the time limit: what is known by then is told."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_arrow
from anonymization.runs import files, refused
from anonymization.wide import wide_job, wide_table
from incrowd.errors import Interrupted
from incrowd.watch import Progress

K = {"k_anonymity": {"k": 3}}


@pytest.fixture(autouse=True)
def the_signal_is_given_back() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def interrupt_at(words: str) -> Callable[[Progress], None]:
    """Ctrl-C, once the progress says these words."""

    def show(progress: Progress) -> None:
        if words in progress.words:
            signal.raise_signal(signal.SIGINT)

    return show


def test_ctrl_c_in_a_search(tmp_path: Path) -> None:
    """The search gives its best so far, and the rest is not run."""
    described = wide_job(tmp_path / "v.csv")
    found = incrowd.frontier(
        wide_table(), described, k=[2, 3, 4], searches=["mondrian", "optimal"], progress=interrupt_at("0 nodes counted")
    )
    assert [(run.search, run.k) for run in found.runs] == [
        *(("mondrian", 2), ("mondrian", 3), ("mondrian", 4), ("optimal", 2)),
    ]
    last = found.runs[-1].release
    assert last is not None
    assert last.stopped == "interrupted"
    assert found.not_run == (("optimal", 3), ("optimal", 4))
    assert found.stopped == "interrupted"
    assert found.to_dict()["not_run"] == [{"search": "optimal", "k": 3}, {"search": "optimal", "k": 4}]
    assert "Partial result: interrupted before 2 further runs." in str(found)
    assert "stopped (interrupted)" in str(found)
    assert found.recommended is not None
    assert files(tmp_path) == {"v.csv"}


def test_ctrl_c_between_two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.frontiers import run

    honest = run.found_by

    def interrupted(*given: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return honest(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("incrowd.frontiers.run.found_by", interrupted)
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[2, 3])
    assert [run.release is not None for run in found.runs] == [True]
    assert len(found.not_run) == 3


def test_ctrl_c_after_a_search_last_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.searches.mondrian import Mondrian

    honest = Mondrian.run

    def late(self: Mondrian, problem: object, watch: object) -> object:
        outcome = honest(self, problem, watch)  # type: ignore[arg-type]
        signal.raise_signal(signal.SIGINT)
        return outcome

    monkeypatch.setattr(Mondrian, "run", late)
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[2, 3], searches="mondrian")
    assert (len(found.runs), found.not_run) == (1, (("mondrian", 3),))


def test_ctrl_c_before_anything_is_known() -> None:
    run = lambda: incrowd.frontier(in_arrow(), hospital_job(K), progress=interrupt_at(""))  # noqa: E731
    assert "interrupted" in refused(Interrupted, run)


def test_ctrl_c_while_the_second_kind_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import preparing

    honest = preparing._measured

    def interrupted(*given: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return honest(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(preparing, "_measured", interrupted)
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[2, 3])
    assert [run.search for run in found.runs] == ["optimal", "optimal"]
    assert found.stopped == "interrupted"


def test_a_second_ctrl_c_stops_at_once() -> None:
    def impatient(_: Progress) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        incrowd.frontier(in_arrow(), hospital_job(K), progress=impatient)


@pytest.mark.usefixtures("ticking")
def test_the_time_is_for_each_search(tmp_path: Path) -> None:
    described = wide_job(tmp_path / "v.csv")
    found = incrowd.frontier(wide_table(), described, k=[2, 3], searches="optimal", time=0.2)
    assert [run.release.stopped for run in found.runs if run.release] == ["time", "time"]
    assert all(run.job.time == 0.2 for run in found.runs)
    # Not interrupted: everything was run.
    assert (found.stopped, found.not_run) == (None, ())


def test_no_time_at_all() -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[2], searches="optimal", time=0)
    assert found.runs[0].reason == "timed out without finding a release"


@pytest.mark.usefixtures("ticking")
def test_progress_goes_on_over_all_runs(tmp_path: Path) -> None:
    seen: list[Progress] = []
    incrowd.frontier(
        wide_table(), wide_job(tmp_path / "v.csv"), k=[2, 3], searches="optimal", time=0.3, progress=seen.append
    )
    shares = [each.share for each in seen if each.share is not None]
    assert shares == sorted(shares)
    assert any(each.words.startswith("run 2 of 2, optimal, k = 3: ") for each in seen)
