"""Profiles to start from, each with the reasons for its settings; and what is asked, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import core, ui

from incrowd.core.schema import Nulls, Role
from incrowd.errors import IncrowdError
from incrowd.jobs.suppression import in_words as limit_in_words
from incrowd.profiles import PROFILES, Profile
from incrowd.text import count
from incrowd.web.parts import history, layout
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.expert import NULLS

if TYPE_CHECKING:
    from incrowd.service import Workspace

_SAID = 3
"""The most models that are put in words; of more, which wide tables have, the first, and their number."""
_LABELS = {"internal": "Within an institution", "research": "Research under a contract", "public": "Public file"}


def label(name: str) -> str:
    """Return what a profile is called on the page."""
    return _LABELS.get(name, name.replace("_", " ").capitalize())


class AskedWords:
    """The requirements in a sentence that follows every change of the settings."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.file = space, owner, draft.file

    def show(self) -> None:
        """Show the sentence and keep it up to date, also if another window changes a setting."""
        self.words = layout.mark(layout.paragraph("", "found").props("role=status"), "asked-words")
        self._say()
        ui.context.client.on_delete(history.listen(self.file, self._say_soon))

    def _say_soon(self) -> None:
        # A change may come from a thread.
        if core.loop is not None:
            core.loop.call_soon_threadsafe(self._say)

    def _say(self) -> None:
        self.words.set_content(escape(describe(Draft.load(self.space, self.owner, self.file))))


def describe(draft: Draft) -> str:
    """Return what the settings demand of a release, in words."""
    from incrowd.jobs.families import SEARCHES, model
    from incrowd.models.in_words import in_words
    from incrowd.searches import ApartSearch

    job = draft.job()
    try:
        models = [model(each) for each in job["models"]]
        search = SEARCHES.member(job["search"]) if job.get("search") else None
    except (IncrowdError, ValueError) as error:
        return f"The settings cannot be read: {error}."
    named = models if len(models) <= _SAID else models[:1]
    said = in_words(named, isinstance(search, ApartSearch), draft.knows if draft.person else None)
    if more := len(models) - len(named):
        said = f"{said} {count(more, 'more model')}: see Privacy."
    protected = {name for each in models for columns in each.needs for name in columns}
    if bare := [name for name in draft.columns_in_role(Role.SENSITIVE) if name not in protected]:
        said = f"{said} {_without_model(bare)}"
    nulls = job.get("nulls", str(Nulls.EXTENDED))
    missing = "" if nulls == Nulls.EXTENDED else f" Missing values {NULLS[nulls]}."
    return f"{said}{missing} {_limit(job.get('suppress', 0))}"


def _without_model(columns: Sequence[str]) -> str:
    """Return what is true of sensitive columns that no model names."""
    which = columns[0] if len(columns) == 1 else count(len(columns), "sensitive column")
    return f"No model protects {which}."


def _limit(suppress: Any) -> str:
    if suppress == 0:
        return "No record may be suppressed."
    return f"Suppression limit: {limit_in_words(suppress)}."


def show(draft: Draft, use: Callable[[Profile], None]) -> None:
    """Show each profile with its settings, their reasons, and a button that takes them."""
    with ui.element("div").classes("cards"):
        for name in PROFILES.ranked():
            profile: Profile = PROFILES.module(name).PROFILE
            with ui.element("div").classes("card") as card:
                layout.heading(label(name), 3)
                layout.hint(PROFILES.meaning(name))
                least = max((each["distinct_l"]["l"] for each in draft.models_of(profile)), default=0)
                different = f", {least} different sensitive values" if least else ""
                layout.paragraph(f"k = {profile.k}, suppression limit {100 * profile.suppress:g}%{different}")
                with layout.mark(ui.expansion("Why"), f"profile-why-{name}"):
                    for setting, words in (("k", "k"), ("suppress", "Suppression limit"), ("l", "Sensitive values")):
                        why, source = profile.reasons[setting]
                        layout.hint(f"{words}: {why} Source: {source}.")
                if draft.follows(profile):
                    card.classes("chosen")
                    layout.mark(layout.text("In use", "div", "muted"), f"profile-used-{name}")
                else:
                    button = ui.button("Use these settings").props("outline no-caps")
                    button.props["aria-label"] = f"Use these settings: {label(name)}"
                    layout.mark(button.on_click(lambda profile=profile: use(profile)), f"profile-{name}")
