"""What no message, no traceback and no manifest may tell: the cells of records."""

import json
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.runs import (
    Job,
    files,
    frame_of,
    job,
    new_folder,
    quasi,
    verified,
    write_csv,
    write_ladder,
)
from incrowd.errors import IncrowdError, NotVerified, SourceError

SECRET = "Zaphod-8c1f"
"""A cell that must be nowhere but in the data."""


def secretive(**changes: Any) -> list[dict[str, str]]:
    """Records with the secret in a column of every role, in one record of its own."""
    usual = {"name": "n", "a": "u", "b": "p", "s": "1", "keep": "k", "other": "o"}
    rows = [dict(usual) for _ in range(4)]
    rows[1]["s"] = rows[3]["s"] = "2"
    return [*rows, {**{name: f"{SECRET}-{name}" for name in usual}, **changes}]


SECRET_COLUMNS = ["name", "a", "b", "s", "keep", "other"]
SECRET_ROLES: dict[str, dict[str, Any]] = {
    "name": {"role": "identifier"},
    "a": {"role": "quasi"},
    "b": {"role": "quasi", "limit": 0},
    "s": {"role": "sensitive"},
    "keep": {"role": "keep"},
}


def told(kind: type[Exception], run: Callable[[], object]) -> str:
    """All that an error says, with its traceback; nothing of it is a secret."""
    with pytest.raises(kind) as caught:
        run()
    words = "".join(traceback.format_exception(caught.value))
    assert SECRET not in re.sub(r"(?m)^ .*\n", "", words)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value)
    return str(caught.value)


def secret_job(*models: dict[str, Any], roles: dict[str, Any] | None = None, **settings: Any) -> Job:
    return job({**SECRET_ROLES, **(roles or {})}, *models, **settings)


def test_no_message_tells_a_cell(tmp_path: Path) -> None:
    table = frame_of(secretive(), SECRET_COLUMNS)
    kinds = str(write_ladder(tmp_path / "kinds.csv", {"u": ("*",), "v": ("*",)}))
    sick = str(write_ladder(tmp_path / "sick.csv", {"1": ("*",), "2": ("*",)}))
    by_ladder = {"t_closeness": {"t": 0.1, "column": "s", "distance": "hierarchical"}}
    by_order = {"t_closeness": {"t": 0.1, "column": "s", "distance": "ordered", "order": ["1", "2"]}}
    whole_order = {"t_closeness": {"t": 0.0, "column": "s", "distance": "ordered", "order": ["1", "2", f"{SECRET}-s"]}}
    jobs = [
        secret_job(),
        secret_job({"distinct_l": {"l": 9, "column": "s"}}),
        secret_job(whole_order),
        secret_job(by_order),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": kinds}}),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5]}}}}),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": {"dates": {}}}}),
        secret_job(by_ladder, roles={"s": {"role": "sensitive", "hierarchy": sick}}),
        secret_job(roles={"missing": {"role": "quasi"}}),
        secret_job(search={"scored": {"sample_k": 2}}, suppress=0),
    ]
    for described in jobs:
        told(IncrowdError, lambda described=described: incrowd.anonymize(table, described))


def test_a_record_that_cannot_be_read_or_written_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    write_csv(path, secretive(), SECRET_COLUMNS)
    path.write_text(path.read_text() + f'"{SECRET},too,few\n')
    told(SourceError, lambda: incrowd.anonymize(str(path), secret_job(suppress=1, output=str(tmp_path / "out.csv"))))
    odd = write_csv(tmp_path / "odd.csv", secretive(keep=f"{SECRET}\x01"), SECRET_COLUMNS)
    for ending in ("xml", "xlsx"):
        described = secret_job({"k_anonymity": {"k": 1}}, output=str(tmp_path / f"out.{ending}"))
        told(SourceError, lambda described=described: incrowd.anonymize(str(odd), described))


def test_a_table_that_changes_on_the_way(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", secretive()[:4], SECRET_COLUMNS)

    def change(_: object) -> None:
        write_csv(path, secretive(), SECRET_COLUMNS)

    described = secret_job(suppress=1, output=str(tmp_path / "out.csv"))
    words = told(SourceError, lambda: incrowd.anonymize(str(path), described, progress=change))
    assert "the data changed during the run" in words
    assert files(tmp_path) == {"in.csv"}


def test_what_does_not_verify_tells_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import searching

    monkeypatch.setattr(searching, "kept_combinations", lambda lattice, _: lattice.combinations.counts > 0)
    told(
        NotVerified,
        lambda: incrowd.anonymize(frame_of(secretive(), SECRET_COLUMNS), secret_job(suppress=1)),
    )


def test_the_manifest_does_not_tell_what_the_release_does_not_show(tmp_path: Path) -> None:
    kinds = {"1": ("odd", "*"), "2": ("even", "*"), f"{SECRET}-s": (f"{SECRET}-label", "*")}
    roles = {"s": {"role": "sensitive", "hierarchy": str(write_ladder(tmp_path / "kinds.csv", kinds))}}
    order = ["1", f"{SECRET}-s", "2"]
    models = [
        {"k_anonymity": {"k": 2}},
        {"t_closeness": {"t": 0.9, "column": "s", "distance": "hierarchical"}},
        {"t_closeness": {"t": 0.9, "column": "s", "distance": "ordered", "order": order}},
    ]
    output = {"to": str(tmp_path / "release.csv"), "record": str(tmp_path / "private" / "record.json")}
    (tmp_path / "private").mkdir()
    described = secret_job(*models, roles=roles, suppress=1, output=output)
    made = verified(incrowd.anonymize(frame_of(secretive(), SECRET_COLUMNS), described))
    assert made.manifest.suppressed == 1
    for name in ("release.csv", "release.csv.manifest.json"):
        assert SECRET not in (tmp_path / name).read_text("utf-8")
    assert SECRET not in str(made) + json.dumps(made.to_dict())
    assert SECRET in (tmp_path / "private" / "record.json").read_text("utf-8")


@settings(max_examples=25)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "a": st.sampled_from(["a-one", "a-two", "a-three"]),
                "b": st.sampled_from(["b-one", "b-two"]),
                "s": st.sampled_from(["s-one", "s-two", "s-three"]),
                "keep": st.sampled_from(["keep-one", "keep-two"]),
                "other": st.sampled_from(["other-one", "other-two"]),
            }
        ),
        min_size=1,
        max_size=15,
    ),
    k=st.integers(1, 4),
    partial=st.booleans(),
)
def test_no_manifest_tells_a_value_that_the_release_does_not_show(
    rows: list[dict[str, str]], k: int, partial: bool
) -> None:
    columns = {**quasi("a", "b"), "s": {"role": "sensitive"}, "keep": {"role": "keep"}}
    search = {"scored": {"partial": True}} if partial else "optimal"
    with new_folder() as folder:
        path = folder / "release.csv"
        # A heuristic search may find no way where there is one.
        models = [{"k_anonymity": {"k": 1 if partial else k}}, {"t_closeness": {"t": 0.6, "column": "s"}}]
        described = job(columns, *models, suppress=len(rows), search=search, output=str(path))
        incrowd.anonymize(frame_of(rows, ["a", "b", "s", "keep", "other"]), described)
        claims = (folder / "release.csv.manifest.json").read_text("utf-8")
        assert values_in(claims) <= values_in(path.read_text("utf-8"))


def values_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:a|b|s|keep|other)-(?:one|two|three)\b", text))
