"""Engines that hold the rows: streams of Arrow batches (files), and frames that narwhals supports (everything else)."""

from incrowd.engines.source import Source

__all__ = ["Source"]
