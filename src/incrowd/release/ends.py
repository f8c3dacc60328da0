"""The names of the columns that hold the lower and upper ends of the ranges of a column."""

ENDS = "ends"
"""The form of such a column, as manifests and private records name it."""


def columns_of_ends(name: str) -> tuple[str, str]:
    """Return the columns of the lower and the upper end."""
    return f"{name}_low", f"{name}_high"
