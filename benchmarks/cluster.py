"""What a cluster would do: Spark local[2] at several sizes, what it shuffles, and a model of more records and executors.

    python benchmarks/cluster.py                 # 1 and 10 million records, then the model
    python benchmarks/cluster.py 1 10 50 100     # so many million records
    python benchmarks/cluster.py model           # the model from the figures that were measured last

Each size is a process of its own. The figures of Spark are those of its event log: what its tasks took, and what they
wrote for others (shuffle). Nothing but this machine's loopback is used, and Spark's own pages are off.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tables

FIGURES = tables.DATA / "cluster.json"
HIERARCHIES = tables.ADULT.parent / "hierarchies"
NAMES = {1: "one-million-nine", 10: "ten-million", 50: "fifty-million", 100: "hundred-million"}
MILLION = 1_000_000
STEPS = ("count", "look up", "join and sort", "verify")
PARTITIONS = 16
"""Of a shuffle; with 200, the default, tasks of a million records take longer to start than to run."""


def job() -> dict[str, Any]:
    columns = {name: {"role": "quasi", "hierarchy": str(HIERARCHIES / f"{name}.csv")} for name in tables.NINE}
    return {"columns": columns, "models": ["k_anonymity:k=5"], "suppress": 0.02, "search": "optimal"}


@contextmanager
def spark(folder: Path, memory: str = "4g") -> Iterator[Any]:
    """A session with two threads that writes its event log to a folder."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": memory,
        "spark.driver.maxResultSize": "0",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.local.dir": str(folder),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("incrowd")
    for name, value in settings.items():
        builder = builder.config(name, value)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()


class Steps:
    """The steps of a run by the names that its Spark jobs get, with their seconds here."""

    def __init__(self, session: Any) -> None:
        self._context = session.sparkContext
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        before = self._context.getLocalProperty("spark.job.description")
        wall, cpu = time.perf_counter(), time.process_time()
        self._context.setJobDescription(name)
        try:
            yield
        finally:
            self._context.setJobDescription(before)
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - wall
            self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - cpu

    def of(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function as a step."""

        def stepped(*given: Any, **named: Any) -> Any:
            with self.step(name):
                return work(*given, **named)

        return stepped


def shuffled(folder: Path) -> dict[str, dict[str, float]]:
    """What each step's stages took and wrote, from the event log."""
    [log] = [path for path in folder.iterdir() if path.name.startswith("local-")]
    step_of: dict[int, str] = {}
    found: dict[str, dict[str, float]] = {}
    with log.open(encoding="utf-8") as events:
        for line in events:
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                name = (event.get("Properties") or {}).get("spark.job.description")
                step_of |= {stage["Stage ID"]: name for stage in event["Stage Infos"] if name}
            elif event["Event"] == "SparkListenerStageCompleted":
                stage = event["Stage Info"]
                name = step_of.get(stage["Stage ID"], "else")
                total = found.setdefault(
                    name, dict.fromkeys(("cpu", "run", "shuffle", "shuffled", "spilled", "sent"), 0.0)
                )
                values = {each["Name"]: each["Value"] for each in stage["Accumulables"] if "Value" in each}
                for key, metric, unit in METRICS:
                    total[key] += float(values.get(f"internal.metrics.{metric}", 0)) / unit
    return found


METRICS = (
    ("cpu", "executorCpuTime", 1e9),
    ("run", "executorRunTime", 1e3),
    ("shuffle", "shuffle.write.bytesWritten", 1),
    ("shuffled", "shuffle.write.recordsWritten", 1),
    ("spilled", "diskBytesSpilled", 1),
    ("sent", "resultSize", 1),
)


def raw(frame: Any, folder: Path) -> None:
    """What plain Spark does for as much: group, join the groups to the records, write."""
    names = list(tables.NINE)
    groups = frame.groupBy(*names).count()
    groups.filter("count >= 5").join(frame, names).write.parquet(str(folder / "raw"))


def one(millions: int) -> dict[str, Any]:
    """One size: the steps of a release that stays a frame, and what plain Spark takes for grouping, joining, writing."""
    import incrowd
    from incrowd.anonymization import writing
    from incrowd.engines.frames import FrameSource
    from incrowd.engines.publish import Published

    path = tables.DATA / f"{NAMES[millions]}.parquet"
    with tempfile.TemporaryDirectory(dir=tables.DATA) as given:
        folder = Path(given)
        with spark(folder) as session:
            frame = session.read.parquet(str(path))
            steps = Steps(session)
            with steps.step("start"):
                frame.limit(1).count()
            with steps.step("group"):
                combinations = frame.groupBy(*tables.NINE).count().count()
            with steps.step("raw"):
                raw(frame, folder)
            shutil.rmtree(folder / "raw")
            FrameSource.count_and_compare = steps.of("count", FrameSource.count_and_compare)  # type: ignore[method-assign]
            FrameSource.publish = steps.of("look up", FrameSource.publish)  # type: ignore[method-assign]
            Published.frame = steps.of("join and sort", Published.frame)  # type: ignore[method-assign]
            writing.verify_frame = steps.of("verify", writing.verify_frame)
            with steps.step("whole"):
                made = incrowd.anonymize(frame, job())
            assert made.verdict.holds
        return {
            "records": millions * MILLION,
            "combinations": combinations,
            "kept": made.manifest.data.records,
            "classes": made.manifest.classes,
            "seconds": steps.seconds,
            "driver_cpu": steps.cpu,
            "driver_memory": peak(),
            "spark": shuffled(folder),
        }


def peak() -> float:
    """The most memory of the Python process so far, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def told(found: Mapping[str, Any]) -> str:
    """The figures of one size as rows of a table."""
    lines = [
        f"{found['records'] / MILLION:,.0f} M records, {found['combinations']:,} combinations, {found['kept']:,} kept in "
        f"{found['classes']:,} classes; Python {found['driver_memory']:,.0f} MB",
        f"  {'step':14} {'wall s':>8} {'Python s':>9} {'tasks s':>8} {'task CPU s':>10} {'shuffle MB':>11} {'rows':>12}",
    ]
    for name in ("group", "raw", *STEPS, "whole"):
        own = found["spark"].get(name)
        wall, cpu = found["seconds"].get(name, 0.0), found["driver_cpu"].get(name, 0.0)
        tail = (
            f" {own['run']:8.1f} {own['cpu']:10.1f} {own['shuffle'] / 1e6:11.1f} {own['shuffled']:12,.0f}"
            if own
            else ""
        )
        lines.append(f"  {name:14} {wall:8.1f} {cpu:9.1f}{tail}")
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(int(sys.argv[2]))))
        return
    sizes = [int(word) for word in sys.argv[1:] if word != "model"] or ([] if sys.argv[1:] else [1, 10])
    known = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    for millions in sizes:
        tables.parquet(NAMES[millions], tables.NINE, millions * MILLION)
        words = [sys.executable, __file__, "--one", str(millions)]
        answer = subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        known[str(millions)] = json.loads(answer)
        FIGURES.write_text(json.dumps(known, indent=1), "utf-8")
        print(told(known[str(millions)]), flush=True)


if __name__ == "__main__":
    main()
