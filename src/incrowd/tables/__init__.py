"""Tables of counts, sums, means and shares: which cells disclose something, and a version in which none does."""

from incrowd.tables.result import PublishedTable
from incrowd.tables.run import TableOptions, publish

__all__ = ["PublishedTable", "TableOptions", "publish"]
