"""incrowd measure"""

import json
from pathlib import Path

import pytest

from cli.command import Command
from comparison.tables import OTHERS, RANGES, written


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return written(tmp_path, ranges=RANGES, others=OTHERS)


def columns(files: dict[str, str]) -> tuple[str, ...]:
    return "-q", "age", "-q", f"town={files['regions']}", "-s", "income"


def test_text(run: Command, files: dict[str, str]) -> None:
    done = run("measure", files["original"], files["ranges"], files["others"], *columns(files))
    assert (done.code, done.error) == (0, "")
    assert "Quasi-identifiers: age, town.\nSensitive: income.\n" in done.out
    assert "Utility:" in done.out
    assert "Protection:" in done.out
    assert "\nloss " in done.out
    assert "  classification: no label" in done.out


def test_json(run: Command, files: dict[str, str]) -> None:
    words = ["--only", "loss,smallest_class", "--only", "query_error:size=10", "--seed", "3", "--json"]
    done = run("measure", files["original"], files["ranges"], *columns(files), *words)
    plain = json.loads(done.out)
    assert list(plain["yardsticks"]) == ["loss", "smallest_class", "query_error:size=10"]
    [release] = plain["releases"]
    assert release["readings"]["smallest_class"] == {"value": 3.0}
    assert release["readings"]["loss"]["parts"].keys() == {"age", "town", "sum"}
    assert release["smallest"] == 3


def test_details_and_a_map(run: Command, files: dict[str, str], tmp_path: Path) -> None:
    words = ["--without", "query_error,classifier_accuracy", "--details"]
    words += ["--map", str(tmp_path / "map.svg"), "--x", "utility_measure"]
    done = run("measure", files["original"], files["ranges"], *columns(files), *words)
    assert done.code == 0, done.error
    assert "query_error" not in done.out
    assert "distribution_distance" in done.out
    assert done.out.endswith(f"Map: {tmp_path / 'map.svg'}\n")
    assert (tmp_path / "map.svg").exists()


def test_orders_ranges_hierarchies_and_missing(run: Command, tmp_path: Path) -> None:
    paths = written(
        tmp_path,
        sizes="size,town,income\nsmall,Graz,20\nlarge,Leoben,?\nmedium,Linz,90\n",
        release="size,town,income\nsmall..large,*,20\nsmall..large,*,?\nsmall..large,*,90\n",
    )
    words = ["-q", "size,town", "-s", "income", "--scale", "size=small,medium,large", "--missing", "?"]
    words += ["--hierarchy", f"town={paths['regions']}", "--ranges", "income=0-30/80-99", "--label", "income", "--json"]
    done = run("measure", paths["sizes"], paths["release"], *words)
    assert done.code == 0, done.error
    readings = json.loads(done.out)["releases"][0]["readings"]
    assert readings["loss"]["value"] == 1.0
    assert readings["worst_group_protection"]["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no quasi-identifiers given"),
        (["-q", "agee"], "no column 'agee'"),
        (["-q", "age", "-s", "age"], "named more than once: 'age'"),
        (["-q", '"age'], "--quasi: a name cannot be parsed"),
        (["-q", "age", "--scale", "age"], "--scale: it must be a column and a value"),
        (["-q", "age", "--only", "los"], "there is no metric 'los'"),
        (["-q", "age", "--map", "map.pdf"], "the extension of the map file is '.pdf'"),
        (["-q", "town"], "2 of the 2 distinct cells of column 'town'"),
    ],
)
def test_misuse(run: Command, files: dict[str, str], words: list[str], message: str) -> None:
    done = run("measure", files["original"], files["ranges"], *words)
    assert done.code == 2
    assert message in done.error
    assert "Traceback" not in done.error
    assert "Styria" not in done.error


def test_the_time_is_up(run: Command, files: dict[str, str]) -> None:
    done = run("measure", files["original"], files["ranges"], *columns(files), "--time", "0")
    assert done.code in (0, 130)
    assert "Traceback" not in done.out + done.error
