"""The example job, its hierarchies, the Python example and the demonstration do what they promise.

The release is judged with plain Python, so that nothing of the package vouches for itself.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path

import pytest
import yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
QUASI = ("birth_date", "sex", "postcode", "nationality", "admission_date")

Row = dict[str, str]


def run(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of this installation as a user does."""
    beside = Path(sys.executable).parent
    return subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def read_rows(path: Path) -> list[Row]:
    """Read a table with every cell as text."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the examples, and the release that the example job makes."""
    found = tmp_path_factory.mktemp("examples")
    shutil.copytree(EXAMPLES, found / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    made = run("incrowd", "anonymize", "examples/hospital.yaml", "--uniform", folder=found)
    assert made.returncode == 0, made.stderr
    return found


@pytest.fixture(scope="module")
def release(folder: Path) -> list[Row]:
    """The records of the release."""
    return read_rows(folder / "examples" / "hospital-release.csv")


def test_every_class_is_a_crowd_with_several_diagnoses(release: list[Row]) -> None:
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in release:
        classes[tuple(row[column] for column in QUASI)].append(row["diagnosis"])
    assert min(map(len, classes.values())) >= 5
    assert min(len(set(diagnoses)) for diagnoses in classes.values()) >= 3


def test_at_most_a_fiftieth_is_left_out(release: list[Row]) -> None:
    assert 4_900 <= len(release) < 5_000


def test_only_what_the_job_names_is_published(release: list[Row]) -> None:
    assert list(release[0]) == [*QUASI, "diagnosis"]


def test_labels_are_true(release: list[Row]) -> None:
    """What is published about ages, regions and years is what the table says, however the records are ordered."""
    published = Counter((row["birth_date"], row["sex"], row["postcode"], row["admission_date"]) for row in release)
    true = Counter(
        (interval(row["birth_date"]), row["sex"], region(row["postcode"]), row["admission_date"][:4])
        for row in read_rows(EXAMPLES / "hospital.csv")
    )
    assert not published - true


def interval(born: str) -> str:
    """The twenty years in which the age at the end of 2024 lies."""
    birth = date.fromisoformat(born)
    age = 2024 - birth.year - ((birth.month, birth.day) > (12, 31))
    return f"{age // 20 * 20}-{age // 20 * 20 + 19}"


def region(postcode: str) -> str:
    """A postcode without its last two digits; a missing one stays missing."""
    return postcode[:3] + "**" if postcode else ""


def test_the_private_record_is_its_owners_alone(folder: Path) -> None:
    mode = (folder / "examples" / "hospital-release.csv.record.json").stat().st_mode
    assert mode & 0o077 == 0


def test_the_release_is_ignored_by_git() -> None:
    ignored = (EXAMPLES.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "examples/hospital-release.csv*" in ignored


def test_the_job_is_shown_as_it_is() -> None:
    """The pages that print the job print this one."""
    comment, _, job = (EXAMPLES / "hospital.yaml").read_text(encoding="utf-8").partition("\n")
    assert comment.startswith("#")
    for page in ("README.md", "docs/jobs.md"):
        assert f"```yaml\n{job}```" in (EXAMPLES.parent / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("column", ["nationality", "diagnosis"])
def test_hierarchies_have_every_value_once(column: str) -> None:
    there = {row[column] for row in read_rows(EXAMPLES / "hospital.csv")}
    table = EXAMPLES / "hierarchies" / f"{column}.csv"
    if table.exists():
        listed = [line.partition(";")[0] for line in table.read_text(encoding="utf-8").splitlines()]
    else:
        listed = list(leaves(yaml.safe_load(table.with_suffix(".yaml").read_text(encoding="utf-8"))))
    assert sorted(listed) == sorted(there)


def leaves(groups: object) -> list[str]:
    """The values of groups within groups."""
    if isinstance(groups, dict):
        return [leaf for inside in groups.values() for leaf in leaves(inside)]
    return [leaf for each in groups for leaf in leaves(each)] if isinstance(groups, list) else [str(groups)]


def test_the_python_example(folder: Path) -> None:
    done = run(sys.executable, "examples/anonymize_frame.py", folder=folder)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("{")]
    crowds = Counter(line.partition(", 'illness'")[0] for line in rows)
    assert len(rows) == 8
    assert min(crowds.values()) >= 3
    assert not any(name in done.stdout for name in ("Ada", "Hamza"))


def test_the_demonstration(folder: Path) -> None:
    done = run("sh", "examples/demo.sh", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "birth_date,sex,postcode,nationality,admission_date,diagnosis" in done.stdout
    assert "read again and checked: verified." in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("$ head")]
    assert not Path(line.rpartition(" ")[2]).exists()
