"""Linkage by people in a release of several tables, against an attacker who tries everything that may be known."""

from typing import Any

import pytest

import incrowd
from incrowd.errors import UsageError
from linked.test_diagnosis import COLUMNS, fewest
from linked_sets import Frames, job_of, small_set


def texts(frames: Any) -> Frames:
    """The cells as text, but for the keys."""
    return {
        name: frame.assign(**{each: frame[each].astype(str) for each in frame.columns if each not in ("id", "visit")})
        for name, frame in frames.items()
    }


@pytest.mark.parametrize("assumed", ["record", "history"])
@pytest.mark.parametrize("seed", range(4))
def test_people_are_found_as_by_hand(seed: int, assumed: str) -> None:
    """Whatever the release assumes and whatever is known: one record, two of them, all."""
    frames = small_set(seed, people=24)
    made = incrowd.anonymize(frames, job_of(frames, knows=assumed))
    if not made.manifest.people:
        return
    found = incrowd.attack(made, attacks=["linkage:k=3"], knows=["record", 2, "history"])
    assert [each.knows for each in found.linkage] == ["record", "2", "history"]
    for each, knows in zip(found.linkage, ("record", 2, "history"), strict=True):
        alike = list(fewest(texts(made.frames), knows, COLUMNS).values())
        assert each.people == len(alike) == made.manifest.people
        assert each.exposed == sum(size < 3 for size in alike)
        assert each.alone == sum(size < 2 for size in alike)
        assert each.fewest == min(alike)
        assert each.average == pytest.approx(sum(1 / size for size in alike) / len(alike))
    claimed = next(each for each in found.linkage if each.knows == assumed)
    assert claimed.fewest == made.manifest.smallest
    assert claimed.alone == 0


def test_an_attacker_who_knows_more_than_assumed_finds_people() -> None:
    """The release hides people from one who knows one record, and the text says from whom it does not."""
    frames = small_set(1, people=60)
    made = incrowd.anonymize(frames, job_of(frames, suppress=0.6))
    found = incrowd.attack(made)
    assert [each.knows for each in found.linkage] == ["record", "history"]
    assert [bool(each.exposed) for each in found.linkage] == [False, True]
    assert found.exposed
    assert "prevented by: k_anonymity:k=2 with knows: history" in str(found)
    assert found.to_dict()["linkage"][1]["exposed"] == found.linkage[1].exposed


def test_that_records_exist_in_a_table_without_quasi_identifiers_is_known() -> None:
    """As the release takes it to be: its smallest number of people is what the attacker finds."""
    frames = small_set(2, people=40)
    job = job_of(frames)
    job["tables"]["tests"]["columns"] = {"kind": "keep"}
    made = incrowd.anonymize(frames, job)
    assert incrowd.attack(made).linkage[0].fewest == made.manifest.smallest


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"attacks": ["homogeneity"]}, "by linkage alone"),
        ({"attacks": ["linkage", "linkage:k=3"]}, "by linkage alone"),
        ({"knows": "illness!=flu"}, "must be record"),
        ({"knows": 0}, "must be record"),
        ({"outside": {}, "name": "id"}, "attack of several tables with"),
        ({"columns": ["age"]}, "attack of several tables with columns"),
    ],
)
def test_what_only_one_table_is_attacked_with_is_refused(given: dict[str, Any], wrong: str) -> None:
    """Rather than ignored."""
    frames = small_set(2, people=20)
    made: Any = incrowd.anonymize(frames, job_of(frames))
    with pytest.raises(UsageError, match=wrong):
        incrowd.attack(made, **given)


def test_nobody_may_be_left() -> None:
    """Then nobody is found."""
    frames = small_set(3, people=10)
    made = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=11"]))
    assert not incrowd.attack(made).exposed
