"""Cutting a table into segments along its columns."""

from incrowd.searches._cuts.columns import cut_columns

__all__ = ["cut_columns"]
