"""Settings for the whole suite; its folder is on the import path, so tests can use `strategies`."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from postgres_server import postgres_programs, running

# No test depends on the time something takes.
settings.register_profile("incrowd", deadline=None)
settings.load_profile("incrowd")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server of its own, thrown away afterwards."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with running(programs) as url:
        yield url
