"""The explorer of a lattice: every node as a picture and as a list, filtered, paged, and counted on demand."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.anonymization.lattice_counting import MOST
from incrowd.anonymization.lattice_nodes import LatticeNodes
from incrowd.errors import IncrowdError
from incrowd.web.pages import releases
from incrowd.web.parts import layout
from incrowd.web.parts.background import fetch_run, forget, run_in_thread, starts_run, submit
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.result import neighbors
from incrowd.web.result.node_list import NodeList

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

NODES = "nodes.parquet"
_TIMES = {10: "10 seconds", 60: "1 minute", 600: "10 minutes", 0: "no limit"}
_UNIFORM = "optimal"
"""The search that gives each column one level."""


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the explorer; of a release that is not a node, how to get one."""
    about = (
        "A release with one level for each column is a node of a lattice. Look at every node, including those that the "
        "search did not choose; click one to see its neighbors and records."
    )
    if not neighbors.is_available(made):
        with layout.panel("Lattice explorer", about, mark="explorer"):
            _show_uniform(space, owner, made)
        return
    with layout.panel("Lattice explorer", about, mark="explorer"):
        explorer = Explorer(space, owner, made)
        explorer.form()
    explorer.node = neighbors.show(space, owner, made)


def _show_uniform(space: Workspace, owner: str, made: Run) -> None:
    layout.hint("This release has no single level per column: its cells are generalized class by class.")

    async def create() -> Run | None:
        try:
            job = {**made.request["job"], "search": _UNIFORM}
            return await submit(space, "anonymize", {"job": job}, owner)
        except IncrowdError as error:
            ui.notify(str(error), type="negative")
            return None

    with layout.line():
        button = ui.button("Create a release with one level per column").props("no-caps outline")
        layout.mark(starts_run(button, create), "create-uniform")


class Explorer:
    """The lattice of one release."""

    node: neighbors.NodePanel

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made
        facts = made.result or {}
        job = made.request["job"]
        self.own: dict[str, int] = facts["levels"]
        self.box = narrowed(allowed(job, facts["heights"]), self.own)
        self.size = size_of(allowed(job, facts["heights"]))
        self.job = neighbors.job_at(job, self.box)
        self.latest = LatestRun(space, owner, releases.file_of(made), "lattice", self._shown)
        if self.latest.request.get("job") != self.job:
            # Of another release of the table.
            self.latest.last = None

    def form(self) -> None:
        """Show what to count."""
        with layout.line():
            before = self.latest.request.get("time", 10)
            self.time = ui.select(_TIMES, value=before if before in _TIMES else 10, label="Time limit").classes(
                "narrow"
            )
            layout.mark(self.time, "lattice-time")
            layout.mark(ui.button("Count the nodes", on_click=self._count).props("no-caps unelevated"), "lattice-go")
            size = size_of(self.box)
            words = f"{self.size:,} nodes." if size == self.size else f"{size:,} of {self.size:,} nodes: those nearest."
            layout.hint(words)
        self.latest.place_result("lattice-found", self._request)

    def _request(self) -> dict[str, Any]:
        return {"job": self.job, **({"time": self.time.value} if self.time.value else {})}

    async def _count(self) -> None:
        await self.latest.start(self._request())

    async def _shown(self, over: Run) -> None:
        nodes = await run_in_thread(LatticeNodes.read, self.space.artifact(over.id, NODES, self.owner))
        NodeList(nodes, self.own, self._go, self._count_more).show()

    async def _go(self, levels: dict[str, int]) -> dict[str, Any] | None:
        ui.run_javascript("document.getElementById('lattice').scrollIntoView({block: 'start'})")
        return await self.node.go(levels)

    async def _count_more(self, levels: dict[str, tuple[int, int]]) -> LatticeNodes | None:
        """Count the nodes between these levels."""
        box = {name: levels.get(name, own) for name, own in self.box.items()}
        limit = {"time": self.time.value} if self.time.value else {}
        over = await fetch_run(
            self.space, "lattice", {"job": neighbors.job_at(self.made.request["job"], box), **limit}, self.owner
        )
        if over is None:
            return None
        try:
            return await run_in_thread(LatticeNodes.read, self.space.artifact(over.id, NODES, self.owner))
        finally:
            await run_in_thread(partial(forget, self.space, over.id))


def allowed(job: dict[str, Any], heights: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Return by column the lowest and highest level that a job allows."""
    found = {}
    for name, height in heights.items():
        column = job["columns"].get(name)
        settings = column if isinstance(column, dict) else {}
        low, high = settings.get("minimum"), settings.get("limit")
        found[name] = (
            low if isinstance(low, int) else 0,
            high if isinstance(high, int) else height,
        )
    return found


def size_of(box: dict[str, tuple[int, int]]) -> int:
    """Return the number of nodes between levels."""
    return prod(high - low + 1 for low, high in box.values())


def narrowed(box: dict[str, tuple[int, int]], own: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Return the levels nearest to a release, so that there are few enough nodes to list."""
    while size_of(box) > MOST:
        name = max(box, key=lambda each: box[each][1] - box[each][0])
        low, high = box[name]
        box = {**box, name: (low + 1, high) if own[name] - low > high - own[name] else (low, high - 1)}
    return box
