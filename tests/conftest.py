"""Settings for the whole suite; its folder is on the import path, so tests can use `strategies`."""

import gc
from collections import Counter
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

from effort import is_quick
from postgres_server import postgres_programs, running

# No test depends on the time something takes. `quick` is the same in every run; `full`, which --hypothesis-profile=full
# asks for, is new in every run, with as many examples as a test names.
settings.register_profile("quick", deadline=None, max_examples=20, derandomize=True)
settings.register_profile("full", deadline=None)
settings.load_profile("quick")


def worker_share(nodeid: str) -> str:
    """What goes to one worker together: all that needs Spark, all that needs a browser, else the tests of a file."""
    path, _, name = nodeid.partition("::")
    if "spark" in name:
        return "spark"
    return "browser" if path.startswith("tests/web/") or path.endswith(("test_browser.py", "test_site.py")) else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Under `-n`, Spark and the browser start once."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = worker_share  # type: ignore[method-assign]
    return scheduler


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the largest shares; in the quick profile, limit the examples of each property."""
    items.sort(key=lambda item: worker_share(item.nodeid) not in ("spark", "browser"))
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
    return max(8, min(settings.default.max_examples, 160 // members))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draw other examples for each member that a property is asked of, the same in every run."""
    if is_quick() and is_property(item):
        item.obj._hypothesis_internal_use_seed = crc32(item.nodeid.encode())  # type: ignore[attr-defined]


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: modules, and tests by the thousand."""
    gc.collect()
    gc.freeze()


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
