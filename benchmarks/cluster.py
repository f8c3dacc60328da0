"""What a cluster would do: Spark local[2] at several sizes, what it shuffles, and a model of larger ones.

    python benchmarks/cluster.py                 # 1 and 10 million records, then the model
    python benchmarks/cluster.py 1 10 50 100     # so many million records
    python benchmarks/cluster.py model           # the model from the figures that were measured last
    python benchmarks/cluster.py small           # a table of too many combinations in a driver with little memory

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
from math import log
from pathlib import Path
from typing import Any

import tables

FIGURES = tables.DATA / "cluster.json"
HIERARCHIES = tables.ADULT.parent / "hierarchies"
NAMES = {1: "one-million-nine", 10: "ten-million", 50: "fifty-million", 100: "hundred-million"}
MILLION = 1_000_000
LARGEST = 1
"""Million records of which a whole release is measured; of larger tables only the count is, which is nearly all that an
executor does before rows are published."""
PLAIN = 10
"""Million records up to which plain Spark's GROUP BY is measured beside it."""
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
    """One size: what plain Spark takes to group, join and write, and the steps of a release that stays a frame.

    Above LARGEST only the count is measured: a GROUP BY whose groups are fetched.
    """
    import incrowd
    from incrowd.anonymization import writing
    from incrowd.engines.frames import FrameSource
    from incrowd.engines.publish import Published
    from incrowd.watch import Watch

    path = tables.DATA / f"{NAMES[millions]}.parquet"
    with tempfile.TemporaryDirectory(dir=tables.DATA) as given:
        folder, figures = Path(given), {}
        with spark(folder) as session:
            frame = session.read.parquet(str(path))
            frame_tasks = frame.rdd.getNumPartitions()
            steps = Steps(session)
            with steps.step("start"):
                frame.limit(1).count()
            if millions <= PLAIN:
                with steps.step("group"):
                    frame.groupBy(*tables.NINE).count().count()
            before = peak()
            if millions > LARGEST:
                with steps.step("count"):
                    counted = FrameSource(frame).count(tables.NINE, Watch())
            else:
                counted = FrameSource(frame).count(tables.NINE, Watch())
                with steps.step("raw"):
                    raw(frame, folder)
                shutil.rmtree(folder / "raw")
                FrameSource.count_each = steps.of("count", FrameSource.count_each)  # type: ignore[method-assign]
                FrameSource.publish = steps.of("look up", FrameSource.publish)  # type: ignore[method-assign]
                Published.frame = steps.of("join and sort", Published.frame)  # type: ignore[method-assign]
                writing.verify_frame = steps.of("verify", writing.verify_frame)
                with steps.step("whole"):
                    made = incrowd.anonymize(frame, job())
                assert made.verdict.holds
                figures = {"kept": made.manifest.data.records, "classes": made.manifest.classes}
        return {
            "records": millions * MILLION,
            "combinations": counted.combinations,
            **figures,
            "seconds": steps.seconds,
            "driver_cpu": steps.cpu,
            "driver_memory": peak() - before,
            "tasks": frame_tasks,
            "spark": shuffled(folder),
        }


def peak() -> float:
    """The most memory of the Python process so far, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def told(found: Mapping[str, Any]) -> str:
    """The figures of one size as rows of a table."""
    lines = [
        f"{found['records'] / MILLION:,.0f} M records, {found['combinations']:,} combinations; memory of Python grew "
        f"by {found['driver_memory']:,.0f} MB",
        f"  {'step':14} {'wall s':>8} {'Python s':>9} {'tasks s':>8} {'CPU s':>8} {'shuffle MB':>10} {'rows':>10}",
    ]
    for name in ("group", "raw", *STEPS, "whole"):
        own = found["spark"].get(name)
        if name not in found["seconds"]:
            continue
        wall, cpu = found["seconds"].get(name, 0.0), found["driver_cpu"].get(name, 0.0)
        tail = (
            f" {own['run']:8.1f} {own['cpu']:10.1f} {own['shuffle'] / 1e6:11.1f} {own['shuffled']:12,.0f}"
            if own
            else ""
        )
        lines.append(f"  {name:14} {wall:8.1f} {cpu:9.1f}{tail}")
    return "\n".join(lines)


# A model of larger tables.

CORES, NETWORK = 4, 500e6
"""Of an executor: its cores, each as fast as one of this machine, and the bytes a second that it sends and receives."""
LARGER = [(10**9, 10), (10**9, 100), (10**10, 10), (10**10, 100)]
"""Records, and executors."""


def model(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What larger tables would take: everything in proportion to records or combinations, as measured at the largest
    size that was measured, and nothing for waiting, failures and skew."""
    sizes = sorted(known.values(), key=lambda found: found["records"])
    counted = sizes[-1]
    [*_, whole] = [found for found in sizes if "whole" in found["seconds"]]
    before = sizes[-2]
    growth = log(counted["combinations"] / before["combinations"]) / log(counted["records"] / before["records"])
    yield (
        f"combinations grow with the records to the power of {growth:.2f}, as from {before['records'] / MILLION:,.0f} "
        f"to {counted['records'] / MILLION:,.0f} M records"
    )
    count, publish = counted["spark"]["count"], whole["spark"]["join and sort"]
    of_record = {
        "task CPU to count": count["cpu"] / counted["records"],
        "task CPU to join and sort": publish["cpu"] / whole["records"],
        "bytes shuffled to join and sort": publish["shuffle"] / whole["records"],
        "seconds of verification, one after the other": _serial(whole, "verify") / whole["records"],
    }
    of_combination = {
        "bytes shuffled": count["shuffle"] / count["shuffled"],
        "bytes of memory of Python": counted["driver_memory"] * 2**20 / counted["combinations"],
        "seconds of Python to count": counted["driver_cpu"]["count"] / counted["combinations"],
    }
    for of, figures in (("record", of_record), ("combination", of_combination)):
        yield from (f"per {of}: {name} {value:.3g}" for name, value in figures.items())
    columns = ("records", "executors", "combinations", "driver GB", "count s", "driver s", "join, sort s", "verify s")
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    # A task counts as many records as one of the largest size did, and sends each combination of these once.
    task = counted["records"] / counted["tasks"]
    for records, executors in LARGER:
        combinations = counted["combinations"] * (records / counted["records"]) ** growth
        sent = records / task * count["shuffled"] / counted["tasks"] * of_combination["bytes shuffled"]
        figures = (
            f"{records / 1e9:.0f} billion",
            f"{executors}",
            f"{combinations / 1e6:,.0f} M",
            f"{combinations * of_combination['bytes of memory of Python'] / 1e9:,.1f}",
            f"{2 * (records * of_record['task CPU to count'] / CORES + sent / NETWORK) / executors:,.0f}",
            f"{2 * combinations * of_combination['seconds of Python to count']:,.0f}",
            f"{_published(records, of_record) / executors:,.0f}",
            f"{records * of_record['seconds of verification, one after the other']:,.0f}",
        )
        yield f"| {' | '.join(figures)} |"


def _serial(found: Mapping[str, Any], step: str) -> float:
    """Seconds of a step in which tasks and the driver wait for each other, partition after partition."""
    return float(found["spark"][step]["cpu"] + found["driver_cpu"][step])


def _published(records: int, of_record: Mapping[str, float]) -> float:
    """Seconds of one executor to join and sort."""
    tasks = of_record["task CPU to join and sort"] / CORES
    return records * (tasks + of_record["bytes shuffled to join and sort"] / NETWORK)


# A small driver.

DISTINCT = 300_000
"""Records of the table for a small driver, nearly all of them different."""
SMALL_JVM, SMALL_PYTHON = "512m", 64
"""Memory of Spark, and what Python may take beyond what it has when the session has begun, in MB."""
MOST = 20_000


def distinct(session: Any) -> Any:
    """A table of records that are nearly all different, made by Spark."""
    from pyspark.sql import functions as f

    rows = session.range(DISTINCT, numPartitions=PARTITIONS)
    drawn = {
        name: (f.abs(f.xxhash64(f.col("id"), f.lit(name))) % values).cast("int")
        for name, values in (("age", 97), ("place", 5_000), ("day", 3_650), ("sex", 2))
    }
    return rows.withColumns(drawn).drop("id")


def small(most: int | None) -> dict[str, Any]:
    """A release in a driver with little memory: what became of it, and the memory that Python took."""
    import resource

    import incrowd

    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
        "place": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 100, 1000]}}},
        "day": {"role": "quasi", "hierarchy": {"intervals": {"widths": [7, 28, 364]}}},
        "sex": "quasi",
    }
    described = {"columns": columns, "models": ["k_anonymity:k=5"], "suppress": 0.02, "search": "optimal"}
    with tempfile.TemporaryDirectory(dir=tables.DATA) as folder, spark(Path(folder), SMALL_JVM) as session:
        frame = distinct(session)
        frame.limit(10).toArrow()
        before = peak()
        held = int(Path("/proc/self/status").read_text("utf-8").split("VmData:")[1].split()[0]) * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (held + SMALL_PYTHON * 2**20,) * 2)
        try:
            made = incrowd.anonymize(incrowd.read(frame, most_combinations=most), described)
        except (incrowd.IncrowdError, MemoryError) as error:
            return {"said": str(error) or type(error).__name__, "memory": peak() - before}
        notes = [f"{made.manifest.data.records:,} records in {made.manifest.classes:,} classes, {made.verdict.word}"]
        return {"said": "; ".join([*notes, f"levels {dict(made.levels)}", *made.notes]), "memory": peak() - before}


def show_small() -> None:
    """A release of a table with too many combinations for its driver, without a bound and with one."""
    print(f"{DISTINCT:,} records, nearly all different; Spark {SMALL_JVM}, Python {SMALL_PYTHON} MB more than at first")
    for most in (0, MOST):
        words = [sys.executable, __file__, "--small", str(most)]
        ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        found = json.loads(ran.stdout) if ran.stdout else {"said": f"the process ended ({ran.returncode})", "memory": 0}
        bound = f"most_combinations={most:,}" if most else "no bound"
        print(f"{bound}: {found['said']}; Python took {found['memory']:,.0f} MB more", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(int(sys.argv[2]))))
        return
    if sys.argv[1:2] == ["--small"]:
        print(json.dumps(small(int(sys.argv[2]) or None)))
        return
    if sys.argv[1:2] == ["small"]:
        show_small()
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
    for found in known.values() if not sizes else ():
        print(told(found))
    print("\n".join(model(known)))


if __name__ == "__main__":
    main()
