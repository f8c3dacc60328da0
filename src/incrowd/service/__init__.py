"""The service behind pages and /v1: a workspace of files and runs, a queue, and a pool of worker processes. No HTTP."""

from incrowd.service.limits import Limits
from incrowd.service.notes import Notes
from incrowd.service.pool import Pool
from incrowd.service.resources import Artifact, Run, StoredFile
from incrowd.service.workspace import Workspace, usual_place

__all__ = ["Artifact", "Limits", "Notes", "Pool", "Run", "StoredFile", "Workspace", "usual_place"]
