"""What classes span, read off the cells: claimed by `guaranteed`, and found where the claim is false."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.release import Manifest, PublishedQuasi, Record
from incrowd.verification import Check, verify
from incrowd.verification._utility import utility_check
from local.test_runs import ROWS, job

SAFE = ["k_anonymity:k=4", "range_diversity:p=0.5,column=disease"]


def released(folder: Path, **more: Any) -> tuple[Path, Manifest, Record]:
    """A release of `guaranteed` on disk."""
    source, output = folder / "rows.csv", folder / "release.csv"
    pd.DataFrame(ROWS).to_csv(source, index=False)
    given = {"search": "guaranteed:utility=0.6", "models": SAFE, "suppress": 0.8, **more}
    made = incrowd.anonymize(None, job(data=str(source), output=str(output), **given))
    return output, made.manifest, Record.read(Path(str(made.record_file)))


def of_utility(checks: tuple[Check, ...]) -> Check:
    """What was found of what classes span."""
    [found] = [check for check in checks if check.name == "utility"]
    return found


def test_the_claim_is_made_and_holds(tmp_path: Path) -> None:
    path, manifest, record = released(tmp_path)
    assert manifest.utility == 0.6
    assert "No class spans more than 0.6 of the quasi-identifiers' domains" in " ".join(manifest.promises)
    assert Manifest.from_dict(manifest.to_dict()) == manifest
    verdict = verify(path, record=record)
    assert verdict.holds
    assert of_utility(verdict.checks).holds


def test_a_claim_that_is_too_bold_fails(tmp_path: Path) -> None:
    path, manifest, record = released(tmp_path)
    bold = replace(manifest, utility=0.05)
    verdict = verify(path, bold, replace(record, release=bold.fingerprint))
    assert of_utility(verdict.checks).holds is False
    assert "classes span more than 0.05 of the domains on average" in of_utility(verdict.checks).detail
    assert verdict.word == "failed"


def test_a_cell_that_was_widened_fails(tmp_path: Path) -> None:
    """Planted: one class publishes everything in all columns but one."""
    path, manifest, record = released(tmp_path, search="guaranteed:utility=0.4")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    names = [column.name for column in manifest.quasi]
    first = frame[names].iloc[0]
    frame.loc[(frame[names] == first).all(axis=1), names[1:]] = "*"
    frame.to_csv(path, index=False)
    assert of_utility(verify(path, manifest, record).checks).holds is False


def test_without_the_record_the_domains_are_not_known(tmp_path: Path) -> None:
    path, manifest, _ = released(tmp_path)
    assert of_utility(verify(path, replace(manifest, utility=0.01)).checks).holds is None


def test_other_searches_and_means_claim_nothing(tmp_path: Path) -> None:
    _, manifest, _ = released(tmp_path, search="mondrian")
    assert manifest.utility is None
    given = job(search="guaranteed:utility=0.6", models=SAFE, suppress=0.8)
    given["columns"] = {**given["columns"], "age": {"role": "quasi", "form": "mean"}}
    assert incrowd.anonymize(pd.DataFrame(ROWS), given).manifest.utility is None


def claims(form: str, utility: float) -> Manifest:
    """Of one column."""
    blank: Any = dict.fromkeys(Manifest.__dataclass_fields__)
    quasi = (PublishedQuasi("x", None, None, form),)
    return Manifest(**{**blank, "quasi": quasi, "utility": utility, "suppressed": 0, "set_aside": 0})


@pytest.mark.parametrize(
    ("form", "cells", "widest"),
    [
        ("range", ["1-3", "5", "-1 to 9", None], Fraction(1)),
        ("range", ["1-3", "0-10", "4 to 8"], Fraction(1)),
        ("range", ["0", "10", "2-6"], Fraction(2, 5)),
        ("range", ["2020-01-01", "2020-01-31", "2020-01-01 to 2020-01-07"], Fraction(1, 5)),
        ("set", ["a", "{b, c}", '{a, "d, e"}'], Fraction(1, 3)),
        ("set", ["a", "b", "*"], Fraction(1)),
        ("set", ["a", None], Fraction(0)),
    ],
)
def test_what_a_cell_spans(form: str, cells: list[str | None], widest: Fraction) -> None:
    classes = [(cell,) for cell in cells]
    assert utility_check(claims(form, float(widest)), None, classes).holds
    if widest:
        assert utility_check(claims(form, float(widest) - 0.01), None, classes).holds is None


def test_labels_need_the_hierarchy() -> None:
    assert utility_check(claims("ancestor", 1.0), None, [("north",)]).holds is None
