"""Tables of counts and sums: which cells give somebody away, and a version of the table in which none does."""

from incrowd.tables.result import PublishedTable
from incrowd.tables.run import Asked, publish

__all__ = ["Asked", "PublishedTable", "publish"]
