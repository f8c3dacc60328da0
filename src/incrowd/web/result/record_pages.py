"""Pages of records for the grids: read from the file of a run, sent to its owner alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from incrowd.errors import IncrowdError
from incrowd.service.kinds.records import FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.reports.pair_columns import Asked
    from incrowd.service import Workspace

_MOST = 200
"""Records of one answer."""
_COLUMN = re.compile(r"before|after|[op]\d{1,5}")
_HIGHEST = 1 << 62
_WHICH = {"published": (1, _HIGHEST), "suppressed": (0, 0)}


def add_route(app: FastAPI, space: Workspace, owner: Callable[[Request], str]) -> None:
    """Add the address of the pages."""

    @app.get("/runs/{run}/records", include_in_schema=False)
    def _records(
        request: Request,
        run: str,
        start: int = 0,
        end: int = 100,
        sort: str = "[]",
        filters: str = "{}",
        which: str = "",
    ) -> Response:
        from incrowd.reports.pair_columns import page

        try:
            path = space.artifact(run, FILE, owner(request))
        except IncrowdError as error:
            return PlainTextResponse(str(error), status_code=404)
        try:
            asked = asked_for(start, end, json.loads(sort), json.loads(filters), which)
            found = page(path, asked)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            # Nothing of the request is repeated: it may hold a cell.
            return PlainTextResponse("not a page of records", status_code=400)
        return JSONResponse(found, headers={"Cache-Control": "no-store"})


def asked_for(start: int, end: int, sort: Any, filters: Any, which: str) -> Asked:
    """Return which records a grid asks for; ValueError, TypeError, KeyError or AttributeError for anything else."""
    from incrowd.reports.pair_columns import Asked

    if not 0 <= start < end <= start + _MOST:
        raise ValueError
    between = {name: _between(of) for name, of in filters.items() if of["filterType"] == "number"}
    if which in _WHICH:
        low, high = between.get("after", (0, _HIGHEST))
        between["after"] = (max(low, _WHICH[which][0]), min(high, _WHICH[which][1]))
    containing = {
        name: "" if of["type"] == "blank" else str(of["filter"])
        for name, of in filters.items()
        if of["filterType"] == "text"
    }
    order = tuple((str(name), bool(descending)) for name, descending in sort)
    if not all(_COLUMN.fullmatch(name) for name in (*between, *containing, *(name for name, _ in order))):
        raise ValueError
    return Asked(start, end, order, containing, between)


def _between(of: dict[str, Any]) -> tuple[int, int]:
    """Return the lowest and the highest number that a filter lets pass."""
    kind, value = of["type"], of.get("filter")
    if kind == "blank":
        return 0, 0
    if kind == "notBlank":
        return 0, _HIGHEST
    at = int(value or 0)
    return {
        "equals": (at, at),
        "greaterThan": (at + 1, _HIGHEST),
        "greaterThanOrEqual": (at, _HIGHEST),
        "lessThan": (0, at - 1),
        "lessThanOrEqual": (0, at),
        "inRange": (at, int(of.get("filterTo") or at)),
    }[kind]


SCRIPT = """<script>
window.pairedGrids = {
  // Two grids of the same records: what is sorted, filtered or scrolled in one is so in the other.
  begin(address) { Object.assign(this, {address, grids: {}, filters: {}, sort: [], which: "all", pages: new Map()}); },
  page(start, end) {
    const filters = JSON.stringify(Object.assign({}, ...Object.values(this.filters)));
    const asked = new URLSearchParams({start, end, sort: JSON.stringify(this.sort), filters, which: this.which});
    const url = `${this.address}?${asked}`;
    if (!this.pages.has(url)) {
      if (this.pages.size > 40) this.pages.clear();
      this.pages.set(url, fetch(url).then((answer) => answer.ok ? answer.json() : Promise.reject(answer.status)));
    }
    return this.pages.get(url);
  },
  source(side, address) {
    if (this.address !== address) this.begin(address);
    const failed = (wanted) => () => wanted.failCallback();
    const shown = (wanted) => ({rows, total}) => {
      wanted.successCallback(rows, total);
      total ? this.grids[side]?.hideOverlay() : this.grids[side]?.showNoRowsOverlay();
    };
    return {getRows: (wanted) => this.page(wanted.startRow, wanted.endRow).then(shown(wanted), failed(wanted))};
  },
  ready(side, api) { this.grids[side] = api; },
  others(api) { return Object.values(this.grids).filter((each) => each !== api); },
  sorted({api, source}) {
    if (source === "api") return;
    const sorted = api.getColumnState().filter((each) => each.sort).sort((one, two) => one.sortIndex - two.sortIndex);
    this.sort = sorted.map((each) => [each.colId, each.sort === "desc"]);
    for (const other of this.others(api)) other.applyColumnState({defaultState: {sort: null}});
    this.renew();
  },
  filtered(side, {api}) { this.filters[side] = api.getFilterModel(); this.renew(); },
  choose(which) { this.which = which; this.renew(); },
  renew() {
    for (const api of Object.values(this.grids)) {
      api.purgeInfiniteCache();
      if (api.getDisplayedRowCount()) api.ensureIndexVisible(0, "top");
    }
  },
  scrolled(side, {direction, top}) {
    if (direction !== "vertical") return;
    for (const other of Object.keys(this.grids).filter((each) => each !== side)) {
      const box = document.querySelector(`[data-mark="records-${other}"] .ag-body-viewport`);
      if (box && Math.abs(box.scrollTop - top) > 1) box.scrollTop = top;
    }
  },
};
</script>"""
