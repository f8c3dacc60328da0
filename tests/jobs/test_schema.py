"""The schemas that are shipped for editors."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from incrowd.jobs.schema import schema, shipped, text

GOOD = {"columns": {"a": {"role": "quasi"}}, "models": [{"k_anonymity": {"k": 2}}]}


def test_up_to_date() -> None:
    # Releases of pydantic write the same numbers in different ways.
    assert json.loads(shipped().read_text(encoding="utf-8")) == schema(), "run python scripts/schema.py"


def test_both_are_packaged() -> None:
    packaged = {each.name for each in files("incrowd.jobs").iterdir()}
    assert {"anon.xsd", "job.schema.json"} <= packaged


def test_nothing_reaches_for_the_network() -> None:
    assert "://" not in shipped().read_text(encoding="utf-8")


def test_valid_schema() -> None:
    Draft202012Validator.check_schema(json.loads(text()))


def test_what_is_right() -> None:
    Draft202012Validator(schema()).validate(GOOD)


@pytest.mark.parametrize(
    "wrong",
    [
        {"colums": {}},
        {"columns": {"a": {"role": "quazi"}}},
        {"columns": {"a": {}}},
        {"columns": {"a": {"role": "quasi", "hierarchy": {"intervals": {"width": 5}}}}},
        {"columns": {"a": {"role": "quasi", "priority": 0}}},
        {"models": []},
        {"models": [{"k_anonymity": {"k": "two"}}]},
        {"models": [{"k_anonymity": {"l": 2}}]},
        {"models": [{"k_anonymity": {"k": 2}, "k_map": {"k": 2}}]},
        {"suppress": 1.5},
        {"search": {"samarati": {"prefers": "relative"}}},
        {"seed": "x"},
        {"data": {"sources": "x"}},
    ],
)
def test_what_an_editor_underlines(wrong: dict[str, object]) -> None:
    assert not Draft202012Validator(schema()).is_valid({**GOOD, **wrong})


def test_every_key_is_described() -> None:
    found = schema()
    parts = {"Job": found, **{name: found["$defs"][name] for name in ("Data", "Output", "Population", "Column")}}
    lacking = [
        f"{name}.{key}"
        for name, part in parts.items()
        for key, of in part["properties"].items()
        if "description" not in of
    ]
    assert lacking == []
