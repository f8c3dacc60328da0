"""Linkage by several records of a person: the fast form, the definition, and what an attacker really learns."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.attacks import AttackOptions, Outside
from incrowd.attacks._crowd import crowd_of
from incrowd.attacks._reading import read_target
from incrowd.attacks._several import SeveralRecords, textbook
from incrowd.comparison import columns_of
from incrowd.core.knowledge import Known, Knows
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.watch import Watch

APART = {"0-2": range(3), "3-5": range(3, 6), "6-9": range(6, 10)}
OVERLAPPING = {"0-4": range(5), "3-7": range(3, 8), "5-9": range(5, 10)}

knowledges = st.sampled_from([Known.RECORD, 2, 3, Known.HISTORY])


@dataclass(frozen=True)
class Published:
    """An original table with a release of it, in which some records, or all records of some people, are left out."""

    rows: list[tuple[str, int]]
    """The person and the age of each record."""
    shown: list[str | None]
    """Its published range; None if it is left out."""
    ranges: dict[str, range]
    whole: bool

    @property
    def original(self) -> pa.Table:
        return pa.table({"age": [age for _, age in self.rows], "who": [who for who, _ in self.rows]})

    @property
    def release(self) -> pa.Table:
        return pa.table({"age": pa.array([each for each in self.shown if each is not None], pa.string())})

    @property
    def repeats(self) -> bool:
        return len({who for who, _ in self.rows}) < len(self.rows)

    @property
    def matched(self) -> list[tuple[str, set[str]]]:
        there = {each for each in self.shown if each is not None}
        return [(who, {name for name in there if age in self.ranges[name]}) for who, age in self.rows]

    @property
    def sizes(self) -> dict[str, int]:
        return dict(Counter(each for each in self.shown if each is not None))


@st.composite
def releases(draw: st.DrawFn, most: int = 6) -> Published:
    """Some people with one to six records each."""
    ranges = draw(st.sampled_from([APART, OVERLAPPING]))
    whole, rows, shown = draw(st.booleans()), [], []
    for at in range(draw(st.integers(1, 5))):
        gone = draw(st.sampled_from([False, False, True]))
        for _ in range(draw(st.integers(1, most))):
            rows.append((f"n{at}", draw(st.integers(0, 9))))
            left_out = gone if whole else draw(st.sampled_from([False, False, False, True]))
            fits = [name for name, ages in ranges.items() if rows[-1][1] in ages]
            shown.append(None if left_out else draw(st.sampled_from(fits)))
    return Published(rows, shown, ranges, whole)


def found_alike(made: Published, knows: Knows) -> dict[str, int]:
    """By person among how many people the fast form finds them."""
    outside = Outside(read(made.original), "who", person=("who",))
    with Watch() as watch:
        target = read_target(made.release, AttackOptions(columns_of(["age"]), outside=outside), watch)
        crowd = crowd_of(target, watch)
    assert crowd is not None
    several, nothing = SeveralRecords.of(crowd, knows, made.whole), np.zeros(len(crowd.found.view), dtype=np.bool_)
    everybody = np.arange(len(several.people))
    named = [crowd.people.names(nothing, everybody == at) for at in everybody]
    return {name: int(people) for [name], people in zip(named, several.people, strict=True) if people}


@settings(max_examples=200)
@given(releases(), knowledges)
def test_against_all_collections_of_records(made: Published, knows: Knows) -> None:
    assume(made.repeats)
    assert found_alike(made, knows) == textbook(made.matched, made.sizes, knows, made.whole)


def known_parts(published: list[tuple[int, str]], knows: Knows) -> Iterator[list[int]]:
    """Yield the ages of all published records of a person that may be known."""
    ages = [age for age, _ in published]
    most = 1 if knows == Known.RECORD else len(ages) if knows == Known.HISTORY else int(knows)
    for size in range(len(ages) if knows == Known.HISTORY else 1, most + 1):
        yield from map(list, combinations(ages, size))


def can_be(ages: list[int], published: list[tuple[int, str]], made: Published, knows: Knows) -> bool:
    """Whether known records may be those published of a person, each of them another one."""
    if knows == Known.HISTORY and len(ages) != len(published):
        return False
    return any(
        all(age in made.ranges[name] for age, (_, name) in zip(ages, chosen, strict=True))
        for chosen in permutations(published, len(ages))
    )


@settings(max_examples=200)
@given(releases(most=4), knowledges, st.integers(2, 3))
def test_whoever_is_found_is_found_in_the_release(made: Published, knows: Knows, k: int) -> None:
    """Nobody is called found who is not, wherever records overlap or were left out."""
    assume(made.repeats)
    published: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for (who, age), name in zip(made.rows, made.shown, strict=True):
        if name is not None:
            published[who].append((age, name))
    for who, people in found_alike(made, knows).items():
        if people < k:
            alike = [
                sum(can_be(ages, other, made, knows) for other in published.values())
                for ages in known_parts(published[who], knows)
            ]
            assert min(alike) < k


@st.composite
def people_in_towns(draw: st.DrawFn) -> list[tuple[str, int, str | None]]:
    """Some people with one to four records each; towns may be missing."""
    return [
        (f"n{at}", draw(st.integers(0, 9)), draw(st.sampled_from(["A", "A", "B", None])))
        for at in range(draw(st.integers(4, 9)))
        for _ in range(draw(st.integers(1, 4)))
    ]


VISITS = {"ann": "AAB", "bob": "AA", "eve": "AB", "tom": "AB", "kim": "AA"}
ORIGINAL = pa.table(
    {
        "who": [name for name, towns in VISITS.items() for _ in towns],
        "town": [town for towns in VISITS.values() for town in towns],
    }
)


def linked(attack: Any, release: Any = ORIGINAL, **further: Any) -> Any:
    given = {"outside": ORIGINAL, "person": ["who"], "name": "who"} | further
    return incrowd.attack(release, ["town"], [attack], **given).exposures[0]


@pytest.mark.parametrize(
    ("knows", "k", "names"),
    [("record", 3, ()), ("2", 3, ()), ("2", 4, ("ann", "bob", "eve", "kim", "tom")), ("3", 2, ("ann",)),
     ("history", 2, ("ann",)), ("history", 3, ("ann", "bob", "eve", "kim", "tom"))],
)  # fmt: skip
def test_more_is_known_of_a_person(knows: str, k: int, names: tuple[str, ...]) -> None:
    found = linked(f"linkage:k={k},knows={knows}")
    assert found.people == names
    assert (found.records, found.among) == (len(names), 5)
    if names:
        by = "all their records" if knows == "history" else f"any {knows} of their records"
        assert found.details[f"people found among fewer than {k} people by {by}"] == len(names)
        assert f"knows={knows}" in found.stopped_by
        assert found.classes == 2
        assert k == 4 or by in found.worst.told


def test_whoever_is_in_no_published_class_for_certain_is_not_found() -> None:
    """One record in B was left out, ann's or another's: only what is known of A counts."""
    towns = Counter(ORIGINAL["town"].to_pylist())
    release = pa.table({"town": ["A"] * towns["A"] + ["B"] * (towns["B"] - 1)})
    found = linked("linkage:knows=history", release)
    assert found.people == ()
    assert "suppressed records also fit 1 class" in found.note


def test_the_release_states_what_is_known(tmp_path: Path) -> None:
    columns = {"town": "quasi", "who": "person"}
    for knows, found_people in (("record", 0), ("history", 0)):
        job = {"columns": columns, "models": ["k_anonymity:k=2"], "knows": knows, "output": tmp_path / f"{knows}.csv"}
        made = incrowd.anonymize(ORIGINAL, {**job, "suppress": 0.9 if knows == "history" else 0})
        [found] = incrowd.attack(made.output, attacks=["linkage"], outside=ORIGINAL, person=["who"]).exposures
        assert found.records == found_people
        assert ("all records of a person" in found.knows) == (knows == "history")
    [found] = incrowd.attack(
        tmp_path / "record.csv", attacks=[{"linkage": {"knows": "history"}}], outside=ORIGINAL, person=["who"]
    ).exposures
    assert (found.attack, found.records) == ("linkage:knows=history", 1)


def found_by_several(exposure: Any) -> int:
    return sum(number for what, number in exposure.details.items() if "by all their" in what or "by any" in what)


@settings(max_examples=12)
@given(search=st.sampled_from(["optimal", "mondrian"]), rows=people_in_towns(), knows=st.sampled_from(["2", "history"]))
def test_with_the_private_record_it_is_known_who_is_published(
    search: str, rows: list[tuple[str, int, str | None]], knows: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The fewest people with the same known records are those that the manifest states."""
    names = ("who", "age", "town")
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)})
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [2, 10], "domain": [0, 9]}}},
        "town": "quasi",
        "who": "person",
    }
    output = tmp_path_factory.mktemp("release") / "r.csv"
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "knows": knows, "search": search, "suppress": 0.99}
    made = incrowd.anonymize(table, {**job, "output": output})
    [found] = incrowd.attack(output, attacks=["linkage:k=2"], outside=table, person=["who"]).exposures
    assert not found_by_several(found)
    people = made.manifest.people
    assert people is not None
    assume(people.alike and len({row[0] for row in rows}) < len(rows))
    attack = f"linkage:k={people.alike + 1}"
    [found] = incrowd.attack(output, attacks=[attack], outside=table, person=["who"]).exposures
    assert found_by_several(found)


def test_what_cannot_be_known_is_refused() -> None:
    for wrong in ("linkage:knows=0", "linkage:knows=everything", "linkage:knows=2,exact=true"):
        with pytest.raises(UsageError, match="knows"):
            linked(wrong)
    with pytest.raises(UsageError, match="no column tells the person"):
        linked("linkage:knows=2", person=[])


def test_one_record_each_is_all_there_is_to_know() -> None:
    own = pa.table({"town": ["A", "A", "B"], "who": ["ann", "bob", "eve"]})
    one, history = (linked(f"linkage:knows={each}", own, outside=own) for each in ("record", "history"))
    assert replace(history, attack=one.attack) == one
