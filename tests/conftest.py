"""Settings for the whole suite; its folder is on the import path, so tests can use `strategies`."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

from effort import is_quick
from postgres_server import postgres_programs, running
from sets import marks_of

# Threads of scikit-learn that wait for each other sleep, here and in the processes that tests start: other workers have
# something to do meanwhile.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# No test depends on the time something takes. `quick` is the same in every run; `full`, which --hypothesis-profile=full
# asks for, is new in every run, with as many examples as a test names.
settings.register_profile("quick", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("full", deadline=None)
settings.load_profile("quick")


def pytest_configure(config: pytest.Config) -> None:
    """Let each worker begin elsewhere to collect: it finds compiled what the others have come past."""
    # What is collected stays, so the garbage collector would look through more and more in vain.
    gc.disable()
    worker = getattr(config, "workerinput", None)
    here = Path(__file__).parent
    if worker is not None and [Path(each).resolve() for each in config.args] == [here]:
        parts = [str(each) for each in sorted(here.iterdir()) if each.is_dir() or each.match("test_*.py")]
        start = int(worker["workerid"].removeprefix("gw")) * len(parts) // worker["workercount"]
        config.args = [*parts[start:], *parts[:start]]


LARGE = ("spark", "browser", "second browser")
"""Shares that take the longest."""


def worker_share(nodeid: str) -> str:
    """What goes to one worker together: all that needs Spark, half of what needs a browser, else a file."""
    path, _, name = nodeid.partition("::")
    if "spark" in name:
        return "spark"
    if path.startswith("tests/web/") and path < "tests/web/test_l":
        return "browser"
    return "second browser" if path.startswith("tests/web/") or path.endswith(("_browser.py", "_site.py")) else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Under `-n`, Spark starts once, the browser twice."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = worker_share  # type: ignore[method-assign]
    return scheduler


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the largest shares, in the same order everywhere; in the quick profile, limit examples."""
    for item in items:
        for mark in marks_of(item):
            item.add_marker(mark)
    items.sort(key=lambda item: (worker_share(item.nodeid) not in LARGE, item.nodeid.partition("::")[0]))
    if is_quick():
        properties = Counter(item.obj for item in items if is_property(item))
        for test, members in properties.items():
            named = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
            most = min(named.max_examples, examples_for_each_of(members))
            test._hypothesis_internal_use_settings = settings(named, max_examples=most)


def is_property(item: pytest.Item) -> bool:
    """Whether Hypothesis makes the examples of a test."""
    return hasattr(getattr(item, "obj", None), "is_hypothesis_test")


def examples_for_each_of(members: int) -> int:
    """A property that is asked of many members shares its examples among them: each has others, and at least eight."""
    return max(8, min(settings.default.max_examples, 120 // members))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draw other examples for each member that a property is asked of, the same in every run."""
    if is_quick() and is_property(item):
        item.obj._hypothesis_internal_use_seed = crc32(item.nodeid.encode())  # type: ignore[attr-defined]


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: modules, and tests by the thousand."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let the end of the process find everything again."""
    gc.unfreeze()


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """For time limits, a clock that goes on by a millisecond when it is looked at: a busy machine does as much."""
    now = count(1000, 0.001)
    monkeypatch.setattr("incrowd.watch.time", SimpleNamespace(monotonic=lambda: next(now)))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server of its own, thrown away afterwards."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with running(programs) as url:
        yield url
