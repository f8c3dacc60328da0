"""What surrounds the code: packages, workflows, templates, citation, release process."""

import json
import re
import shlex
import tarfile
import tomllib
import zipfile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from _pytest.mark.expression import Expression
from packaging.requirements import Requirement
from packaging.version import Version

import incrowd
from sets import marks_of

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]


def loaded(path: str | Path) -> Any:
    """The plain data of a YAML file."""
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    """A module of scripts/."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return import_module(request.param)


# Versions of Python


def test_the_versions_of_python_are_the_same_everywhere() -> None:
    shown = [each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", each)]
    assert shown == VERSIONS
    assert PROJECT["project"]["requires-python"] == f">={VERSIONS[0]}"
    assert loaded(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == VERSIONS
    wheels = [f"cp{each.replace('.', '')}-*" for each in VERSIONS]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == wheels


# Workflows


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows(path: Path) -> None:
    plain = loaded(path)
    # YAML 1.1 takes `on` for true.
    assert {"name", True, "permissions", "jobs"} <= set(plain)
    assert plain["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for job in plain["jobs"].values():
        assert job.get("needs", "ready") in ("ready", "build", ["source", "wheels"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            words = shlex.split(step.get("run", ""))
            if words[:1] == ["make"]:
                assert words[1] in targets
            for word in words:
                assert not word.startswith(("scripts/", "tests/")) or (ROOT / word).exists()


@pytest.mark.parametrize("test_set", ["web", "engines"])
def test_what_make_test_leaves_out_is_run_elsewhere(test_set: str) -> None:
    """By continuous integration, and by `make test-all` with all the rest."""
    steps = loaded(".github/workflows/test.yml")["jobs"][test_set]["steps"]
    assert steps[-1]["run"] == f"make test-{test_set} PYTHON=python"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipes = dict(re.findall(r"^([a-z-]+):.*## .*\n((?:\t.*\n)*)", makefile, re.MULTILINE))
    assert recipes["test-all"].startswith("\t$(PYTEST) --hypothesis-profile=full\n")
    mark = "browser" if test_set == "web" else test_set
    assert recipes[f"test-{test_set}"] == f"\t$(PYTEST) -m {mark}\n"
    left = re.search(r'^QUICK := -m "(.+)"$', makefile, re.MULTILINE)
    assert left is not None
    quick = Expression.compile(left[1])
    for marks, runs in (({mark}, False), ({mark, "core"}, True), (set[str](), True)):
        assert quick.evaluate(lambda name, marks=marks, **_: name in marks) == runs


@pytest.mark.parametrize(
    ("nodeid", "fixtures", "marks"),
    [
        ("tests/web/test_way.py::test_adult", ["server", "the_browser", "browser"], ["browser"]),
        ("tests/web/test_login.py::test_a_key_opens_the_pages", ["keys", "the_browser", "visitor"], ["browser"]),
        ("tests/web/test_pages.py::test_steps_and_tools_in_their_order", ["tmp_path"], []),
        ("tests/engines/test_publish.py::test_no_rows[spark]", ["build"], ["engines"]),
        ("tests/engines/test_publish.py::test_no_rows[ibis_postgres]", ["build"], ["engines"]),
        ("tests/engines/test_publish.py::test_no_rows[ibis_duckdb]", ["build"], []),
    ],
)
def test_sets_are_known_by_what_a_test_asks_for(nodeid: str, fixtures: list[str], marks: list[str]) -> None:
    assert list(marks_of(SimpleNamespace(nodeid=nodeid, fixturenames=fixtures))) == marks  # type: ignore[arg-type]


def test_releases_need_no_password() -> None:
    publish = loaded(".github/workflows/release.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == {"name": "pypi"}
    assert "secrets." not in "".join(path.read_text("utf-8") for path in WORKFLOWS)


def test_other_settings() -> None:
    assert loaded(".github/dependabot.yml")["version"] == 2
    for hook in loaded(".pre-commit-config.yaml")["repos"][0]["hooks"]:
        assert {"id", "name", "entry", "language"} <= set(hook)
    for name in ("bug.yml", "idea.yml"):
        form = loaded(f".github/ISSUE_TEMPLATE/{name}")
        assert {"name", "description", "body"} <= set(form)
        assert all(part["type"] == "markdown" or part["id"] for part in form["body"])
    for name in ("CODE_OF_CONDUCT.md", ".github/pull_request_template.md"):
        assert (ROOT / name).read_text("utf-8").strip()


# Citation and release


def test_citation() -> None:
    plain = loaded("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(plain)
    assert plain["cff-version"] == "1.2.0"
    assert all(author.keys() & {"name", "family-names"} for author in plain["authors"])
    assert plain["version"] == incrowd.__version__
    assert plain["license"] == PROJECT["project"]["license"]


@pytest.mark.parametrize("script", ["release"], indirect=True)
def test_what_is_not_ready_is_not_released(script: Any, tmp_path: Path) -> None:
    text = '[project]\nversion = "0.2.0"\nurls = {Home = "https://example.org/x"}\n'
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "CITATION.cff").write_text("version: 0.1.0\ndate-released: 2026-01-01\n")
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n\n- new\n\n## 0.1.0 (2026-01-01)\n")
    assert script.faults(tmp_path, "v0.3.0") == [
        "CHANGELOG.md has no section '## 0.2.0 (DATE)'",
        "CITATION.cff is of version 0.1.0, pyproject.toml of 0.2.0",
        "the tag is v0.3.0, not v0.2.0",
        "CHANGELOG.md has changes under Unreleased: give them a version",
        "Home is a placeholder in pyproject.toml",
    ]
    (tmp_path / "pyproject.toml").write_text(text.replace("example.org", "incrowd.test"))
    (tmp_path / "CITATION.cff").write_text("version: 0.2.0\ndate-released: 2026-02-01\n")
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n\n## 0.2.0 (2026-01-01)\n\n- new\n")
    assert script.faults(tmp_path) == ["CITATION.cff says 2026-02-01, CHANGELOG.md 2026-01-01"]
    (tmp_path / "CITATION.cff").write_text("version: 0.2.0\ndate-released: 2026-01-01\n")
    assert script.faults(tmp_path, "v0.2.0") == []


def test_the_changelog_is_cut_into_versions() -> None:
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    versions = [re.fullmatch(r"(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)", head) for head in heads[1:]]
    assert all(versions)
    numbers = [Version(match[1]) for match in versions if match]
    assert numbers == sorted(numbers, reverse=True)
    assert str(numbers[0]) == incrowd.__version__


# Packages


def packed(path: Path, names: list[str]) -> str:
    """A package with empty files of these names."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            for name in names:
                wheel.writestr(name, "")
    else:
        with tarfile.open(path, "w:gz") as source:
            for name in names:
                source.addfile(tarfile.TarInfo(f"incrowd-1/src/{name}"), BytesIO())
    return str(path)


@pytest.mark.parametrize("script", ["packed"], indirect=True)
def test_what_packages_hold(script: Any, tmp_path: Path) -> None:
    needed = [*script.NEEDED, *script.KERNEL_SOURCES]
    compiled, made = f"{script.KERNELS}/compiled.cpython-311.so", f"{script.KERNELS}/compiled.c"
    wheel, source = tmp_path / "incrowd-1-cp311-cp311-manylinux_2_17_x86_64.whl", tmp_path / "incrowd-1.tar.gz"
    assert script.faults(packed(wheel, [*needed, compiled])) == []
    assert script.faults(packed(source, needed)) == []
    assert script.faults(packed(wheel, needed)) == [f"{wheel}: the kernels are not compiled"]
    assert script.faults(packed(source, [*needed, made])) == [f"{source}: {made} should not be there"]
    assert script.faults(packed(source, needed[1:])) == [f"{source}: {needed[0]} is not there"]
    plain = tmp_path / "incrowd-1-cp311-cp311-linux_x86_64.whl"
    assert script.faults(packed(plain, [*needed, compiled])) == [f"{plain}: it is not tagged as manylinux"]


def test_constraints_are_within_the_bounds() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    fixed = {name.lower(): version for name, _, version in (line.partition("==") for line in lines if line[:1] != "#")}
    extras = PROJECT["project"]["optional-dependencies"].values()
    asked = [Requirement(each) for listed in (PROJECT["project"]["dependencies"], *extras) for each in listed]
    for each in asked:
        if each.name != "incrowd":
            assert each.specifier.contains(fixed[each.name.lower()]), each


def test_every_bound_is_below_what_is_tested() -> None:
    """A library without a lower bound is not known to work in its first version."""
    for each in PROJECT["project"]["dependencies"]:
        assert ">=" in each


def test_the_container_does_not_run_as_root() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["incrowd"]
    command = next(json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD "))
    assert lines.index("USER incrowd") < lines.index(f"CMD {json.dumps(command)}")
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"}
    copied = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    assert set(copied) == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_make_lists_its_targets() -> None:
    shown = (ROOT / "Makefile").read_text("utf-8")
    for target in ("wheel", "oldest", "sbom", "smoke"):
        assert re.search(rf"^{target}:.*## ", shown, re.MULTILINE)
