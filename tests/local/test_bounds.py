"""Ranges that end at multiples of a step and at a declared domain, not at values of records."""

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from incrowd.core.axes import Bounds
from incrowd.errors import JobError
from incrowd.jobs import Job

AGES = [21, 22, 25, 28, 31, 33, 36, 39, 44, 47, 48, 9876543]
PEOPLE = pa.table({"age": AGES, "town": [*"aabbaabbaabb"], "ill": [*"xyzxyzxyzxyz"]})
SEARCHES = ["mondrian", "mondrian:cuts=relaxed", "k_members", "microaggregation", "tradeoff"]


def job(search: str, **age: Any) -> dict[str, Any]:
    columns = {"age": {"role": "quasi", **age}, "town": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    return {"columns": columns, "models": ["k_anonymity:k=3"], "search": search}


def ends(made: Any) -> list[list[int]]:
    return [[int(end) for end in cell.split("-")] for cell in made.frame["age"].to_pylist()]


@pytest.mark.parametrize("search", SEARCHES)
def test_no_range_ends_at_a_value(search: str) -> None:
    """Verified: the cells still cover what they stand for."""
    bare = incrowd.anonymize(PEOPLE, job(search))
    assert 9876543 in {end for cell in ends(bare) for end in cell}
    rounded = incrowd.anonymize(PEOPLE, job(search, bounds=10))
    assert {end % 10 for cell in ends(rounded) for end in cell} == {0}
    declared = incrowd.anonymize(PEOPLE, job(search, bounds=10, domain=[1, 10000001]))
    found = {end for cell in ends(declared) for end in cell}
    assert {1, 10000001} <= found
    assert {end % 10 for end in found - {1, 10000001}} <= {0}
    for made in (rounded, declared):
        assert made.verdict.holds


def test_loss_is_that_of_what_is_published() -> None:
    made = incrowd.anonymize(PEOPLE, job("mondrian", bounds=10, domain=[0, 10000000]))
    shares = [(high - low) / 10000000 for low, high in ends(made)]
    town = [0.0 if len(cell) == 1 else 1.0 for cell in made.frame["town"].to_pylist()]
    assert made.figures.scores["loss"] == pytest.approx((sum(shares) + sum(town)) / 24)


def test_ends_are_exact() -> None:
    tenths = Bounds(Fraction(1, 10))
    assert (tenths.below(Fraction(31, 100), True), tenths.above(Fraction(31, 100), True)) == (
        Fraction("0.3"),
        Fraction("0.4"),
    )
    assert Bounds(10).above(12345678901234567891, True) == 12345678901234567900
    assert (Bounds(10).below(-3, True), Bounds(10).above(-3, True)) == (-10, 0)


@pytest.mark.parametrize(
    ("search", "age"),
    [
        ("optimal", {"bounds": 10}),
        ("k_optimize", {"bounds": 10}),
        ("mondrian", {"bounds": 0}),
        ("mondrian", {"bounds": 10, "form": "mean"}),
        ("mondrian", {"bounds": 10, "form": "set"}),
    ],
)
def test_what_publishes_no_such_ranges_refuses(search: str, age: dict[str, Any]) -> None:
    with pytest.raises(JobError, match="bounds"):
        incrowd.anonymize(PEOPLE, job(search, **age))


def test_every_form_of_a_job_says_it(tmp_path: Path) -> None:
    given = {**job("mondrian", bounds=2.5), "data": {"source": "people.csv"}, "output": {"to": "out.csv"}}
    asked = Job.from_dict(given)
    assert "--bounds age=2.5" in asked.to_command()
    for ending in ("yaml", "json", "xml"):
        path = tmp_path / f"job.{ending}"
        path.write_text(getattr(asked, f"to_{ending}")(), encoding="utf-8")
        assert Job.from_file(path).columns["age"].bounds == 2.5


@pytest.mark.parametrize("utility", [0.1, 0.2, 0.3, 0.5])
@pytest.mark.parametrize("domain", [None, [0, 100]], ids=str)
def test_what_guaranteed_limits_is_what_is_published(utility: float, domain: list[int] | None) -> None:
    """The ends of ranges move outwards: a group that then spans more than the limit is left out."""
    ages = [(7 * at * at + 3 * at) % 96 + 2 for at in range(90)]
    people = pa.table({"age": ages, "town": ["a"] * 90, "ill": [str(at % 9) for at in range(90)]})
    described = job(f"guaranteed:utility={utility},s=9", bounds=10, **({} if domain is None else {"domain": domain}))
    described |= {"models": ["range_diversity:p=0.6,column=ill"], "suppress": 90}
    made = incrowd.anonymize(people, described)
    assert made.verdict.holds
    assert any(check.name == "utility" and check.holds for check in made.verdict.checks)
    whole = 100 if domain else max(ages) - min(ages)
    cells = [[int(end) for end in cell.split("-")] for cell in made.frame["age"].to_pylist()]
    # Town has one value, so the mean over both columns is half of what an age spans.
    assert all((cell[-1] - cell[0]) / whole / 2 <= utility + 1e-9 for cell in cells)
    assert {end % 10 for cell in cells if len(cell) > 1 for end in cell} <= {0}
    bare = incrowd.anonymize(people, {**described, "columns": {**described["columns"], "age": {"role": "quasi"}}})
    assert len(cells) <= bare.frame.num_rows
    if utility == 0.5:
        assert len(cells) > 45


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("search", ["mondrian", "k_members", "tradeoff", "guaranteed:utility=0.8,s=4"])
def test_groups_that_publish_the_same_range_are_one_class(search: str, seed: int) -> None:
    """Ends that move outwards meet: such groups are judged together, and nothing that was made is discarded."""
    luck = Random(seed)
    people = pa.table(
        {
            "age": [luck.randrange(2, 40) for _ in range(40)],
            "town": [luck.choice("ab") for _ in range(40)],
            "ill": [luck.choice([0, 0, 1, 2, 5, 9, 10]) for _ in range(40)],
        }
    )
    described = job(search, bounds=10, domain=[0, 40]) | {
        "models": ["k_anonymity:k=2", "range_diversity:p=0.6,column=ill"],
        "suppress": 40,
    }
    made = incrowd.anonymize(people, described)
    assert made.verdict.holds
    assert made.manifest.classes == len(
        set(zip(*(made.frame[name].to_pylist() for name in ("age", "town")), strict=True))
    )
