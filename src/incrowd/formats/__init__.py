"""Reading: a path, a URL or a frame becomes a Source. One format a file, found by the registry."""

from incrowd.formats.options import ReadOptions

__all__ = ["ReadOptions"]
