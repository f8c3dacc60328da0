"""The job that publishes what a sweep tried, against what the sweep itself would publish."""

from typing import Any

from incrowd import api
from incrowd.jobs import Job
from incrowd.web.parts.variants import job_of_variant

TABLE = {"age.group": [str(20 + at % 10) for at in range(40)], "sex": ["m", "f"] * 20}
JOB: dict[str, Any] = {
    "columns": {"age.group": {"role": "quasi", "limit": 1, "priority": 2.0}, "sex": {"role": "quasi"}},
    "models": [{"k_anonymity": {"k": 2}}],
    "metric": "discernibility",
}


def test_the_job_is_that_of_the_sweep() -> None:
    import pyarrow as pa

    swept = api.frontier(pa.table(TABLE), JOB, k=[3], searches=["optimal", "mondrian:cuts=relaxed"])
    told = swept.to_dict()["runs"]
    assert told[1]["left_out"] == ["columns.age.group.limit", "metric"]
    for run, tried in zip(swept.runs, told, strict=True):
        assert Job.from_dict(job_of_variant(JOB, tried)) == run.job
    assert JOB["columns"]["age.group"]["limit"] == 1


def test_k_is_replaced_however_it_was_written() -> None:
    tried = {"k": 9, "suppress": 0, "search": "optimal", "left_out": []}
    changed = job_of_variant({**JOB, "models": ["k_anonymity:k=2", "k_map:k=3"]}, tried)
    assert changed["models"] == [{"k_anonymity": {"k": 9}}, "k_map:k=3"]
    changed = job_of_variant({**JOB, "models": ["consistent_k:k=2,notion=global_one_k", "k_map:k=3"]}, tried)
    assert changed["models"] == [{"consistent_k": {"k": 9, "notion": "global_one_k"}}, "k_map:k=3"]
