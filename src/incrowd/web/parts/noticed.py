"""How values are written, what is assumed, and buttons that change it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Normalize, Notation, Role
from incrowd.proposing.facts import Sureness
from incrowd.text import count
from incrowd.web.parts import layout
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import Workspace

_SETTLED = "Likely readings are taken; you can undo them."
_NAMED = 3
"""Columns of which the same is noticed, by name; further ones are counted."""
_UNSETTLED = (Role.QUASI, Role.SENSITIVE)
"""The roles of columns whose values a job can read otherwise."""

Again = Callable[[], Awaitable[None]]


def show(space: Workspace, owner: str, draft: Draft, again: Again) -> None:
    """Show a panel with a line for each thing that was noticed; unsure ones first."""
    assert draft.inspection is not None
    # An inspection by an older version did not notice anything.
    found = [each for each in draft.inspection.get("noticed", ()) if _matters(draft, each)]
    if not found:
        return
    is_settled = any(each["set_by"] for each in found)
    with layout.panel("Noticed in values", _SETTLED if is_settled else None, "noticed"):
        for at, alike in enumerate(together(found)):
            _show_line(space, owner, draft, alike, at, again)


def settle(draft: Draft, inspection: Mapping[str, Any]) -> bool:
    """Read columns as is more than a guess, as a first job does; return whether any is read otherwise now."""
    likely = [each for each in inspection.get("noticed", ()) if _is_likely(each)]
    for each in likely:
        choose(draft, [each["column"]], each["choices"][0])
    return bool(likely)


def _is_likely(notice: Mapping[str, Any]) -> bool:
    return bool(notice["choices"]) and not notice["set_by"] and notice["sureness"] != Sureness.UNSURE


def together(found: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return notices that say the same of several columns together, unsure ones first."""
    alike: dict[str, list[Mapping[str, Any]]] = {}
    for each in sorted(found, key=lambda each: each["sureness"] != Sureness.UNSURE):
        alike.setdefault(repr({key: of for key, of in each.items() if key != "column"}), []).append(each)
    return list(alike.values())


def choose(draft: Draft, names: Sequence[str], choice: Mapping[str, Any]) -> None:
    """Read columns as a choice says, beside what was chosen before; roles that nobody chose follow."""
    for name in names:
        if "missing" in choice:
            codes = [*draft.missing_in.get(name, ()), *choice["missing"]]
            draft.missing_in = {**draft.missing_in, name: [*dict.fromkeys(codes)]}
        if "normalize" in choice:
            before = [step for step in draft.normalize.get(name, ()) if not _replaces(choice["normalize"], step)]
            draft.normalize = {**draft.normalize, name: [*dict.fromkeys([*before, *choice["normalize"]])]}
    draft.inspection = None


def undo(draft: Draft, names: Sequence[str], key: str) -> None:
    """Read columns as they are written again, as far as a key of a job says how they are read."""
    if key == "missing":
        draft.missing_in = {name: codes for name, codes in draft.missing_in.items() if name not in names}
    else:
        draft.normalize = {name: steps for name, steps in draft.normalize.items() if name not in names}
    draft.inspection = None


def _replaces(steps: Sequence[str], step: str) -> bool:
    """Return whether a step makes way for others: of two orders of day and month, the later one counts."""
    return step in tuple(Notation) and not set(steps) <= {*Normalize}


def _matters(draft: Draft, notice: Mapping[str, Any]) -> bool:
    return bool(notice["set_by"]) or not notice["choices"] or draft.roles.get(notice["column"]) in _UNSETTLED


def _show_line(
    space: Workspace, owner: str, draft: Draft, alike: Sequence[Mapping[str, Any]], at: int, again: Again
) -> None:
    first, names = alike[0], [each["column"] for each in alike]
    more = f" and {count(len(names) - _NAMED, 'more column')}" if len(names) > _NAMED else ""
    read = "" if first["set_by"] else f"; {first['assumed']}"
    words = f"{', '.join(names[:_NAMED])}{more}: {first['what']}{read}."
    asks = first["sureness"] == Sureness.UNSURE and first["choices"]

    async def take(change: Callable[[], None]) -> None:
        change()
        draft.keep(space, owner)
        await again()

    with layout.line():
        layout.mark(layout.message(words, "warning" if asks else ""), f"notice-{at}")
        for number, choice in enumerate(first["choices"]):
            pressed = _taking(take, lambda choice=choice: choose(draft, names, choice))  # type: ignore[misc]
            layout.mark(layout.quiet_button(choice["label"]).on_click(pressed), f"notice-{at}-{number}")
        if first["set_by"]:
            pressed = _taking(take, lambda: undo(draft, names, first["set_by"]))
            layout.mark(layout.quiet_button("Undo").on_click(pressed), f"undo-{at}")


def _taking(
    take: Callable[[Callable[[], None]], Awaitable[None]], change: Callable[[], None]
) -> Callable[[], Awaitable[None]]:
    async def pressed() -> None:
        await take(change)

    return pressed
