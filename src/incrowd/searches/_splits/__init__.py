"""Cutting a table into segments along its columns."""

from incrowd.searches._splits.columns import split_columns
from incrowd.searches._splits.judging import halves, judged_splits, segments
from incrowd.searches._splits.rows import RankedRows, Segments

__all__ = ["RankedRows", "Segments", "halves", "judged_splits", "segments", "split_columns"]
