"""The columns of a wide table in groups that have a role for the same reason: reviewed, and changed, together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.proposing.facts import Sureness
from incrowd.text import count
from incrowd.web.parts import layout, words
from incrowd.web.parts.column_names import in_runs

if TYPE_CHECKING:
    from incrowd.web.parts.draft import Draft

_WIDE = 20
"""Number of columns above which they are shown in groups, if these are at most half as many."""
_NAMED = 200
"""Columns of a group that are named; further ones are counted."""
CHANGED = "chosen by you"
_BY_NAME, _BY_NAMES = "its name suggests ", "their names suggest, in this order: "
_UNUSUAL = (Role.KEEP, Role.DROP)


@dataclass(frozen=True)
class Group:
    """Columns with the same role for the same reason."""

    choice: str
    """Their role, as `words.ROLE_CHOICES` has it."""
    is_unsure: bool
    reason: str
    places: tuple[int, ...]
    """Their places in the table."""


def grouped(columns: Sequence[dict[str, Any]], draft: Draft) -> list[Group]:
    """Return all columns in groups: unsure ones first, then those that are published as they are, then by size."""
    found: dict[tuple[str, bool, str], list[int]] = {}
    for at, column in enumerate(columns):
        name = column["name"]
        is_chosen = name in (draft.chosen or {})
        # An inspection by an older version did not say how sure it was.
        is_unsure = not is_chosen and column.get("sureness") == Sureness.UNSURE
        choice = words.choice_of(draft.roles[name], name in draft.also_person)
        found.setdefault((choice, is_unsure, CHANGED if is_chosen else column["reason"]), []).append(at)
    groups = _together([Group(*key, tuple(places)) for key, places in found.items()])
    return sorted(groups, key=lambda each: (not each.is_unsure, each.choice not in _UNUSUAL, -len(each.places)))


def _together(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, those of one role that have a single column each, by its name, as one group."""
    single: dict[str, list[Group]] = {}
    for each in groups:
        if len(each.places) == 1 and not each.is_unsure and each.reason.startswith(_BY_NAME):
            single.setdefault(each.choice, []).append(each)
    merged = [of for of in single.values() if len(of) > 1]
    found = [each for each in groups if not any(each in of for of in merged)]
    for of in merged:
        reasons = "; ".join(each.reason.removeprefix(_BY_NAME) for each in of)
        found.append(Group(of[0].choice, False, f"{_BY_NAMES}{reasons}", tuple(each.places[0] for each in of)))
    return found


def is_shown(columns: Sequence[dict[str, Any]], draft: Draft) -> bool:
    """Return whether groups say the same in far fewer rows."""
    suggested = {(each["role"], each.get("sureness") == Sureness.UNSURE, each["reason"]) for each in columns}
    return len(columns) > _WIDE and 2 * len(suggested) <= len(columns)


class RoleGroups:
    """A row for each group, with a field that gives all of its columns another role."""

    def __init__(self, draft: Draft, choose: Callable[[Sequence[int], str], None]) -> None:
        assert draft.inspection is not None
        self.draft, self.choose = draft, choose
        self.columns: list[dict[str, Any]] = draft.inspection["columns"]

    def show(self) -> None:
        """Show the table."""
        with layout.mark(ui.element("table").classes("plain groups"), "role-groups"):
            layout.table_head(("role", "columns", "reason"))
            self.body = ui.element("tbody")
        self.follow()

    def follow(self) -> None:
        """Show the groups as the roles are now."""
        self.body.clear()
        with self.body:
            for at, group in enumerate(grouped(self.columns, self.draft)):
                self._show_row(at, group)

    def _show_row(self, at: int, group: Group) -> None:
        names = [self.columns[place]["name"] for place in group.places]
        more = f" and {count(len(names) - _NAMED, 'more column')}" if len(names) > _NAMED else ""
        size = count(len(names), "column")
        with layout.mark(ui.element("tr"), f"group-{at}"):
            with ui.element("td").classes("group-role"):
                self._show_role(at, group, size)
            with ui.element("td"):
                ui.html(f"<b>{size}</b>: {escape(', '.join(in_runs(names[:_NAMED])))}{more}", sanitize=False)
            with ui.element("td"):
                reason = f"<b>unsure</b>: {escape(group.reason)}" if group.is_unsure else escape(group.reason)
                ui.html(reason, sanitize=False)

    def _show_role(self, at: int, group: Group, size: str) -> None:
        def chosen(event: Any) -> None:
            self.choose(group.places, str(event.value))

        with ui.element("div").classes(f"role-cell role-{group.choice.replace(', ', '-')}"):
            layout.text(words.ROLE_ICONS[group.choice], "span", "material-icons role-icon").props("aria-hidden=true")
            field = (
                words.select(words.ROLE_CHOICES, group.choice, "", chosen).props("dense outlined").classes("unlabeled")
            )
            field.props["aria-label"] = f"Role of {size}: {self.columns[group.places[0]]['name']} ..."
            layout.mark(field, f"group-role-{at}")
