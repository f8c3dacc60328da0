"""The page that counts the combinations of the first column."""

from typing import Any

from incrowd.web.parts import layout
from incrowd.web.parts.background import fetch_result, run_soon

TOOL = (50, "Tally")


def show(space: Any, owner: str, file: Any) -> None:
    """Show the page."""
    with layout.page("Tally", "How many combinations there are.", (file.id, file.name), "tally"):
        place = layout.stack()

    async def count() -> None:
        with place:
            found = await fetch_result(space, "tally", {"file": file.id, "by": ["age"]}, owner)
            if found is not None:
                layout.mark(layout.paragraph(f"{found['combinations']} combinations", "found"), "tallied")

    run_soon(count)
