"""Hiding: cell suppression under another name."""

from dataclasses import dataclass

from incrowd.tables.protections.suppression import Suppression


@dataclass(frozen=True)
class Hiding(Suppression):
    """Cells are left out, as few as possible."""


PROTECTION = Hiding
MEANING = "sensitive cells are hidden"
