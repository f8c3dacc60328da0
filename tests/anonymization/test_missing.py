"""Missing cells in whole runs: what matches them, what is set aside, what stands for them."""

from collections import Counter
from pathlib import Path

import pytest

import incrowd
from anonymization.holes import HOLES, HOLES_JOB
from anonymization.runs import (
    job,
    quasi,
    read_csv,
    refused,
    rows_of,
    verified,
    write_csv,
)
from anonymization.test_law_of_the_manifest import MODELS, SEARCHES
from incrowd.core.schema import Nulls
from incrowd.errors import UsageError


def test_extended_is_usual_and_missing_is_a_value() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "suppress": 2})
    assert made.manifest.nulls == "extended"
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [
        *[(None, "p")] * 2,
        *[("u", "p")] * 2,
        *[("v", "q")] * 2,
    ]
    assert made.manifest.suppressed == 2
    assert "Warning" not in str(made)


def test_basic_sets_records_aside() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic"})
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [*[("u", "p")] * 2, *[("v", "q")] * 2]
    assert (made.manifest.set_aside, made.manifest.suppressed) == (4, 0)
    assert "4 set aside for missing cells" in str(made)


def test_basic_shares_are_of_what_is_judged() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic", "suppress": 0.5})
    assert made.manifest.suppress_limit == 2


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_come_with_the_warning(nulls: str, tmp_path: Path) -> None:
    output = str(tmp_path / "release.csv")
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "suppress": 2, "output": output})
    [warning] = made.to_dict()["warnings"]
    assert f"missing cells count as wildcards ({nulls})" in warning
    assert "Warning: missing cells count as wildcards" in str(made)
    assert "if missing cells match anything" in str(made)
    assert incrowd.verify(output).warnings == made.verdict.warnings


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_are_for_k_anonymity_alone(nulls: str) -> None:
    models = [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "s"}}]
    words = refused(UsageError, lambda: incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "models": models}))
    assert words.startswith(f"nulls: {nulls}: missing cells that match everything make no classes")


@pytest.mark.parametrize("nulls", list(Nulls))
def test_texts_that_stand_for_missing_are_published_as_missing(nulls: str, tmp_path: Path) -> None:
    holes = [{name: "?" if cell is None else cell for name, cell in row.items()} for row in HOLES.to_pylist()]
    data = {"source": str(write_csv(tmp_path / "in.csv", holes)), "missing": ["?"]}
    described = {**HOLES_JOB, "nulls": str(nulls), "suppress": 2}
    made = verified(incrowd.anonymize(None, {**described, "data": data, "output": str(tmp_path / "release.csv")}))
    plain = incrowd.anonymize(HOLES, described)
    assert read_csv(tmp_path / "release.csv") == rows_of(plain)
    assert "?" not in (tmp_path / "release.csv").read_text("utf-8")
    assert (made.levels, made.manifest.suppressed) == (plain.levels, plain.manifest.suppressed)


def test_a_text_for_missing_in_a_sensitive_column(tmp_path: Path) -> None:
    rows = [{"a": "u", "s": "?"}, {"a": "u", "s": "1"}, {"a": "u", "s": "?"}]
    data = {"source": str(write_csv(tmp_path / "in.csv", rows)), "missing": ["?"]}
    columns = {**quasi("a"), "s": {"role": "sensitive"}}
    described = job(columns, {"distinct_l": {"l": 2, "column": "s"}}, data=data, output=str(tmp_path / "release.csv"))
    made = verified(incrowd.anonymize(None, described))
    assert "cells are missing in 's'; there, missing counts as one more value." in made.verdict.warnings


def test_a_hierarchy_may_say_what_becomes_of_missing_cells(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("u;known;*\nv;known;*\n;unknown;*\n")
    columns = {"a": {"role": "quasi", "hierarchy": str(tmp_path / "a.csv"), "minimum": 1, "limit": 1}}
    made = verified(incrowd.anonymize(HOLES, job(columns, output=str(tmp_path / "release.csv"))))
    assert Counter(row["a"] for row in rows_of(made)) == {"known": 5, "unknown": 3}


# Those that serve k-anonymity alone, and without a label.
@pytest.mark.parametrize("search", [name for name in SEARCHES if name not in (*MODELS, "top_down_specialization")])
@pytest.mark.parametrize("hierarchy", ["automatic", {"tree": {"groups": {"letter": ["x"]}}}])
def test_one_value_and_missing_together_are_all_lost(search: str, hierarchy: object, tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", [{"a": "x", "b": "1"}, {"a": "x", "b": "1"}, {"a": None, "b": "1"}])
    described = job(
        {"a": {"role": "quasi", "hierarchy": hierarchy}},
        {"k_anonymity": {"k": 3}},
        search=SEARCHES[search],
        output=str(tmp_path / "release.csv"),
    )
    made = verified(incrowd.anonymize(str(source), described))
    assert made.figures.scores["loss"] == 1
    [release] = incrowd.measure(str(source), [made.output]).to_dict()["releases"]
    assert release["readings"]["loss"]["value"] == 1
