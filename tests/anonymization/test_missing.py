"""Missing cells in whole runs: what matches them, what is set aside, what stands for them."""

from collections import Counter
from pathlib import Path
from typing import Any

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


def about_missing(made: Any) -> list[str]:
    """The warnings, but for that of the sensitive column, which no model names."""
    return [each for each in made.to_dict()["warnings"] if "no privacy model" not in each]


def test_extended_is_usual_and_missing_is_a_value() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "suppress": 2})
    assert made.manifest.nulls == "extended"
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [
        *[(None, "p")] * 2,
        *[("u", "p")] * 2,
        *[("v", "q")] * 2,
    ]
    assert made.manifest.suppressed == 2
    assert about_missing(made) == []


def test_basic_sets_records_aside() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic"})
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [*[("u", "p")] * 2, *[("v", "q")] * 2]
    assert (made.manifest.set_aside, made.manifest.suppressed) == (4, 0)
    assert "4 set aside for missing values" in str(made)


def test_basic_shares_are_of_what_is_judged() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic", "suppress": 0.5})
    assert made.manifest.suppress_limit == 2


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_come_with_the_warning(nulls: str, tmp_path: Path) -> None:
    output = str(tmp_path / "release.csv")
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "suppress": 2, "output": output})
    [warning] = about_missing(made)
    assert f"missing values count as wildcards ({nulls})" in warning
    assert "Warning: missing values count as wildcards" in str(made)
    assert "if missing values match anything" in str(made)
    assert incrowd.verify(output).warnings == made.verdict.warnings


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_are_for_k_anonymity_alone(nulls: str) -> None:
    models = [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "s"}}]
    words = refused(UsageError, lambda: incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "models": models}))
    assert words.startswith(f"nulls: {nulls}: missing values that match everything do not form classes")


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
    assert "values are missing in 's'; missing counts as one more value there." in made.verdict.warnings


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


GAPS = "a,b\nu,1\nu,1\nv,1\nNULL,1\nNULL,1\nw,1\n"
UNCLEAR = {"tree": {"groups": {"*": {"known": ["u", "w"], "unclear": ["v", "NULL"]}}}}


def _with_gaps(tmp_path: Path, nulls: str, level: int, k: int) -> Any:
    (tmp_path / "gaps.csv").write_text(GAPS)
    columns = {"a": {"role": "quasi", "hierarchy": UNCLEAR, "minimum": level, "limit": level}, "b": {"role": "keep"}}
    data = {"source": str(tmp_path / "gaps.csv"), "missing": ["NULL"]}
    output = {"to": str(tmp_path / f"{nulls}{level}.csv"), "replace": True}
    return verified(
        incrowd.anonymize(
            None, job(columns, {"k_anonymity": {"k": k}}, data=data, nulls=nulls, output=output, suppress=5)
        )
    )


@pytest.mark.parametrize(
    ("nulls", "level", "k", "published", "smallest"),
    [
        # A value of its own, and then one with those that share its label.
        ("extended", 0, 2, {"u": 2, "": 2}, 2),
        ("extended", 1, 3, {"known": 3, "unclear": 3}, 3),
        # Set aside at every level, wherever the tree has it.
        ("basic", 0, 2, {"u": 2}, 2),
        ("basic", 1, 1, {"known": 3, "unclear": 1}, 1),
        # A wildcard as long as it is missing; with a label, that label alone.
        ("maybe", 0, 3, {"u": 2, "v": 1, "w": 1, "": 2}, 3),
        ("maybe", 1, 3, {"known": 3, "unclear": 3}, 3),
        ("right_maybe", 0, 2, {"u": 2, "v": 1, "w": 1, "": 2}, 2),
        ("right_maybe", 1, 3, {"known": 3, "unclear": 3}, 3),
    ],
)
def test_a_null_string_in_a_value_tree(
    nulls: str, level: int, k: int, published: dict[str, int], smallest: int, tmp_path: Path
) -> None:
    made = _with_gaps(tmp_path, nulls, level, k)
    assert Counter(row["a"] or "" for row in read_csv(Path(made.output))) == published
    assert made.manifest.smallest == smallest
    assert made.manifest.set_aside == (2 if nulls == "basic" else 0)


def test_a_null_string_in_a_value_tree_of_a_definition_and_later_records(tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text(GAPS)
    (tmp_path / "job.xml").write_text("""<ANON>
  <Parameters><k>3</k><missing handling="extended"><null_string value="NULL"/></missing></Parameters>
  <Datasource><source location="gaps.csv"/></Datasource>
  <Output location="release.csv"/>
  <Attributes><k-attribute name="a" limit="1"/><ignore name="b"/></Attributes>
  <GeneralizationHierarchies><hierarchy attribute="a">
    <value name="*">
      <value name="known"><value name="u"/><value name="w"/></value>
      <value name="unclear"><value name="v"/><value name="NULL"/></value>
    </value></hierarchy></GeneralizationHierarchies>
</ANON>""")
    made = verified(incrowd.anonymize(job=tmp_path / "job.xml"))
    assert Counter(row["a"] for row in read_csv(Path(made.output))) == {"known": 3, "unclear": 3}
    (tmp_path / "more.csv").write_text("a,b\n" + "NULL,1\n" * 3)
    later = incrowd.apply(made.record_file, str(tmp_path / "more.csv"), output=str(tmp_path / "later.csv"))
    assert Counter(row["a"] for row in read_csv(Path(later.output))) == {"unclear": 3}
