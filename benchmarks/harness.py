"""How a benchmark is run: every measurement in a process of its own, the least of three counts."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

RUNS = 3

Figures = dict[str, float]


class Row(NamedTuple):
    """One comparison."""

    title: str
    ours: str
    """The function that measures Incrowd."""
    reference: str | None
    """The function that measures what it is compared with; None where the target is in seconds."""
    figure: str
    """cpu, wall, memory or loss."""
    target: float
    was: float | None = None
    """The figure of version 0.1.0."""
    runs: int = RUNS
    """How often it is measured."""


def measure(work: Callable[[], object], times: int = 1) -> Figures:
    """CPU and wall time of one run, the quickest of so many, and the process's peak memory."""
    if times > 1:
        return min((measure(work) for _ in range(times)), key=lambda run: run["cpu"])
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "result": result if isinstance(result, int | float | str | bool) else 0,
    }


def command(*words: str, program: str = str(Path(sys.executable).parent / "incrowd")) -> Figures:
    """A whole command in a new process, which finds compiled what Python compiles when it is installed."""
    there = {name: of for name, of in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter()
    subprocess.run([program, *words], check=True, capture_output=True, env=there)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "wall": time.perf_counter() - wall, "memory": after.ru_maxrss / 1024, "result": 0}


def least(file: str, name: str, figure: str, runs: int = RUNS) -> Figures:
    """The best of several runs, each in a process of its own."""
    words = [sys.executable, file, "--one", name]
    found = [json.loads(subprocess.run(words, check=True, capture_output=True).stdout) for _ in range(runs)]
    return min(found, key=lambda run: run[figure])


def run(
    file: str, measurements: Mapping[str, Callable[[], Figures]], rows: Sequence[Row], prepare: Callable[[], None]
) -> None:
    """Measure what the command line names, or everything; leave with 1 when a target is missed."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measurements[sys.argv[2]]()))
        return
    prepare()
    wanted = sys.argv[1:]
    missed = 0
    known: dict[tuple[str, str], Figures] = {}

    def best(name: str, figure: str, runs: int) -> Figures:
        if (name, figure) not in known:
            known[name, figure] = least(file, name, figure, runs)
        return known[name, figure]

    for row in rows:
        if wanted and row.ours not in wanted:
            continue
        mine = best(row.ours, row.figure, row.runs)
        words = f"{mine['cpu']:.3f} s CPU, {mine['wall']:.3f} s, {mine['memory']:,.0f} MB"
        value = mine[row.figure]
        if row.reference:
            other = best(row.reference, row.figure, row.runs)
            value = mine[row.figure] / other[row.figure]
            words += f"; reference {other['cpu']:.3f} s CPU, {other['wall']:.3f} s, {other['memory']:,.0f} MB"
            words += f"; ratio {value:.4f}"
        if row.was is not None:
            words += f"; was {row.was:.4g}, now {mine[row.figure] / row.was:.2f} of it"
        if "loss" in mine:
            words += f"; loss {mine['loss']:.4f}"
        met = value <= row.target
        missed += not met
        print(
            f"{'ok  ' if met else 'MISS'} {row.title}: {words} (target {row.target:.4g}) {mine['result'] or ''}",
            flush=True,
        )
    sys.exit(bool(missed))
