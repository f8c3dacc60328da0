"""A table as `inspect` sees it: read once, and kept with the draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role
from incrowd.web.parts import noticed
from incrowd.web.parts.background import fetch_result

if TYPE_CHECKING:
    from incrowd.service import Workspace
    from incrowd.web.parts.draft import Draft


async def inspected(space: Workspace, owner: str, draft: Draft) -> bool:
    """Inspect a table unless that was done, and accept the suggested roles; on failure show why and return False."""
    if draft.inspection is None:
        draft.inspection = await fetch_result(space, "inspect", draft.reading_columns, owner)
        if draft.inspection is not None and not draft.roles and noticed.settle(draft, draft.inspection):
            # As a first job has it; the roles are those of the values as they are read then.
            draft.inspection = await fetch_result(space, "inspect", draft.reading_columns, owner)
        if draft.inspection is None:
            return False
        accept_suggestions(draft, draft.inspection)
        draft.keep(space, owner, is_choice=False)
    return True


def accept_suggestions(draft: Draft, inspection: dict[str, Any]) -> None:
    """Give each column whose role was not chosen the suggested one."""
    chosen = dict.fromkeys(draft.roles, True) if draft.chosen is None else draft.chosen
    columns = inspection["columns"]
    draft.chosen = {each["name"]: True for each in columns if each["name"] in chosen}
    new = [each for each in columns if each["name"] not in chosen]
    kept = {name: True for name in draft.also_person if name in chosen}
    draft.also_person = kept | {each["name"]: True for each in new if each["role"] == Role.QUASI and each.get("person")}
    draft.roles = {
        each["name"]: draft.roles.get(each["name"], each["role"]) if each["name"] in chosen else each["role"]
        for each in columns
    }
