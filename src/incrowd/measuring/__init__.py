"""Measuring: any release beside its original, and several releases side by side."""

from incrowd.measuring.beside import beside, by_name, read_release
from incrowd.measuring.columns import Column, columns_of
from incrowd.measuring.comparing import Asked, Comparison, Given, Measured, chosen, compare

__all__ = [
    "Asked",
    "Column",
    "Comparison",
    "Given",
    "Measured",
    "beside",
    "by_name",
    "chosen",
    "columns_of",
    "compare",
    "read_release",
]
