"""Trees of values, as elements have them (labels that hold labels) and as the builder `tree` takes them (groups)."""

from __future__ import annotations

from typing import Any, NamedTuple


class Branch(NamedTuple):
    """A label and what it joins; one that joins nothing is a value."""

    label: str
    inside: list[Branch]


def groups(branches: list[Branch]) -> Any:
    """Return branches as groups: a list of values, a mapping of labels, or a list of both."""
    labels = [branch.label for branch in branches]
    inside = [groups(branch.inside) for branch in branches]
    if not any(inside):
        return labels
    if all(inside) and len(set(labels)) == len(labels):
        return dict(zip(labels, inside, strict=True))
    return [{label: of} if of else label for label, of in zip(labels, inside, strict=True)]


def branches(content: Any) -> list[Branch]:
    """Return groups as branches, from which `groups` makes the same ones."""
    if isinstance(content, dict):
        return [Branch(label, branches(inside)) for label, inside in content.items()]
    if isinstance(content, list):
        return [
            branch
            for each in content
            for branch in (branches(each) if isinstance(each, dict) else [Branch(str(each), [])])
        ]
    return []
