"""While a release is verified, the run says so: a service ends a stopped run that it does not hear from."""

import time
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.anonymization import writing
from incrowd.watch import Progress


def test_progress_goes_on_while_a_release_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "people.csv").write_text("age,town\n" + "30,u\n31,u\n40,v\n41,v\n" * 3)
    heard: list[str] = []
    verify = writing.verify

    def slow(*given: Any) -> Any:
        until = time.monotonic() + 60
        while "verifying the release" not in heard and time.monotonic() < until:
            time.sleep(0.01)
        return verify(*given)

    monkeypatch.setattr(writing, "verify", slow)
    columns = {"age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10]}}}, "town": "quasi"}
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "output": {"to": str(tmp_path / "out.csv")}}

    def show(progress: Progress) -> None:
        heard.append(progress.words)

    made = incrowd.anonymize(str(tmp_path / "people.csv"), job, progress=show)
    assert made.verdict.holds
    assert "verifying the release" in heard
