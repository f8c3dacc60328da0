"""Settings that few need: what missing cells match, a population, and every member with all its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Nulls, Order
from incrowd.web import frame
from incrowd.web.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import Workspace

_NULLS = {
    Nulls.EXTENDED: "missing is a value like any other",
    Nulls.BASIC: "records with a missing cell are left out",
    Nulls.MAYBE: "missing matches everything",
    Nulls.RIGHT_MAYBE: "missing in the release matches everything",
}
_ORDER = {Order.SORTED: "sorted, so that it tells nothing", Order.SOURCE: "as in the original"}


def show(space: Workspace, owner: str, draft: Draft) -> None:
    """The fields; what is left empty is as usual."""

    def keep(name: str, value: Any) -> None:
        if value in (None, "", []):
            draft.expert.pop(name, None)
        else:
            draft.expert[name] = value
        draft.keep(space, owner)

    def select(name: str, label: str, options: dict[Any, str], usual: Any) -> None:
        told = {str(key): words for key, words in options.items()}
        field = ui.select(told, value=draft.expert.get(name, usual), label=label).classes("middle")
        frame.marked(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    def text(name: str, label: str, example: str) -> None:
        field = ui.input(label, value=draft.expert.get(name), placeholder=example).classes("wide")
        frame.marked(field.on_value_change(lambda event: keep(name, event.value)), f"expert-{name}")

    with frame.line():
        select("nulls", "Missing cells", _NULLS, str(Nulls.EXTENDED))
        select("order", "Order of the records", _ORDER, str(Order.SORTED))
        others = {
            each.id: each.name for each in space.files(owner) if each.kind != "hierarchy" and each.id != draft.file
        }
        select("population", "Population, for models that need one", {"": "none", **others}, "")
        seed = ui.number("Seed of chance", value=draft.expert.get("seed"), min=0, precision=0, placeholder="0")
        frame.marked(seed.on_value_change(lambda event: keep("seed", event.value and int(event.value))), "expert-seed")
    frame.hint("Searches, metrics and models with all their options, written as on the command line:")
    with frame.line():
        text("search", "Search, in place of the one above", "mondrian:cuts=relaxed")
        text("metric", "Metric, in place of the one above", "loss")
    models = ui.textarea(
        "Further models, one in a line", value="\n".join(draft.expert.get("models", ())), placeholder="k_map:k=5"
    )
    models.on_value_change(lambda event: keep("models", [each for each in (event.value or "").splitlines() if each]))
    frame.marked(models.classes("wide"), "expert-models")
