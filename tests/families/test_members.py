"""How members are found, named and refused."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from families.outside import MEMBERS, describe
from incrowd.errors import UsageError
from incrowd.families import FAMILIES, MODELS, SEARCHES, Family, found
from incrowd.jobs import families as jobs


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.folder)
def test_every_member_of_our_own_is_complete(family: Family) -> None:
    assert family.refused() == {}
    assert len(family.modules()) >= 3


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.folder)
def test_a_member_of_another_package_is_one_of_all(family: Family, outside: Path) -> None:
    name = MEMBERS[family.folder]
    assert name in family.modules()
    assert family.ranked().index(name) >= 0
    assert family.meaning(name)
    assert family.refused() == {}


def test_an_alias_means_the_member(outside: Path) -> None:
    assert SEARCHES.spell(SEARCHES.member("careful:effort=2")) == "thorough:effort=2"
    assert "careful" not in SEARCHES.modules()


LACKING = {
    "models": ("MODEL", "it lacks .*textbook"),
    "metrics": ("METRIC", "it lacks .*prepare"),
    "release_metrics": ("RELEASE_METRIC", "it lacks .*measure"),
    "searches": ("SEARCH", "it declares no kind"),
    "scores": ("SCORE", "it lacks .*most"),
    "hierarchies": ("build", "its build takes no values"),
    "tables.rules": ("RULE", "it lacks .*needed"),
    "tables.protections": ("PROTECTION", "it lacks .*protect"),
    "attacks": ("ATTACK", "it lacks .*on"),
    "formats": ("open", "it lacks KIND, OPTIONS"),
    "proposing": ("judge", "its judge does not take a table"),
}
"""By family what a member declares, and what is missing where it declares nothing else."""

FUNCTIONS = ("build", "open", "judge")
"""What members declare that are modules with a function."""


@pytest.fixture
def incomplete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package whose members lack something, and one that cannot be imported."""
    (tmp_path / "hollow.py").write_text(
        "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Hollow:\n    x: int = 1\n\n\n"
        + "".join(f"{declared} = Hollow\n" for declared, _ in LACKING.values() if declared not in FUNCTIONS)
        + "".join(f"def {declared}(): ...\n" for declared in FUNCTIONS)
    )
    (tmp_path / "broken.py").write_text("import there_is_no_such_library\n")
    (tmp_path / "bare.py").write_text("")
    (tmp_path / "plain.py").write_text("".join(f"{declared} = object()\n" for declared, _ in LACKING.values()))
    modules = ("hollow", "broken", "bare", "plain")
    describe(tmp_path, "incomplete", {family: {name: name for name in modules} for family in LACKING})
    monkeypatch.syspath_prepend(str(tmp_path))
    found.cache_clear()
    yield
    for name in modules:
        sys.modules.pop(name, None)
    found.cache_clear()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.folder)
def test_an_incomplete_member_is_refused_by_name(family: Family, incomplete: None) -> None:
    declared, lacking = LACKING[family.folder]
    with pytest.raises(UsageError, match=f"{family.one} hollow: it is refused: .*{lacking}.*; update or remove"):
        family.module("hollow")
    with pytest.raises(UsageError, match=r"broken: it is refused: it cannot be imported \(ModuleNotFoundError\)"):
        family.module("broken")
    with pytest.raises(UsageError, match=f"bare: it is refused: it declares no {declared}"):
        family.module("bare")
    with pytest.raises(UsageError, match="plain: it is refused"):
        family.module("plain")
    # The others work, and no list has it.
    assert set(family.refused()) == {"hollow", "broken", "bare", "plain"}
    assert not set(family.refused()) & set(family.modules())
    assert len(family.modules()) >= 3


def test_a_job_names_the_incomplete_member(incomplete: None) -> None:
    with pytest.raises(ValueError, match="search hollow: it is refused"):
        jobs.SEARCHES.member("hollow")
    with pytest.raises(UsageError, match="model hollow: it is refused"):
        MODELS.member("hollow:x=1")


def test_nobody_takes_a_name_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    describe(tmp_path, "bold", {"models": {"k_anonymity": "there.is.nothing"}})
    monkeypatch.syspath_prepend(str(tmp_path))
    found.cache_clear()
    try:
        assert MODELS.refused() == {}
        assert MODELS.module("k_anonymity").__name__ == "incrowd.models.k_anonymity"
    finally:
        found.cache_clear()
