"""Every search, on tables with one to six records a person: its classes have enough people, or it refuses by name."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from anonymization.runs import rows_of
from anonymization.visits import ROLES, Visit, classes_of, in_arrow, person_of, tables_of_visits, visits
from core.test_knowledge import known_of, true_of
from incrowd.core.knowledge import Known, Knows
from incrowd.errors import Infeasible, UsageError
from incrowd.families import SEARCHES

K = 2
K_ANONYMITY = {"k_anonymity": {"k": K}}
DIVERSITY = {"distinct_l": {"l": 2, "column": "disease"}}
DISEASES = {"tree": {"groups": {"light": ["flu", "cold"], "grave": ["gout", "cancer"]}}}

OTHER_MODELS: dict[str, list[Any]] = {
    "anatomy": [DIVERSITY],
    "consistent": [{"consistent_k": {"k": K, "notion": "k_k"}}],
    "guaranteed": [{"range_diversity": {"p": 1, "column": "disease"}}],
    "personalized": [{"personal_breach": {"p": 0.9, "column": "disease", "guard": "asks"}}],
    **{search: [K_ANONYMITY] for search in ("fewest_cells", "forest", "greedy_cover")},
}
"""What the searches judge that know no others."""

OPTIONS: dict[str, Any] = {
    "guaranteed": {"guaranteed": {"utility": 1}},
    "top_down_specialization": {"top_down_specialization": {"label": "disease"}},
    "annealing": {"annealing": {"steps": 50}},
    "genetic": {"genetic": {"population": 5, "generations": 3}},
    "scored": {"scored": {"score": "basic"}},
}
"""Of searches that need some, or would take long."""

VARIANTS: list[tuple[str, Any, list[Any]]] = [
    *(
        (name, OPTIONS.get(name, name), OTHER_MODELS.get(name, [K_ANONYMITY, DIVERSITY]))
        for name in sorted(SEARCHES.known())
    ),
    ("mondrian", {"mondrian": {"cuts": "relaxed"}}, [K_ANONYMITY]),
    ("tradeoff", "tradeoff", [K_ANONYMITY]),
    ("k_members", "k_members", [K_ANONYMITY]),
]
LIMITS = [
    0.5,
    {"share": 0.5, "of": "people"},
    {"share": 0.5, "whole": True},
    {"number": 4, "of": "people", "whole": True},
]


def job_of(search: Any, models: list[Any], **settings: Any) -> dict[str, Any]:
    """A job on visits."""
    columns = {**ROLES, "disease": {"role": "sensitive", "hierarchy": DISEASES}}
    if "personal_breach" in models[0]:
        columns["asks"] = {"role": "drop"}
    return {"columns": columns, "models": models, "search": search, "suppress": 0.5, **settings}


def released(rows: list[Visit], job: dict[str, Any]) -> "list[dict[str, Any]] | str":
    """The records of a release, or why there is none."""
    try:
        asks = pa.array([("light", "grave")[row["row"] % 2] for row in rows], pa.string())
        return rows_of(incrowd.anonymize(in_arrow(rows).append_column("asks", asks), job))
    except Infeasible:
        return "infeasible"
    except UsageError as error:
        return str(error)


def is_safe(people: set[Any], values: set[tuple[Any, str]], models: list[Any]) -> bool:
    """Whether people in place of a class, with pairs of person and value, satisfy the models of these tests."""
    for model in models:
        match model:
            case {"k_anonymity": {"k": k}}:
                safe = len(people) >= k
            case {"distinct_l": {"l": l}}:
                safe = len({value for _, value in values}) >= l
            case _:
                raise AssertionError(f"{model} is not judged here")
        if not safe:
            return False
    return True


def exposures(rows: list[Visit], published: list[dict[str, Any]], knows: Knows, models: list[Any]) -> int:
    """How many classes and views violate the models, counted one by one."""
    classes = classes_of(rows, published)
    found = 0
    held: dict[Any, Counter[int]] = {}
    for number, behind in enumerate(classes.values()):
        people = {person_of(row) for row in behind}
        found += not is_safe(people, {(person_of(row), row["disease"]) for row in behind}, models)
        for row in behind:
            held.setdefault(person_of(row), Counter())[number] += 1
    shown = [rows[int(row["row"])] for row in published]
    for known in {each for mine in held.values() for each in known_of(mine, knows)} if knows != Known.RECORD else ():
        people = {who for who, theirs in held.items() if true_of(known, theirs, knows)}
        values = {(person_of(row), row["disease"]) for row in shown if person_of(row) in people}
        found += not is_safe(people, values, models)
    return found


def lost(rows: list[Visit], published: list[dict[str, Any]]) -> tuple[int, int, int]:
    """The people who lose a record, those of them who lose only some, and the records that are lost."""
    before = Counter(map(person_of, rows))
    after = Counter(person_of(rows[int(row["row"])]) for row in published)
    some = [who for who, records in before.items() if after[who] < records]
    return len(some), sum(1 for who in some if after[who]), sum(before.values()) - sum(after.values())


@pytest.mark.parametrize(("name", "search", "models"), VARIANTS, ids=lambda each: each if isinstance(each, str) else "")
@given(rows=tables_of_visits)
def test_classes_have_enough_people(name: str, search: Any, models: list[Any], rows: list[Visit]) -> None:
    found = released(rows, job_of(search, models))
    if isinstance(found, str):
        assert found == "infeasible" or f"the search {name} with a person" in found
        return
    if len({person_of(row) for row in rows}) < len(rows):
        assert SEARCHES.known()[name].counts_people
        assert exposures(rows, found, Known.RECORD, models) == 0


@pytest.mark.parametrize(("name", "search", "models"), VARIANTS, ids=lambda each: each if isinstance(each, str) else "")
@given(rows=tables_of_visits, knows=st.sampled_from([Known.RECORD, 2, Known.HISTORY]), limit=st.sampled_from(LIMITS))
def test_whatever_is_known_of_a_person_is_true_of_enough(
    name: str, search: Any, models: list[Any], rows: list[Visit], knows: Knows, limit: Any
) -> None:
    found = released(rows, job_of(search, models, knows=knows, suppress=limit))
    if isinstance(found, str):
        assert found == "infeasible" or f"the search {name} with " in found
        return
    people = {person_of(row) for row in rows}
    if len(people) == len(rows):
        return
    assert exposures(rows, found, knows, models) == 0
    losing, some, records = lost(rows, found)
    limit = limit if isinstance(limit, Mapping) else {"share": limit}
    existing = len(people) if limit.get("of") == "people" else len(rows)
    assert (losing if limit.get("of") == "people" else records) <= limit.get("number", limit.get("share", 0) * existing)
    if limit.get("whole") or knows != Known.RECORD:
        assert some == 0


@pytest.mark.parametrize(("name", "search", "models"), VARIANTS, ids=lambda each: each if isinstance(each, str) else "")
def test_one_record_each_gives_the_same_release(name: str, search: Any, models: list[Any]) -> None:
    """To the byte, whatever counts records alone included; the manifest says in addition that people are counted."""
    rows = visits(60, most=1)
    table = in_arrow(rows).append_column("asks", pa.array([("light", "grave")[row["row"] % 2] for row in rows]))
    job = job_of(search, models, suppress=0 if name == "consistent" else 0.5)
    plain = {**job, "columns": {**job["columns"], "patient": {"role": "identifier"}}}
    by_people, by_records = incrowd.anonymize(table, job), incrowd.anonymize(table, plain)
    assert by_people.frame.equals(by_records.frame)
    assert by_people.frame.num_rows > 0
    assert by_records.manifest.people is None
    assert by_people.manifest.people is not None
    assert by_people.manifest.people.smallest == by_records.manifest.smallest
    same = replace(
        by_people.manifest, people=None, format=by_records.manifest.format, promises=by_records.manifest.promises
    )
    assert same == by_records.manifest


def test_the_tables_have_people_with_several_records() -> None:
    rows = visits(12)
    assert len({person_of(row) for row in rows}) < len(rows)


@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_a_frontier_weighs_what_is_known(search: str) -> None:
    rows = visits(40)
    job = job_of(search, [K_ANONYMITY], knows="history")
    found = incrowd.frontier(in_arrow(rows), job, k=[4], searches=[search])
    made = incrowd.anonymize(in_arrow(rows), {**job, "models": [{"k_anonymity": {"k": 4}}]})
    assert made.manifest.people is not None
    [run] = found.runs
    assert run.release is not None
    assert made.manifest.people.alike is not None
    assert run.release.highest_risk == 1 / made.manifest.people.alike
    with pytest.raises(UsageError, match="risk average with knows"):
        incrowd.frontier(in_arrow(rows), job, k=[4], searches=[search], risk="average")
