"""Time limits: how much longer than it may each search takes: python benchmarks/limits.py [SEARCH...]

Each search gets 1, 2 and 5 seconds on Adult and on a million resampled records (nine columns, k = 5, 2% may be
suppressed), in a process of its own. Seconds are those of the processor, in one thread, so that other work on the
machine does not count. The command leaves with 1 if a search takes more than 5% and 0.05 s longer.
"""

import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import tables
import whole_runs

LIMITS = (1.0, 2.0, 5.0)
MORE, MOMENT = 1.05, 0.05
SOURCES = {"adult": tables.ADULT, "million": tables.DATA / "one-million-nine.parquet"}
MOST = 300
"""Seconds after which a search is given up."""


def described(source: str, search: str) -> dict[str, object]:
    """The job."""
    columns = {
        name: {"role": "quasi", "hierarchy": str(whole_runs.HIERARCHIES / f"{name}.csv")} for name in tables.NINE
    }
    data = {"source": str(SOURCES[source]), **({"missing": ["?"]} if source == "adult" else {})}
    job = {"data": data, "columns": columns, "models": ["k_anonymity:k=5"], "suppress": 0.02, "search": search}
    return {**job, "output": "none.csv"}


def one(source: str, search: str, limit: float) -> dict[str, object]:
    """Run a search on counted records, by the processor's clock."""
    from incrowd import Job, watch
    from incrowd.anonymization.choosing import choose
    from incrowd.anonymization.opening import job_and_inputs
    from incrowd.anonymization.preparation import Preparation
    from incrowd.anonymization.preparing import prepare
    from incrowd.errors import IncrowdError
    from incrowd.searches import ChoosingSearch

    try:
        job, inputs = job_and_inputs(None, Job.from_dict({**described(source, search), "time": limit}), "anonymize")
    except IncrowdError as error:
        return {"refused": str(error)}
    preparation = Preparation(inputs.source)
    try:
        prepared = prepare(preparation, job, {}, watch.Watch())
    except IncrowdError as error:
        return {"refused": str(error)}
    watch.time = SimpleNamespace(monotonic=time.process_time)  # type: ignore[assignment]
    before = time.process_time()
    try:
        if isinstance(job.search, ChoosingSearch):
            stopped = choose(preparation, job, job.search, None, 0.0).outcome.stopped
        else:
            with watch.Watch(limit) as within:
                stopped = job.search.run(prepared.problem, within).stopped
    except IncrowdError as error:
        stopped = type(error).__name__
    return {"took": time.process_time() - before, "stopped": stopped}


def measured(source: str, search: str, limit: float) -> dict[str, object]:
    """The same in a process of its own."""
    words = [sys.executable, __file__, "--one", source, search, str(limit)]
    there = {**os.environ, "INCROWD_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(words, check=True, capture_output=True, env=there, text=True, timeout=MOST)
    except subprocess.TimeoutExpired:
        return {"took": float("inf"), "stopped": "given up"}
    except subprocess.CalledProcessError as error:
        return {"refused": error.stderr.strip().splitlines()[-1]}
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure all searches, or those that are named."""
    from incrowd.families import SEARCHES

    wanted = sys.argv[1:] or sorted(SEARCHES.known())
    tables.parquet("one-million-nine", tables.NINE, 1_000_000)
    late = 0
    for search in wanted:
        for source in SOURCES:
            for limit in LIMITS:
                found = measured(source, search, limit)
                if "refused" in found:
                    print(f"---  {search}, {source}: {found['refused']}", flush=True)
                    break
                took = float(str(found["took"]))
                late += took > MORE * limit + MOMENT
                mark = "LATE" if took > MORE * limit + MOMENT else "ok  "
                print(f"{mark} {search}, {source}, {limit:g} s: {took:.2f} s, {found['stopped']}", flush=True)
                if found["stopped"] == "done" and took < limit / 2:
                    # A longer limit changes nothing.
                    break
    sys.exit(bool(late))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(sys.argv[2], sys.argv[3], float(sys.argv[4]))))
    else:
        main()
