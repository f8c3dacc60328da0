"""A table as `inspect` sees it: read once, and kept with the draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role
from incrowd.web.parts.background import fetch_result

if TYPE_CHECKING:
    from incrowd.service import Workspace
    from incrowd.web.parts.draft import Draft


async def inspected(space: Workspace, owner: str, draft: Draft) -> bool:
    """Inspect a table unless that was done, and accept the suggested roles; on failure show why and return False."""
    if draft.inspection is None:
        draft.inspection = await fetch_result(space, "inspect", draft.reading, owner)
        if draft.inspection is None:
            return False
        _accept_suggestions(draft, draft.inspection)
        draft.keep(space, owner)
    return True


def _accept_suggestions(draft: Draft, inspection: dict[str, Any]) -> None:
    """Give each column without a role the suggested one."""
    new = [each for each in inspection["columns"] if each["name"] not in draft.roles]
    draft.also_person |= {each["name"]: True for each in new if each["role"] == Role.QUASI and each.get("person")}
    draft.roles = {each["name"]: draft.roles.get(each["name"], each["role"]) for each in inspection["columns"]}
