"""Profiles to start from: settings that follow from who gets the release, in every door."""

import random
from pathlib import Path

import pytest

import incrowd
from cli.command import Command
from incrowd.anonymization.first_models import _chance, first_models
from incrowd.core.frequencies import Counting
from incrowd.core.table import text_array
from incrowd.errors import IncrowdError
from incrowd.profiles import PROFILES, USUAL, Profile, faults

TABLE = {
    "age": [str(20 + at % 40) for at in range(300)],
    "town": ["NSEW"[at % 4] for at in range(300)],
    "diagnosis": [f"d{at % 13}" for at in range(300)],
    "disease": ["flu" if at % 2 else "cold" for at in range(300)],
}


def counted(values: list[str]) -> object:
    counting = Counting(["value"])
    counting.add([text_array(values)])
    return counting.result()


@pytest.mark.parametrize("different", [2, 3])
def test_the_chance_of_too_few_values_is_that_of_drawing(different: int) -> None:
    values = [*"a" * 50, *"b" * 30, *"c" * 15, *"d" * 5]
    chance = random.Random(1)
    drawn = [len(set(chance.choices(values, k=5))) < different for _ in range(40_000)]
    assert _chance(counted(values), 5, different) == pytest.approx(sum(drawn) / len(drawn), abs=0.01)  # type: ignore[arg-type]


def test_no_more_values_are_asked_for_than_there_are() -> None:
    found = first_models([counted([*"ab" * 50])], 11, 3)  # type: ignore[list-item]
    assert found.models == [{"distinct_l": {"l": 2, "column": "value"}}]
    assert first_models([counted([*"abc" * 50])], 11, 3).models == [{"distinct_l": {"l": 3, "column": "value"}}]  # type: ignore[list-item]
    # What would cost much is asked for less, or not at all.
    rare = [*"a" * 60, *"b" * 39, "c"]
    assert first_models([counted(rare)], 11, 3).models == [{"distinct_l": {"l": 2, "column": "value"}}]  # type: ignore[list-item]
    assert first_models([counted([*"a" * 99, "b"])], 5, 3).models == []  # type: ignore[list-item]
    assert first_models([counted([*"a" * 99])], 5, 3).constant == ["value"]  # type: ignore[list-item]


def test_each_profile_says_why() -> None:
    assert list(PROFILES.ranked()) == ["internal", "research", "public"]
    made = [PROFILES.module(name).PROFILE for name in PROFILES.ranked()]
    assert sorted(each.k for each in made) == [each.k for each in made] == [3, 5, 11]
    for name in PROFILES.ranked():
        assert PROFILES.meaning(name).endswith(".")
        assert all(reason.why and reason.source for reason in PROFILES.module(name).PROFILE.reasons.values())


def test_a_profile_that_lacks_something_is_refused() -> None:
    class Module:
        PROFILE = Profile(1, 0.1)

    assert faults(Module) == ["it has no reason for k and suppress and l", "k, suppress or l is out of range"]
    Module.PROFILE = 3  # type: ignore[assignment]
    assert faults(Module) == ["its PROFILE is not a Profile"]


def test_a_first_job_starts_from_a_profile(tmp_path: Path) -> None:
    import pyarrow as pa

    table = pa.table(TABLE)
    plain = incrowd.init(table)
    assert plain.job.to_dict()["suppress"] in (0.01, "1%")
    assert plain.job.models[0].k == USUAL.k  # type: ignore[attr-defined]
    public = incrowd.init(table, profile="public")
    models = public.to_dict()["models"]
    assert models[0] == {"k_anonymity": {"k": 11}}
    assert {"distinct_l": {"l": 3, "column": "diagnosis"}} in models
    assert {"distinct_l": {"l": 3, "column": "disease"}} not in models
    assert "Profile public: A public file" in public.to_yaml()
    assert "(El Emam" in public.to_yaml()
    # What is given counts.
    given = incrowd.init(table, k=7, suppress=0.5, profile="public").to_dict()
    assert (given["models"][0], given["suppress"]) == ({"k_anonymity": {"k": 7}}, 0.5)
    assert incrowd.anonymize(table, public.job).verdict.holds


def test_an_unknown_profile_is_refused_before_the_table_is_read() -> None:
    with pytest.raises(IncrowdError, match="no_such"):
        incrowd.init("there is no such file.csv", profile="no_such")


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [",".join(row) for row in zip(*TABLE.values(), strict=True)]
    Path("people.csv").write_text("\n".join([",".join(TABLE), *rows]) + "\n")
    command = Command(monkeypatch, capsys)
    done = command("init", "people.csv", "-o", "-", "--profile", "internal")
    assert "{k_anonymity: {k: 3}}" in done.out
    assert "# Profile internal: Within an institution" in done.out
    done = command("init", "people.csv", "-o", "-", "--profile", "internal", "--k", "9", "--suppress", "3%")
    assert "{k_anonymity: {k: 9}}" in done.out
    assert "suppress: 0.03" in done.out
    done = command("init", "people.csv", "-o", "-", "--profile", "everybody")
    assert done.code == 2
    assert "internal" in done.error


def test_the_documentation_has_every_profile() -> None:
    page = (Path(__file__).parents[2] / "docs" / "anonymize.md").read_text(encoding="utf-8")
    for name in PROFILES.ranked():
        made = PROFILES.module(name).PROFILE
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert row.endswith(f"| {made.k} | {100 * made.suppress:g}% | {made.l} |")
