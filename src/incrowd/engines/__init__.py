"""Where the rows are: a stream of Arrow batches (files), or any frame that narwhals knows (everything else)."""

from incrowd.engines.source import Source

__all__ = ["Source"]
