"""Cutting a table into segments along its columns."""

from incrowd.searches._cuts.columns import cut_columns
from incrowd.searches._cuts.judged import halves, judged_cuts, segments
from incrowd.searches._cuts.rows import Parts, Rows

__all__ = ["Parts", "Rows", "cut_columns", "halves", "judged_cuts", "segments"]
