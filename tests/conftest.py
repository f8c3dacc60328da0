"""Settings for the whole suite; its folder is on the import path, so tests can use `strategies`."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from postgres_server import postgres_programs, running

# No test depends on the time something takes. `quick` is the same in every run; `full`, which --hypothesis-profile=full
# asks for, is new in every run, with as many examples as a test names.
settings.register_profile("quick", deadline=None, max_examples=20, derandomize=True)
settings.register_profile("full", deadline=None)
settings.load_profile("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the quick profile, lower the number of examples of the tests that name a higher one."""
    if settings.get_current_profile_name() != "quick":
        return
    most = settings.default.max_examples
    for item in items:
        test = getattr(item, "obj", None)
        named = getattr(test, "_hypothesis_internal_use_settings", None)
        if named is not None and named.max_examples > most:
            test._hypothesis_internal_use_settings = settings(named, max_examples=most)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server of its own, thrown away afterwards."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with running(programs) as url:
        yield url
