"""What the caller's own `progress` raises comes out of a run as it is, wherever the run was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.hospital import hospital_job, in_arrow
from incrowd import watch
from incrowd.watch import Progress

Build = Callable[[str, pa.Table], Any]

pytestmark = [pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS]


@pytest.mark.parametrize("failure", [ValueError("mine"), OSError("mine"), pa.ArrowInvalid("mine")], ids=repr)
@pytest.mark.parametrize("at", ["counting", "records written", "computing"])
def test_progress_that_fails(
    build: Build, failure: Exception, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every tick is shown, however soon it comes.
    monkeypatch.setattr(watch.Watch, "_shown", property(lambda self: 0.0, lambda self, now: None), raising=False)

    def show(progress: Progress) -> None:
        if at in progress.words:
            raise failure

    to = {"output": {"to": f"sqlite:///{tmp_path}/release.db", "table": "release"}}
    with pytest.raises(type(failure)) as caught:
        incrowd.anonymize(build("duckdb", in_arrow()), hospital_job({"k_anonymity": {"k": 2}}, **to), show)
    assert caught.value is failure
    assert caught.value.__cause__ is None
    assert list(tmp_path.glob("*.json")) == []
