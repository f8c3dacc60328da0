"""What the searches that auto tried would publish of ten records: as they do publish it, and nowhere public."""

import json
import pickle
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from incrowd.anonymization import AnonymizationResult
from incrowd.anonymization.previews import RECORDS

ROWS = 60
TABLE = pa.table(
    {
        "age": [20 + at * 7 % 40 for at in range(ROWS)],
        "town": [("Graz", "Linz", "Wels", None)[at % 4] for at in range(ROWS)],
        "illness": [("flu", "cold")[at % 2] for at in range(ROWS)],
    }
)
JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20, 40]}}},
        "town": {
            "role": "quasi",
            "hierarchy": {"tree": {"groups": {"*": {"north": ["Linz", "Wels"], "south": ["Graz"]}}}},
        },
        "illness": "sensitive",
    },
    "models": ["k_anonymity:k=4", "distinct_l:l=2,column=illness"],
    "suppress": 0.1,
}


def run(search: Any = "auto", **more: Any) -> AnonymizationResult:
    return incrowd.anonymize(TABLE, {**JOB, "search": search, **more})


def test_each_search_shows_what_it_would_publish_of_the_same_records() -> None:
    made = run()
    previews = made.previews
    assert previews is not None
    assert previews.columns == ("age", "town")
    assert len(previews.originals) == len(set(previews.originals)) == RECORDS
    there = set(zip(map(str, TABLE["age"].to_pylist()), TABLE["town"].to_pylist(), strict=True))
    assert set(previews.originals) <= there
    found = [each["search"] for each in made.details["tried"] if each["score"] is not None]
    assert list(previews.by_search) == found
    for search, rows in previews.by_search.items():
        alone = run(search)
        assert alone.previews is None
        published = {
            tuple(row) for row in zip(*(alone.frame[name].to_pylist() for name in ("age", "town")), strict=True)
        }
        assert len(rows) == RECORDS
        shown = [row for row in rows if row is not None]
        assert {tuple(map(_text, row)) for row in shown} <= {tuple(map(_text, row)) for row in published}
        for original, row in zip(previews.originals, rows, strict=True):
            assert row is None or _covers(original[0], row[0])


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _covers(age: str | None, cell: str | None) -> bool:
    if cell == "*" or cell == age:
        return True
    low, _, high = str(cell).partition("-")
    return int(low) <= int(str(age)) <= int(high)


def test_the_records_do_not_depend_on_the_order_of_the_table() -> None:
    turned = TABLE.take(list(reversed(range(ROWS))))
    assert incrowd.anonymize(turned, JOB).previews.originals == run().previews.originals  # type: ignore[union-attr]


def test_a_small_table_shows_all_of_its_combinations() -> None:
    made = incrowd.anonymize(TABLE.slice(0, 5), {**JOB, "models": ["k_anonymity:k=2"], "suppress": 0})
    assert made.previews is not None
    assert len(made.previews.originals) == 5


def test_what_is_public_or_passed_on_does_not_have_them() -> None:
    made = run()
    marked = json.dumps(made.previews.originals[0])  # type: ignore[union-attr]
    for public in (made.manifest.to_dict(), made.to_dict(), made.record.to_dict()):
        assert "previews" not in public
        assert marked not in json.dumps(public)
    assert "previews" not in vars(pickle.loads(pickle.dumps(made)))
    assert "Linz" not in repr(made.previews)
    assert "not verified" in made.previews.to_dict()["note"]  # type: ignore[union-attr]


@pytest.mark.parametrize("search", ["mondrian", "optimal"])
def test_a_job_that_names_its_search_has_none(search: str) -> None:
    assert run(search).previews is None
