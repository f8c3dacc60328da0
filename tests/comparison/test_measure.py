"""incrowd.measure: releases of any make, side by side."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import incrowd
from comparison.tables import ORIGINAL, OTHERS, RANGES, written
from incrowd.comparison import Comparison
from incrowd.errors import SourceError, UsageError
from incrowd.release_metrics.contract import Goal


def near(value: float | Fraction) -> Any:
    """Equal up to rounding."""
    return pytest.approx(float(value), rel=1e-9)


def values(found: Comparison, at: int = 0) -> dict[str, float | None]:
    """What all yardsticks say about a release."""
    return {name: reading.value for name, reading in found.releases[at].readings.items()}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return written(tmp_path, ranges=RANGES, others=OTHERS)


def columns(files: dict[str, str], **more: Any) -> dict[str, Any]:
    return {
        "age": "quasi",
        "town": {"role": "quasi", "hierarchy": files["regions"]},
        "income": {"role": "sensitive", **more},
    }


def test_a_release_by_hand(files: dict[str, str]) -> None:
    found = values(incrowd.measure(files["original"], files["ranges"], columns(files)))
    # Ages span 31 of 31 years, 3 and 15 of them in the classes; a region is 2 of 4 towns; incomes span 70.
    assert found["utility_measure"] == near((Fraction(3, 31) + Fraction(1, 3) + Fraction(15, 31) + Fraction(1, 3)) / 4)
    assert found["worst_group_utility"] == near((Fraction(15, 31) + Fraction(1, 3)) / 2)
    assert found["loss"] == near(found["utility_measure"])
    assert found["protection_measure"] == near((0 + 1 - Fraction(20, 70)) / 2)
    assert found["discernibility"] == 18
    assert found["average_class_size"] == found["smallest_class"] == 3
    assert found["normalized_class_size"] == 1
    assert found["generalization_cost"] == near(6 * Fraction(1, 2))
    assert found["ambiguity"] == near((3 * Fraction(4, 32) + 3 * Fraction(16, 32)) / 6 / 2)
    assert found["certainty_penalty"] == near(3 * Fraction(3, 31) + 3 * Fraction(15, 31) + 6 * Fraction(2, 4))
    assert found["suppressed"] == 0
    assert found["worst_group_protection"] == near(Fraction(1, 3))
    assert found["classification"] is None
    # Without the values behind it, the mean of a range is its middle.
    mean = (3 * 32.5 + 3 * 54.5) / 6
    ages = [31, 33, 34, 47, 48, 62]
    deviation = (sum((age - sum(ages) / 6) ** 2 for age in ages) / 6) ** 0.5
    assert found["mean_change"] == near(abs(mean - sum(ages) / 6) / deviation / 2)


def test_releases_side_by_side(files: dict[str, str]) -> None:
    found = incrowd.measure(files["original"], [files["ranges"], files["others"]], columns(files))
    assert [release.records for release in found.releases] == [6, 5]
    assert values(found, 1)["suppressed"] == 1
    assert values(found, 1)["discernibility"] == 9 + 4 + 6
    # What is suppressed leaves everything open: a record of six.
    assert values(found, 1)["loss"] == near((3 * Fraction(3, 31) + 2 * Fraction(15, 31) + 5 * Fraction(1, 3) + 2) / 12)
    text = str(found)
    assert "lower" in text
    assert "Metrics:" in text
    assert f"A  {files['ranges']}" in text
    plain = found.to_dict()
    assert json.loads(found.to_json()) == plain
    assert plain["yardsticks"]["loss"] == {
        "side": "utility",
        "better": "low",
        "bounds": [0.0, 1.0],
        "meaning": found.yardsticks["loss"].meaning,
    }
    assert plain["releases"][1]["readings"]["suppressed"]["parts"] == {"share": 1 / 6}


def test_the_original_as_it_is(files: dict[str, str]) -> None:
    found = incrowd.measure(files["original"], {"as it is": files["original"]}, columns(files), label="income")
    lost = {"loss", "utility_measure", "query_error", "distribution_distance", "mean_change", "correlation_change"}
    for name in (*lost, "regression_change", "suppressed", "generalization_cost"):
        assert values(found)[name] == pytest.approx(0, abs=1e-12), name


def test_without_a_hierarchy_a_label_is_refused(files: dict[str, str]) -> None:
    with pytest.raises(SourceError, match="2 of the 2 distinct cells of column 'town' are neither values") as refused:
        incrowd.measure(files["original"], files["ranges"], ["age", "town"])
    assert "Styria" not in str(refused.value)
    assert "-q COLUMN=HIERARCHY" in str(refused.value)


def test_a_hierarchy_in_one_text() -> None:
    original = pa.table({"age": [21, 24, 36, 38]})
    release = pa.table({"age": ["20-29", "20-29", "30-39", "30-39"]})
    given = ({"intervals": {"widths": [10], "domain": [20, 59]}}, "intervals:widths=10,domain=20/59")
    found = [
        incrowd.measure(original, release, {"age": {"role": "quasi", "hierarchy": each}}, metrics=["loss"])
        for each in given
    ]
    assert [each.releases[0].readings["loss"].value for each in found] == [pytest.approx(9 / 39)] * 2


def test_what_only_one_release_lacks(files: dict[str, str], tmp_path: Path) -> None:
    narrow = tmp_path / "narrow.csv"
    narrow.write_text("age,income\n31-34,20\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no column 'town'; the columns are 'age', 'income'"):
        incrowd.measure(files["original"], str(narrow), columns(files))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"columns": ["agee"]}, "no column 'agee'.*did you mean 'age'"),
        ({"columns": {"age": "identifier"}}, "the role of column 'age' is 'identifier'; it may be quasi, sensitive"),
        (
            {"columns": {"age": {"role": "quasi", "hierarchies": 1}}},
            "no setting 'hierarchies'.*did you mean 'hierarchy'",
        ),
        ({"columns": {"age": 3}}, "column 'age': neither a role nor settings"),
        ({"columns": None}, "no quasi-identifiers given, and no release has a manifest"),
        ({"columns": {"income": "sensitive"}}, "no quasi-identifiers given"),
        ({"columns": {"age": "quasi", "town": {"scale": ["a"]}}}, "'town': not declared as quasi-identifier"),
        ({"columns": {"town": {"role": "quasi", "scale": ["Graz"]}}}, "it lacks 3 of 4 distinct values"),
        ({"columns": ["age"], "metrics": ["los"]}, "there is no metric 'los'.*did you mean 'loss'"),
        ({"columns": ["age"], "metrics": ["-los"]}, "excluded metric is 'los'"),
        ({"columns": ["age"], "metrics": ["loss", "-loss"]}, "all of them are excluded"),
        ({"columns": ["age"], "label": "job"}, "no column 'job'"),
        ({"columns": {"age": "quasi", "income": {"role": "sensitive", "ranges": 1}}}, "it has no hierarchy"),
    ],
)
def test_what_makes_no_sense(files: dict[str, str], given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        incrowd.measure(files["original"], files["original"], **given)


def test_the_earlier_name_of_metrics(files: dict[str, str]) -> None:
    now = incrowd.measure(files["original"], files["original"], ["age"], metrics=["loss"])
    earlier = incrowd.measure(files["original"], files["original"], ["age"], yardsticks=["loss"])
    assert now.to_dict() == earlier.to_dict()
    assert [*now.to_dict()["yardsticks"]] == ["loss"]


def test_no_release_and_one_twice(files: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="no release given"):
        incrowd.measure(files["original"], [], ["age"])


def test_more_records_than_the_original(files: dict[str, str], tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text(ORIGINAL + ORIGINAL.partition("\n")[2], encoding="utf-8")
    with pytest.raises(SourceError, match="it has 12 records, more than the 6 of the original; check"):
        incrowd.measure(files["original"], str(more), ["age"])


def test_an_empty_release(files: dict[str, str], tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("age,town,income\n", encoding="utf-8")
    found = values(incrowd.measure(files["original"], str(empty), columns(files), label="income"))
    assert found["loss"] == found["ambiguity"] == found["query_error"] == found["classification"] == 1
    assert found["suppressed"] == 6
    assert found["utility_measure"] is found["smallest_class"] is found["mean_change"] is None


def test_an_empty_original(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("age\n", encoding="utf-8")
    found = values(incrowd.measure(str(path), str(path), ["age"]))
    assert found["suppressed"] == 0
    assert found["query_error"] is None


def test_sensitive_ranges(files: dict[str, str]) -> None:
    ranges = columns(files, ranges=["20-40", "80-99"])
    found = values(incrowd.measure(files["original"], files["ranges"], ranges, metrics=["worst_group_protection"]))
    # The second class is all within 20-40: incomes 20, 30 and 40, the domain being 70 wide.
    near_ones = 3 + 2 * (1 - Fraction(10, 70)) * 2 + 2 * (1 - Fraction(20, 70))
    assert found["worst_group_protection"] == near(near_ones / 9)
    with pytest.raises(SourceError, match="the sensitive ranges: 1 of the 1 distinct cells of column 'income'"):
        incrowd.measure(files["original"], files["ranges"], columns(files, ranges=["low"]))


def test_sensitive_ranges_as_a_level(files: dict[str, str], tmp_path: Path) -> None:
    levels = tmp_path / "incomes.csv"
    levels.write_text("20,low,*\n30,low,*\n40,high,*\n90,high,*\n", encoding="utf-8")
    ranges = columns(files, ranges=1, hierarchy=str(levels))
    found = values(incrowd.measure(files["original"], files["ranges"], ranges, metrics=["worst_group_protection"]))
    # Two of three are low, one level apart: 1 + 1 + 2 * (1 - 1/3), and the third is alone.
    assert found["worst_group_protection"] == near((3 + 2 * Fraction(2, 3)) / 9)
    with pytest.raises(UsageError, match="no level 7: its levels are 0 to 2"):
        incrowd.measure(files["original"], files["ranges"], {**ranges, "income": {**ranges["income"], "ranges": 7}})


def test_own_queries(files: dict[str, str], tmp_path: Path) -> None:
    queries = tmp_path / "queries.csv"
    queries.write_text('age,town\n30-33,\n,Graz\n47-48,"{Linz, Wels}"\n20-29,\n', encoding="utf-8")
    found = incrowd.measure(
        files["original"], files["ranges"], columns(files), queries=str(queries), metrics=["query_error"]
    )
    reading = found.releases[0].readings["query_error"]
    # 31 to 33 of 31 to 34; one town of two; 2 of 16 years. The last is true of nobody.
    errors = [abs(2 - 3 * Fraction(3, 4)) / 2, abs(2 - Fraction(3, 2)) / 2, abs(2 - 3 * Fraction(2, 16)) / 2]
    assert reading.value == near(sum(errors) / 3)
    assert reading.parts["own queries"]["queries"] == 3
    assert reading.parts["own queries"]["50 %"] == near(sorted(errors)[1])
    assert reading.parts["own queries"]["100 %"] == near(max(errors))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age,job\n31,x\n", "no column 'job'"),
        ("age\nyoung\n", "1 of the 1 distinct cells of column 'age'"),
        ("age\n20\n", "no query matches a record"),
    ],
)
def test_queries_that_make_no_sense(files: dict[str, str], tmp_path: Path, text: str, message: str) -> None:
    queries = tmp_path / "queries.csv"
    queries.write_text(text, encoding="utf-8")
    with pytest.raises((SourceError, UsageError), match=message):
        incrowd.measure(files["original"], files["ranges"], columns(files), queries=str(queries))


def test_equal_seeds_draw_equal_queries(files: dict[str, str]) -> None:
    def error(seed: int) -> float | None:
        found = incrowd.measure(
            files["original"], files["ranges"], columns(files), seed=seed, metrics=["query_error:size=20"]
        )
        return found.releases[0].readings["query_error:size=20"].value

    assert error(1) == error(1) != error(2)


def test_ordered_values(tmp_path: Path) -> None:
    frame = pl.DataFrame({"size": ["small", "large", "medium", "large"]})
    release = pl.DataFrame({"size": ["small..medium", "large", "small..medium", "large"]})
    sizes = {"size": {"role": "quasi", "scale": ["tiny", "small", "medium", "large"]}}
    found = values(incrowd.measure(frame, release, sizes))
    assert found["loss"] == near(Fraction(1, 3) / 2)


def test_what_lies_beside_a_release(tmp_path: Path) -> None:
    """Roles, k and hierarchies of Incrowd's own releases need not be given again."""
    paths = written(tmp_path)
    job = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}, "minimum": 1, "priority": 2},
            "town": {"role": "quasi", "hierarchy": paths["regions"], "minimum": 1},
            "income": {"role": "sensitive"},
        },
        "models": ["k_anonymity:k=2"],
        "suppress": 1,
        "output": str(tmp_path / "release.csv"),
    }
    made = incrowd.anonymize(paths["original"], job)
    found = incrowd.measure(paths["original"], tmp_path / "release.csv")
    assert found.quasi == ("age", "town")
    assert found.sensitive == ("income",)
    for name in ("loss", "discernibility", "average_class_size"):
        assert values(found)[name] == pytest.approx(made.figures.scores[name], rel=1e-9), name
    assert values(found)["normalized_class_size"] == near(Fraction(5, 4))
    # The record of another release says nothing about this one.
    record = tmp_path / "release.csv.record.json"
    plain = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**plain, "release": "0" * 64}), encoding="utf-8")
    hierarchies = {"age": {"hierarchy": {"intervals": {"widths": [10, 20]}}}, "town": {"hierarchy": paths["regions"]}}
    again = incrowd.measure(paths["original"], tmp_path / "release.csv", hierarchies)
    assert again.notes == (f"{record} belongs to another release and is ignored",)
    assert "belongs to another release" in str(again)


def test_amounts_of_table_2_7() -> None:
    """FX-LOU-3: AM is 383/5544, with ages published as [40-80] of people who are all 40."""
    ages, numbers = [15, 30, 30, 15, 40, 80, 80, 40], [10, 15, 12, 13, 20, 30, 30, 25]
    cells = ["[15-30]"] * 4 + ["[40-80]"] * 4
    postcodes = ["[10-12]", "[13-15]", "[10-12]", "[13-15]", "[20-25]", "30", "30", "[20-25]"]
    original = pl.DataFrame({"age": ages, "postcode": numbers, "mortgage": list("YNYNYNNY")})
    release = pl.DataFrame({"age": cells, "postcode": postcodes, "mortgage": original["mortgage"]})
    found = values(incrowd.measure(original, release, ["age", "postcode"], label="mortgage"))
    assert found["ambiguity"] == near(Fraction(383, 5544))
    assert found["classification"] == 0
    assert found["discernibility"] == 16


ENGINES = ["pandas", "polars", "polars_lazy", "pyarrow", "duckdb"]


@pytest.mark.parametrize("engine", ENGINES)
def test_frames_of_any_engine(engine: str) -> None:
    original = {"age": [31, 33, 34, 47, 48, 62], "town": ["Graz", "Graz", "Leoben", "Linz", "Linz", None]}
    release = {"age": ["31-34"] * 3 + ["47-62"] * 3, "town": ["{Graz, Leoben}"] * 3 + ["*"] * 3}
    found = incrowd.measure(frame(engine, original), {"mine": frame(engine, release)}, ["age", "town"])
    assert values(found)["loss"] == near((3 * Fraction(3, 31) + 3 * Fraction(15, 31) + 3 * Fraction(1, 2) + 3) / 12)
    assert found.releases[0].name == "mine"


def frame(engine: str, columns: dict[str, list[Any]]) -> Any:
    """A frame of an engine."""
    rows = pa.table(columns)
    if engine == "pandas":
        return rows.to_pandas()
    if engine == "duckdb":
        import duckdb

        return duckdb.from_arrow(rows)
    made = pl.DataFrame(columns)
    return {"polars": made, "polars_lazy": made.lazy(), "pyarrow": rows}[engine]


def test_progress_is_shown(files: dict[str, str]) -> None:
    seen: list[str] = []
    incrowd.measure(files["original"], files["ranges"], columns(files), progress=lambda at: seen.append(at.words))
    assert seen


def test_goals_name_the_best(files: dict[str, str]) -> None:
    found = incrowd.measure(files["original"], [files["original"], files["ranges"]], columns(files))
    lines = {line.split()[0]: line.split() for line in str(found).splitlines() if line.strip()}
    assert lines["loss"][-1] == "A"
    assert lines["smallest_class"][-1] == "B"
    assert found.yardsticks["smallest_class"].goal == Goal.HIGH
