"""Skewness beside the population, whose shares an attacker knows (Samarati, FOSAD 2008, slide 63; FX-SAM-6)."""

from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from attacks.test_columns import GROUPS, VALUES, histogram
from attacks.test_models import exposed_although
from cli.command import Command
from incrowd.attacks._shares import UNIT, Shares
from incrowd.attacks.skewness import Skewness
from incrowd.errors import UsageError
from incrowd.models import parse

DISEASES = ("diabetes", "short breath", "diabetes", "diabetes")
BLOCK = polars.DataFrame(
    [("black", "64", "F", "941**", disease) for disease in DISEASES],
    schema=["race", "dob", "sex", "zip", "disease"],
    orient="row",
)
COLUMNS = dict.fromkeys(["race", "dob", "sex", "zip"], "quasi") | {"disease": "sensitive"}
LECTURE = {"disease": {"diabetes": 0.2}}


def attacked(shares: Any, release: Any = BLOCK, attack: str = "skewness") -> Any:
    [exposure] = incrowd.attack(release, COLUMNS, [attack], shares=shares).exposures
    return exposure


def test_the_lecture_s_block_is_skewed_beside_the_population_alone() -> None:
    """A release of this one block has nothing to be compared with: its diabetes is as frequent as in all of it."""
    assert attacked(None).records == 0
    found = attacked(LECTURE)
    assert (found.records, found.classes) == (4, 1)
    assert found.worst.told == "a value in 3 of 4 records, 3.8 times as often as in the population"
    assert found.stopped_by.startswith("frequency_l:l=3,column=disease (only if records are suppressed")
    assert "1 value of the release has no share of its own: compared with the rest of 80.0%" in found.note
    assert not attacked({"disease": {"diabetes": 0.2, "short breath": 0.8}}).note


@pytest.mark.parametrize(("factor", "records"), [(3.74, 4), (3.75, 0), (3.76, 0)])
def test_just_so_many_times_is_not_more(factor: float, records: int) -> None:
    assert attacked(LECTURE, attack=f"skewness:factor={factor}").records == records


def test_every_door_takes_a_file_or_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = Command(monkeypatch, capsys)
    monkeypatch.chdir(tmp_path)
    BLOCK.write_csv("block.csv")
    Path("shares.csv").write_text("disease,share\ndiabetes,0.2\nshort breath,0.3\nflu,0.5\n", "utf-8")
    said = ["-q", "race,dob,sex,zip", "-s", "disease", "--only", "skewness"]
    for shares in ("shares.csv", "disease=diabetes:0.2", "disease=diabetes:0.2,short breath:0.8"):
        result = command("attack", "block.csv", *said, "--shares", shares)
        assert result.code == 1
        assert "3.8 times as often as in the population" in result.out
        assert attacked(shares, "block.csv").records == 4
    assert command("attack", "block.csv", *said).code == 0
    assert attacked(polars.read_csv("shares.csv")).records == 4


def test_values_are_found_by_their_text() -> None:
    release = polars.DataFrame({"town": ["a"] * 4, "children": [0, 3, 3, 3]})
    columns = {"town": "quasi", "children": "sensitive"}
    for shares in ({"children": {3: 0.1}}, {"children": {"3": 0.1}}, ["children=3:0.1"]):
        [found] = incrowd.attack(release, columns, ["skewness"], shares=shares).exposures
        assert found.records == 4


def test_a_comma_in_a_value() -> None:
    release = BLOCK.with_columns(polars.col("disease").replace("diabetes", "diabetes, type 2"))
    assert attacked("disease=diabetes\\, type 2:0.2", release).records == 4


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({"disease": {"diabetes": 0.2, "flu": 0.1}}, "1 value of 2 is not in the release"),
        ({"disease": {"flu": 1}}, "sum to 1, but 2 values of the release have none"),
        ({"disease": {"diabetes": 0.9, "short breath": 0.2}}, "sum to 1.1"),
        ({"disease": {"diabetes": 1.0}}, "sum to 1, but 1 value of the release has none"),
        ({"disease": {"diabetes": 0}}, "above 0"),
        ({"disease": {"diabetes": "many"}}, "above 0"),
        ({"disease": {"diabetes": True}}, "above 0"),
        ({"disease": {"diabetes": float("nan")}}, "above 0"),
        ({"disease": {}}, "there are none"),
        ({"disease": 0.2}, "have no values"),
        ({"race": {"black": 0.2}}, "no column 'race'"),
        (["disease=diabetes:0.2", {"disease": {"diabetes": 0.2}}], "more than once"),
        ("disease=diabetes:0.2,diabetes:0.3", "twice"),
        ("diabetes:0.2", "no column named"),
        ("disease=diabetes,flu:0.2", "has no share"),
        (polars.DataFrame({"illness": ["diabetes"], "share": [0.2]}), "'disease'.*'share'"),
        (polars.DataFrame({"disease": ["diabetes"] * 2, "share": [0.2, 0.3]}), "twice"),
        (polars.DataFrame({"disease": ["diabetes"] * 2, "share": [0.2, 0.2]}), "twice"),
    ],
)
def test_shares_that_do_not_fit_are_refused_without_values(shares: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        attacked(shares)
    told = str(refused.value)
    assert "\n" not in told
    assert not any(value in told for value in ("diabetes", "short breath", "black", "many"))


def test_missing_cells_are_no_value_of_the_population() -> None:
    release = BLOCK.with_columns(disease=polars.Series([None, None, None, "diabetes"], dtype=polars.String))
    assert attacked(LECTURE, release).records == 0
    assert attacked({"disease": {"diabetes": 0.9, None: 0.1}}, release).records == 4


SHARES = st.dictionaries(
    st.sampled_from([*VALUES, None]), st.integers(1, 8).map(lambda part: part * UNIT // 50), max_size=6
)


@settings(max_examples=150)
@given(GROUPS, SHARES, st.sampled_from([1, 1.5, 2, 3]), st.sampled_from([0.2, 0.5, 1]))
def test_against_the_definition(groups: list[list[Any]], listed: Any, factor: float, share: float) -> None:
    there = {value for group in groups for value in group if value is not None}
    listed = {value: part for value, part in listed.items() if value is None or value in there}
    attack = Skewness(factor, share).against(Shares("value", listed))
    assert isinstance(attack, Skewness)
    seen = histogram(groups, VALUES)
    assert attack.of_column(seen).records == attack.textbook(groups)
    assert exposed_although(parse(attack.stopped_by("value", seen).partition(" (")[0]), attack, seen) == 0
