"""incrowd serve as a process: what it prints, what it refuses, how it ends and how it goes on."""

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from cli.command import Command
from incrowd.client import Client
from service.spaces import K_OF_WIDE, PEOPLE, job_for, wide_table


class Serving:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *more: str) -> None:
        command = [sys.executable, "-m", "incrowd", "serve", "--port", "0", "--workspace", str(folder), *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        self.address = self.first.split()[-1].removesuffix("/v1/openapi.json").rstrip("/")

    def end(self, number: int) -> tuple[int, str]:
        """Its exit code and what it complained about."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=300)
        return self.process.returncode, errors


def test_a_public_address_needs_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    incrowd = Command(monkeypatch, capsys)
    space = ("--workspace", tmp_path / "space")

    def refused(*words: object) -> str:
        done = incrowd("serve", *words)
        assert done.code == 2
        assert done.error.count("\n") == 1
        return done.error

    assert "anyone who can reach this address" in refused("--host", "0.0.0.0", *space)
    assert "trusted only from a proxy" in refused("--user-header", "X-User", *space)
    assert "--keys FILE" in refused("--add-key", "ann")
    assert not (tmp_path / "space").exists()


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    """Runs that wait and runs that are on, with kill -9: all that was accepted ends after the next start."""
    server = Serving(tmp_path / "space", "--api-only")
    assert server.first.startswith("Service: http://127.0.0.1:")
    with Client(server.address) as client:
        wide = client.upload(wide_table().encode(), "wide.csv")
        people = client.upload(PEOPLE.encode(), "people.csv")
        runs = [client.diagnose(wide, k=K_OF_WIDE, time=1) for _ in range(2)]
        runs += [client.anonymize(job_for(people.id)) for _ in range(2)]
        client.run(runs[0], wait=1)
    assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    again = Serving(tmp_path / "space", "--api-only")
    with Client(again.address) as client:
        assert [client.wait(run, 300).state for run in runs] == ["done"] * len(runs)
        assert len(client.runs()) == len(runs)
        client.diagnose(wide, k=K_OF_WIDE)
    code, errors = again.end(signal.SIGTERM)
    assert (code, errors) in ((0, ""), (-signal.SIGTERM, ""))


def test_keys_and_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    keys = str(tmp_path / "keys")
    made = Command(monkeypatch, capsys)("serve", "--keys", keys, "--add-key", "ann").out.split()[-1]
    server = Serving(tmp_path / "space", "--keys", keys)
    try:
        assert server.first.startswith("Web app: ")
        with Client(server.address, made) as client:
            assert client.about()["limits"]["databases"] == 0
        with httpx.Client(base_url=server.address, follow_redirects=True) as browser:
            assert browser.get("/", headers={"Accept": "text/html"}).url.path == "/login"
            answer = browser.post("/login", data={"key": made})
            assert (answer.status_code, answer.url.path) == (200, "/")
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            assert "https://" not in answer.text.replace("https://nicegui.io", "")
    finally:
        code, errors = server.end(signal.SIGINT)
    assert errors == ""
    assert code == 0
