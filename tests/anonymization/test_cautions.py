"""What a publisher must know before a release is shared, in a few words each."""

from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.anonymization.cautions import Caution, of_levels, which

ROWS = [(f"id{at}", 20 + at % 4, "NS"[at % 2], "flu" if at % 3 else "cold", at) for at in range(40)]


def made(folder: Path, models: Any = ("k_anonymity:k=5",), **columns: Any) -> dict[str, str]:
    """Return the words of a release by kind."""
    path = folder / "people.csv"
    path.write_text("name,age,region,disease,number\n" + "".join(f"{','.join(map(str, row))}\n" for row in ROWS))
    roles = {"age": "quasi", "region": "quasi", **columns}
    to = {"to": str(folder / "r.csv"), "replace": True}
    job = {"data": str(path), "output": to, "columns": roles, "models": list(models)}
    found = incrowd.anonymize(job=job).to_dict()
    assert [each["words"] for each in found["cautions"]] == [
        Caution(each["kind"], tuple(each["columns"])).words for each in found["cautions"]
    ]
    return {each["kind"]: each["words"] for each in found["cautions"]}


def test_without_an_identifier_nobody_knows_whether_people_repeat(tmp_path: Path) -> None:
    assert made(tmp_path) == {"people": "people not known, records counted"}
    assert made(tmp_path, name="identifier") == {}
    assert made(tmp_path, name="person") == {}


def test_kept_columns_that_single_out(tmp_path: Path) -> None:
    found = made(tmp_path, name="identifier", number="keep")
    assert found["nearly_unique"] == "nearly unique, published unchanged: number"
    assert "finer" not in found


def test_a_sensitive_column_without_a_model(tmp_path: Path) -> None:
    assert made(tmp_path, name="identifier", disease="sensitive")["unprotected"] == "sensitive without a model: disease"
    models = ("k_anonymity:k=5", "distinct_l:l=2,column=disease")
    assert made(tmp_path, models, name="identifier", disease="sensitive") == {}


def test_columns_without_detail(tmp_path: Path) -> None:
    found = made(tmp_path, ("k_anonymity:k=40",), name="identifier")
    assert found["gone"] == "no detail left: age, region"


@pytest.mark.parametrize(
    ("levels", "losses", "columns"),
    [
        ({"a": 2, "b": 0}, {}, ("a",)),
        ({"a": None, "b": None}, {"a": 0.5, "b": 1.0}, ("b",)),
        ({"a": None, "b": 1}, {}, ()),
    ],
)
def test_detail_is_gone_on_the_top_level_or_if_every_cell_lost_it(
    levels: dict[str, int | None], losses: dict[str, float], columns: tuple[str, ...]
) -> None:
    expected = (Caution("gone", columns),) if columns else ()
    heights = {"a": 2, "b": 2}
    assert of_levels(levels, heights, False, losses) == expected
    assert of_levels(levels, heights, True, losses) == (*expected, Caution("stopped"))


def test_many_columns_are_counted() -> None:
    assert which(("a", "b")) == "a, b"
    assert which(("a", "b", "c")) == "3 columns"
