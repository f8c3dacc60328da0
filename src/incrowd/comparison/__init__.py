"""Comparison: measure releases against their original table, by the same release metrics."""

from incrowd.comparison.columns import Column, columns_of
from incrowd.comparison.compare import Comparison, ComparisonOptions, GivenRelease, Measured, chosen, compare
from incrowd.comparison.metadata import by_name, metadata_of, read_release, record_beside

__all__ = [
    "Column",
    "Comparison",
    "ComparisonOptions",
    "GivenRelease",
    "Measured",
    "by_name",
    "chosen",
    "columns_of",
    "compare",
    "metadata_of",
    "read_release",
    "record_beside",
]
