"""Settings that few need: what missing cells match, a population, and every member with all its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.grid import Generalize, Suppress
from incrowd.core.schema import Nulls, Order, WipedAs
from incrowd.web.parts import choices, layout
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.scoring import Scoring

if TYPE_CHECKING:
    from incrowd.service import Workspace

NULLS = {
    str(Nulls.EXTENDED): "missing is a value like any other",
    str(Nulls.BASIC): "records with a missing cell are left out",
    str(Nulls.MAYBE): "missing matches everything",
    str(Nulls.RIGHT_MAYBE): "missing in the release matches everything",
}
_GENERALIZE = {
    "": "what the search does",
    Generalize.COLUMN: "columns as a whole",
    Generalize.CELL: "each cell by itself",
    Generalize.NONE: "nothing",
}
_SUPPRESS = {
    "": "records, as many as allowed above",
    Suppress.ROW: "records, as many as it takes",
    Suppress.COLUMN: "columns as a whole",
    Suppress.CELL: "single cells",
    Suppress.NONE: "nothing",
}
_WIPED = {
    "": "missing in columns that stay numbers or dates",
    WipedAs.LABEL: "their label, usually *",
    WipedAs.NULL: "missing",
}
_ORDER = {Order.SORTED: "sorted, so that it tells nothing", Order.SOURCE: "as in the original"}


def show(space: Workspace, owner: str, draft: Draft) -> Scoring:
    """The fields; what is left empty is as usual. Those of the search `scored` are returned, which come and go."""

    def keep(name: str, value: Any) -> None:
        if value in (None, "", []):
            draft.expert.pop(name, None)
        else:
            draft.expert[name] = value
        draft.keep(space, owner)

    def select(name: str, label: str, options: dict[Any, str], usual: Any, width: str = "middle") -> None:
        told = {str(key): words for key, words in options.items()}
        # A population may have been deleted since.
        known = draft.expert.get(name) if draft.expert.get(name) in told else usual
        field = ui.select(told, value=known, label=label).classes(width)
        layout.marked(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    def text(name: str, label: str, example: str) -> None:
        field = ui.input(label, value=draft.expert.get(name), placeholder=example).classes("wide").props("stack-label")
        layout.marked(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    with layout.line():
        select("nulls", "Missing cells", NULLS, str(Nulls.EXTENDED), "wide")
        select("order", "Order of the records", _ORDER, str(Order.SORTED))
        select("wiped", "Suppressed cells", _WIPED, "", "wide")
        select("generalize", "What is generalised", _GENERALIZE, "")
        select("suppress", "What is left out", _SUPPRESS, "")
        select("population", "Population", {"": "none", **choices.tables_of(space, owner, draft.file)}, "")
        seed = ui.number("Seed of chance", value=draft.expert.get("seed"), min=0, precision=0, placeholder="0")
        seed.props("stack-label")
        layout.marked(seed.on_value_change(lambda event: keep("seed", event.value and int(event.value))), "expert-seed")
    layout.hint(
        "A population, all people among whom those of the table are, is needed by some models and told in reports."
    )
    layout.hint("Searches, metrics and models with all their options, written as on the command line:")
    with layout.line():
        text("search", "Search, in place of the one above", "mondrian:cuts=relaxed")
        text("metric", "Metric, in place of the one above", "loss")
    models = ui.textarea(
        "Further models, one in a line", value="\n".join(draft.expert.get("models", ())), placeholder="k_map:k=5"
    )
    models.on_value_change(lambda event: keep("models", [each for each in (event.value or "").splitlines() if each]))
    layout.marked(models.classes("wide").props("stack-label"), "expert-models")
    return Scoring(draft, lambda: draft.keep(space, owner))
