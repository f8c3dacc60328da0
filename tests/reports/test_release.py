"""What a report says about a release, against independent counts."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import incrowd
from attacks.definitions import by_definition
from incrowd.errors import UsageError
from incrowd.families import members
from incrowd.text import percent
from reports.releases import COLUMNS, ROWS, classes_of, read_rows, released, sizes_of, written

QUASI = ["age", "town"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release and what lies beside it."""
    folder = tmp_path_factory.mktemp("release")
    released(folder, suppress=0.1)
    return folder


@pytest.fixture(scope="module")
def facts(folder: Path) -> dict[str, Any]:
    return incrowd.report(folder / "release.csv").to_dict()


def test_records(folder: Path, facts: dict[str, Any]) -> None:
    rows = read_rows(folder / "release.csv")
    sizes = sizes_of(rows, QUASI)
    assert facts["records"] == len(rows)
    assert facts["suppressed"] == len(ROWS) - len(rows)
    assert (facts["classes"], facts["smallest"]) == (len(sizes), min(sizes))
    assert sum(each["classes"] for each in facts["sizes"]) == len(sizes)
    assert sum(each["records"] for each in facts["sizes"]) == len(rows)
    for each in facts["sizes"]:
        within = [size for size in sizes if each["low"] <= size <= each["high"]]
        assert (each["classes"], each["records"]) == (len(within), sum(within))


@pytest.mark.parametrize("column", ["disease", "wage"])
def test_exposed_records(folder: Path, facts: dict[str, Any], column: str) -> None:
    groups = classes_of(read_rows(folder / "release.csv"), QUASI, column)
    [told] = [each for each in facts["sensitive"] if each["name"] == column]
    found = {each["attack"]: each["records"] for each in told["exposures"]}
    as_numbers = [[int(value) for value in group] for group in groups] if column == "wage" else groups
    assert found == by_definition(as_numbers, numbers=column == "wage")
    assert told["values"] == len({value for group in groups for value in group})


def test_risk_before_and_after(folder: Path, facts: dict[str, Any]) -> None:
    for rows, told in ((ROWS, facts["risk_before"]), (read_rows(folder / "release.csv"), facts["risk_after"])):
        sizes = sizes_of(rows, QUASI)
        assert told["unique"] == sum(size == 1 for size in sizes)
        assert told["highest"] == 1 / min(sizes)
        assert told["average"] == pytest.approx(len(sizes) / sum(sizes))
        assert told["at_risk"] == sum(size for size in sizes if 1 / size > 0.2)


def test_what_is_left_of_columns(folder: Path, facts: dict[str, Any]) -> None:
    rows = read_rows(folder / "release.csv")
    loss = {each["name"]: each["value"] for each in facts["scores"]}["loss"]
    assert sum(column["loss"] for column in facts["columns"]) / 2 == pytest.approx(loss)
    for column in facts["columns"]:
        after = Counter(row[column["name"]] for row in rows)
        assert column["published"] == column["after"]["distinct"] == len(after)
        assert sum(count for _, count in column["before"]["bars"]) == len(ROWS)
        assert sum(count for _, count in column["after"]["bars"]) == len(rows)
    town = next(column for column in facts["columns"] if column["name"] == "town")
    assert dict(town["before"]["bars"]) == Counter(row["town"] for row in ROWS)


def test_words(folder: Path, facts: dict[str, Any]) -> None:
    page = incrowd.report(folder / "release.csv").to_html()
    assert f"; smallest class: {facts['smallest']}." in page
    assert "Every record shares its quasi-identifiers with at least 3 others." in page
    assert "(homogeneity)" in page
    assert "Not published: name." in page


def test_sentences_are_whole(folder: Path) -> None:
    text = incrowd.report(folder / "release.csv").to_markdown()
    assert "<" not in text.replace("\\<0.1%", "")
    assert "Classes are numbered by their published cells" in text
    assert "-0%" not in text


def test_what_was_left_out(tmp_path: Path, folder: Path, facts: dict[str, Any]) -> None:
    loss = next(score["value"] for score in facts["scores"] if score["name"] == "loss")
    assert f"Information loss: {percent(loss)}." in incrowd.report(folder / "release.csv").to_markdown()
    released(tmp_path, suppress=0)
    text = incrowd.report(tmp_path / "release.csv").to_markdown()
    assert f"0 of {len(ROWS)} records suppressed." in text
    assert "Suppression limit: 0 records." in text


@pytest.mark.parametrize("name", sorted(members("models", "MODEL")))
def test_every_model_says_what_it_does_not_promise(name: str) -> None:
    assert members("models", "MODEL")[name].MODEL.not_promised.endswith(".")


def test_what_anonymize_gave_and_its_file_say_the_same(tmp_path: Path) -> None:
    made = released(tmp_path)
    one, other = incrowd.report(made).to_dict(), incrowd.report(tmp_path / "release.csv").to_dict()
    assert one == other


def test_without_record_and_original(tmp_path: Path) -> None:
    released(tmp_path)
    (tmp_path / "release.csv.record.json").unlink()
    facts = incrowd.report(tmp_path / "release.csv").to_dict()
    assert facts["risk_before"] is None
    assert facts["job"] is None
    assert len(facts["notes"]) == 2
    with_original = incrowd.report(tmp_path / "release.csv", original=tmp_path / "rows.csv").to_dict()
    assert with_original["risk_before"]["records"] == len(ROWS)


def test_an_original_that_is_gone(tmp_path: Path) -> None:
    released(tmp_path)
    (tmp_path / "rows.csv").rename(tmp_path / "elsewhere.csv")
    facts = incrowd.report(tmp_path / "release.csv").to_dict()
    assert facts["risk_before"] is None
    assert "--original" in facts["notes"][0]
    assert incrowd.report(tmp_path / "release.csv", original=tmp_path / "elsewhere.csv").to_dict()["risk_before"]


def test_similarity_along_a_hierarchy(tmp_path: Path) -> None:
    nodes = {"flu": "lungs", "cold": "lungs", "gout": "joints", "mumps": "child", "measles": "child"}
    (tmp_path / "disease.csv").write_text("".join(f"{value},{node},*\n" for value, node in nodes.items()), "utf-8")
    disease = {"role": "sensitive", "hierarchy": str(tmp_path / "disease.csv")}
    model = "t_closeness:t=0.9,column=disease,distance=hierarchical"
    released(tmp_path, columns={**COLUMNS, "disease": disease}, models=["k_anonymity:k=2", model])
    for audience in ("internal", "external"):
        [told, _] = incrowd.report(tmp_path / "release.csv", audience).to_dict()["sensitive"]
        groups = classes_of(read_rows(tmp_path / "release.csv"), QUASI, "disease")
        assert {each["attack"]: each["records"] for each in told["exposures"]} == by_definition(groups, nodes)


def test_a_release_that_was_changed(tmp_path: Path) -> None:
    released(tmp_path)
    path = tmp_path / "release.csv"
    path.write_text(path.read_text("utf-8").replace("Bonn", "Ulm", 1), "utf-8")
    report = incrowd.report(path, "external")
    assert report.to_dict()["verdict"] == "does not hold"
    assert "Verification failed: do not rely on what this release claims." in report.to_markdown()


def test_a_release_that_lacks_a_column(tmp_path: Path) -> None:
    released(tmp_path)
    path = tmp_path / "release.csv"
    path.write_text(path.read_text("utf-8").replace("town", "city", 1), "utf-8")
    with pytest.raises(UsageError, match="'town'"):
        incrowd.report(path)


def test_releases_that_are_alike(tmp_path: Path) -> None:
    released(tmp_path)
    table, release = tmp_path / "rows.csv", tmp_path / "release.csv"
    text = incrowd.report(incrowd.measure(table, {"one": release, "other": release}, metrics=["loss"])).to_markdown()
    assert "The releases tie by every metric." in text


def test_progress_and_interruption(tmp_path: Path) -> None:
    words: list[str] = []
    incrowd.report(written(tmp_path), progress=lambda event: words.append(event.words))
    assert words
