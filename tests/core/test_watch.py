"""A watch ends a run at its deadline, on cancellation and on Ctrl-C, and leaves the signal handler as it was."""

import signal
import threading
from collections.abc import Iterator

import pytest

from incrowd import watch as module
from incrowd.watch import Progress, Stopped, Watch, wait_for


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that the watch looks at."""
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture(autouse=True)
def handler_as_before() -> Iterator[None]:
    """No test may leave a handler behind."""
    before = signal.getsignal(signal.SIGINT)
    yield
    after = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)
    assert after is before


def test_the_deadline_counts_from_the_start_of_the_block(clock: Clock) -> None:
    watch = Watch(seconds=10)
    clock.now += 100
    with watch:
        clock.now += 10
        watch.tick("still in time")
        clock.now += 0.001
        with pytest.raises(Stopped) as caught:
            watch.tick("late")
    assert caught.value.reason == "time"


def test_without_a_deadline_time_does_not_matter(clock: Clock) -> None:
    with Watch() as watch:
        clock.now += 1e9
        watch.tick("going on")


def test_cancel_from_another_thread() -> None:
    with Watch() as watch:
        watch.tick("before")
        thread = threading.Thread(target=watch.cancel)
        thread.start()
        thread.join()
        with pytest.raises(Stopped) as caught:
            watch.tick("after")
    assert caught.value.reason == "interrupted"


def test_the_first_interrupt_stops_at_the_next_tick() -> None:
    with Watch() as watch:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(Stopped) as caught:
            watch.tick("after Ctrl-C")
    assert caught.value.reason == "interrupted"


def test_the_second_interrupt_stops_at_once() -> None:
    with Watch():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_the_handler_is_restored_when_the_work_fails() -> None:
    before = signal.getsignal(signal.SIGINT)
    watch = Watch()
    with pytest.raises(ZeroDivisionError), watch:
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is before
    with watch:
        assert signal.getsignal(signal.SIGINT) is not before


def test_a_watch_works_outside_the_main_thread() -> None:
    seen: list[object] = []
    before = signal.getsignal(signal.SIGINT)

    def work() -> None:
        with Watch(seconds=1000) as watch:
            watch.tick("here")
            seen.append(signal.getsignal(signal.SIGINT) is before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True]


def test_progress_is_shown_ten_times_a_second_at_most(clock: Clock) -> None:
    shown: list[Progress] = []
    with Watch(progress=shown.append) as watch:
        watch.tick("first", 0.1)
        clock.now += 0.05
        watch.tick("too soon", 0.2)
        clock.now += 0.06
        watch.tick("later")
    assert shown == [Progress(0.1, "first"), Progress(None, "later")]


def test_a_run_that_must_end_shows_nothing_more(clock: Clock) -> None:
    shown: list[Progress] = []
    with Watch(progress=shown.append) as watch:
        watch.cancel()
        with pytest.raises(Stopped):
            watch.tick("too late")
    assert shown == []


def test_seconds_left(clock: Clock) -> None:
    assert Watch().seconds_left == float("inf")
    with Watch(seconds=10) as watch:
        clock.now += 4
        assert watch.seconds_left == 6
        clock.now += 10
        assert watch.seconds_left == 0


def test_a_step_that_would_end_too_late_is_not_begun(clock: Clock) -> None:
    """A step takes as long as one of the last two, the shorter: a single long one says nothing of the next."""
    with Watch(seconds=10) as watch:
        for seconds in (1, 5, 1, 2):
            clock.now += seconds
            watch.tick("1, 6, 7 and 9 seconds")
        clock.now += 0.5
        watch.tick("the next one may take half a second")
        clock.now += 0.3
        with pytest.raises(Stopped):
            watch.tick("0.2 seconds are left, and a step takes 0.3")


def test_what_is_done_at_the_end_has_its_time(clock: Clock) -> None:
    with Watch(seconds=10) as watch:
        with watch.as_long_at_the_end(3):
            clock.now += 2
        assert watch.seconds_left == 2
        watch.tick("the end takes 6 of 10 seconds")
        clock.now += 2.5
        with pytest.raises(Stopped):
            watch.tick("5.5 are left")
    with Watch() as watch, watch.as_long_at_the_end(3):
        clock.now += 2
    assert watch.seconds_left == float("inf")


def test_work_that_looks_at_no_watch() -> None:
    assert wait_for(lambda: 3, Watch(), "") == 3
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 // 0, Watch(), "")


def test_nobody_waits_for_work_once_it_is_stopped() -> None:
    watch, never = Watch(), threading.Event()
    watch.cancel()
    with pytest.raises(Stopped) as stop:
        wait_for(never.wait, watch, "solving")
    assert stop.value.reason == "interrupted"
    never.set()


def test_work_that_can_be_told_to_end_has_ended() -> None:
    watch, wanted, ended = Watch(), threading.Event(), threading.Event()
    watch.cancel()

    def work() -> None:
        wanted.wait()
        ended.set()

    with pytest.raises(Stopped):
        wait_for(work, watch, "solving", wanted.set)
    assert ended.is_set()
