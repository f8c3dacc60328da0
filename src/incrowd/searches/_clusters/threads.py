"""Work that kernels do without Python's lock: on all processors, slice by slice."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Protocol

from incrowd.threads import processors
from incrowd.watch import Watch

SLICE = 20_000_000
"""Steps of a kernel that take some hundredths of a second."""


class Task(Protocol):
    """Work that goes on where it was left."""

    def run(self, work: int) -> bool:
        """Go on for about so many steps; return whether all is done."""
        ...


def finish(tasks: Sequence[Task], watch: Watch, words: str) -> None:
    """Do all of the work; when the watch stops it, every task has ended its slice before Stopped is raised."""
    if min(len(tasks), processors()) < 2:
        for done, task in enumerate(tasks):
            watch.tick(words, done / len(tasks))
            while not task.run(SLICE):
                watch.tick(words, done / len(tasks))
        return
    stop = Event()

    def work(task: Task) -> None:
        while not stop.is_set() and not task.run(SLICE):
            pass

    with ThreadPoolExecutor(min(len(tasks), processors())) as pool:
        every = [pool.submit(work, task) for task in tasks]
        waiting = set(every)
        try:
            while waiting:
                watch.tick(words, 1 - len(waiting) / len(every))
                waiting = wait(waiting, timeout=0.05).not_done
        finally:
            stop.set()
    for each in every:
        each.result()
