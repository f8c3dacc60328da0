"""incrowd report, and --report of other commands"""

import json
from pathlib import Path

import pytest

from cli.command import Command
from reports.releases import ROWS, released, written


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_a_release(run: Command, tmp_path: Path) -> None:
    released(tmp_path)
    done = run("report", tmp_path / "release.csv", "-o", tmp_path / "report.html")
    assert (done.code, done.error) == (0, "")
    assert done.out == f"Report (internal: do not share): {tmp_path / 'report.html'}\n"
    assert "town: before and as published" in (tmp_path / "report.html").read_text("utf-8")
    done = run("report", tmp_path / "release.csv", "--external", "-o", tmp_path / "external.html")
    assert done.out == f"Report: {tmp_path / 'external.html'}\n"
    assert "before and as published" not in (tmp_path / "external.html").read_text("utf-8")


def test_printed(run: Command, tmp_path: Path) -> None:
    released(tmp_path)
    assert run("report", tmp_path / "release.csv").out.startswith("# Release release.csv\n")
    plain = json.loads(run("report", tmp_path / "release.csv", "--external", "--json").out)
    assert (plain["kind"], plain["audience"]) == ("release", "external")
    # A file is written besides.
    done = run("report", tmp_path / "release.csv", "--external", "--json", "-o", tmp_path / "external.html")
    assert json.loads(done.out) == plain
    assert (tmp_path / "external.html").exists()


def test_a_table(run: Command, tmp_path: Path) -> None:
    path = written(tmp_path)
    plain = json.loads(run("report", path, "--among", "age,town", "--json").out)
    assert (plain["kind"], plain["records"], plain["among"]) == ("diagnosis", len(ROWS), ["age", "town"])
    done = run("report", path, "--original", path)
    assert done.code == 2
    assert "no manifest lies beside the file" in done.error


def test_record_and_original_elsewhere(run: Command, tmp_path: Path) -> None:
    released(tmp_path)
    (tmp_path / "release.csv.record.json").rename(tmp_path / "kept.json")
    (tmp_path / "rows.csv").rename(tmp_path / "kept.csv")
    words = ["--record", tmp_path / "kept.json", "--original", tmp_path / "kept.csv", "--json"]
    plain = json.loads(run("report", tmp_path / "release.csv", *words).out)
    assert plain["risk_before"]["records"] == len(ROWS)
    assert plain["notes"] == []


def test_several_releases(run: Command, tmp_path: Path) -> None:
    released(tmp_path)
    released(tmp_path, output=str(tmp_path / "other.csv"), models=["k_anonymity:k=12"])
    files = [tmp_path / "release.csv", tmp_path / "other.csv"]
    done = run("report", *files)
    assert done.code == 2
    assert "--original" in done.error
    assert run("report", *files, "--original", tmp_path / "rows.csv", "-o", tmp_path / "map.html").code == 0
    assert "Risk-utility map" in (tmp_path / "map.html").read_text("utf-8")


def test_refusals(run: Command, tmp_path: Path) -> None:
    done = run("report", written(tmp_path), "-o", tmp_path / "report.pdf")
    assert (done.code, done.out) == (2, "")
    assert ".html, .md, .json" in done.error


def test_report_of_diagnose(run: Command, tmp_path: Path) -> None:
    done = run("diagnose", written(tmp_path), "-k", 5, "--quasi", "age,town", "--report", tmp_path / "d.md")
    assert done.code == 1
    text = (tmp_path / "d.md").read_text("utf-8")
    assert done.out.strip() in text.replace("\\", "")
    assert run("diagnose", tmp_path / "rows.csv", "--report", tmp_path / "nowhere" / "d.md").code == 2


def test_report_of_anonymize(run: Command, tmp_path: Path) -> None:
    path = written(tmp_path)
    words = ["-q", "age", "-q", "town", "-s", "disease", "-m", "k_anonymity:k=3", "-o", tmp_path / "release.csv"]
    done = run("anonymize", path, *words, "--report", tmp_path / "a.json")
    assert done.code == 0, done.error
    plain = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert plain["risk_before"]["records"] == len(ROWS)
    assert plain["verdict"] == "holds"
    shown = run("anonymize", path, *words, "--report", tmp_path / "a.json", "--show", "command").out
    assert "--report" not in shown


def test_report_of_measure(run: Command, tmp_path: Path) -> None:
    released(tmp_path)
    words = ["--only", "loss,smallest_class", "--report", tmp_path / "m.json"]
    assert run("measure", tmp_path / "rows.csv", tmp_path / "release.csv", *words).code == 0
    plain = json.loads((tmp_path / "m.json").read_text("utf-8"))
    assert [each["name"] for each in plain["readings"]] == ["loss", "smallest_class"]
