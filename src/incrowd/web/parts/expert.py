"""Expert settings: missing values, population, and every search, metric and model with all options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.grid import Generalize, Suppress
from incrowd.core.schema import Nulls, Order, WipedAs
from incrowd.web.parts import choices, help, layout
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.scoring import Scoring

if TYPE_CHECKING:
    from incrowd.service import Workspace

NULLS = {
    str(Nulls.EXTENDED): "are a value of their own",
    str(Nulls.BASIC): "match nothing; their records are excluded",
    str(Nulls.MAYBE): "match every value",
    str(Nulls.RIGHT_MAYBE): "match every value if they are in the release",
}
_GENERALIZE = {
    "": "default of the search",
    Generalize.COLUMN: "whole columns (global recoding)",
    Generalize.CELL: "single cells (local recoding)",
    Generalize.NONE: "nothing",
}
_SUPPRESS = {
    "": "records, up to the limit above",
    Suppress.ROW: "records, without a limit",
    Suppress.COLUMN: "whole columns",
    Suppress.CELL: "single cells",
    Suppress.NONE: "nothing",
}
_WIPED = {
    "": "missing in numeric and date columns, else *",
    WipedAs.LABEL: "label of the top level, usually *",
    WipedAs.NULL: "missing",
}
_ORDER = {Order.SORTED: "sorted", Order.SOURCE: "as in the original"}


def show(space: Workspace, owner: str, draft: Draft) -> Scoring:
    """Show the fields; return those of the search `scored`, which depend on the chosen search."""

    def keep(name: str, value: Any) -> None:
        if value in (None, "", []):
            draft.expert.pop(name, None)
        else:
            draft.expert[name] = value
        draft.keep(space, owner)

    def select(name: str, label: str, options: dict[Any, str], usual: Any, width: str = "middle") -> None:
        labels = {str(key): words for key, words in options.items()}
        # A population may have been deleted since.
        known = draft.expert.get(name) if draft.expert.get(name) in labels else usual
        field = ui.select(labels, value=known, label=label).classes(width)
        layout.mark(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    def text(name: str, label: str, example: str) -> None:
        field = ui.input(label, value=draft.expert.get(name), placeholder=example).classes("wide").props("stack-label")
        layout.mark(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    with layout.line():
        select("nulls", "Missing values", NULLS, str(Nulls.EXTENDED), "wide")
        help.button("Missing values", ("Missing value",))
        select("order", "Order of records", _ORDER, str(Order.SORTED))
        select("wiped", "Published form of suppressed cells", _WIPED, "", "wide")
        select("generalize", "Generalization", _GENERALIZE, "", "wide")
        select("suppress", "Suppression", _SUPPRESS, "", "wide")
        select("population", "Population", {"": "none", **choices.tables_of(space, owner, draft.file)}, "")
        seed = ui.number("Random seed", value=draft.expert.get("seed"), min=0, precision=0, placeholder="0")
        seed.props("stack-label")
        layout.mark(seed.on_value_change(lambda event: keep("seed", event.value and int(event.value))), "expert-seed")
        help.button("Population and random seed", ("Population", "Random seed"))
    layout.hint(
        "The original order of records may re-identify people. The population this table was drawn from: some models "
        "need it, and reports then add journalist risk. Open it as a table first."
    )
    layout.hint("Searches, metrics and models with all their options, written as on the command line:")
    with layout.line():
        text("search", "Search (replaces the one above)", "mondrian:cuts=relaxed")
        text("metric", "Metric (replaces the one above)", "loss")
    models = ui.textarea(
        "Additional models (one per line)", value="\n".join(draft.expert.get("models", ())), placeholder="k_map:k=5"
    )
    models.on_value_change(lambda event: keep("models", [each for each in (event.value or "").splitlines() if each]))
    layout.mark(models.classes("wide").props("stack-label"), "expert-models")
    return Scoring(draft, lambda: draft.keep(space, owner))
