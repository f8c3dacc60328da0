"""A typed client of the service.

from incrowd.client import Client

with Client("http://127.0.0.1:8080", key="incrowd_...") as service:
    people = service.upload("people.csv")
    run = service.wait(service.anonymize({"data": people.id, "columns": {...}, "models": [...]}))
    service.download(run, "release", "release.csv")
"""

from incrowd.client.client import Client
from incrowd.client.resources import Artefact, Artifact, File, RunStatus, ServiceError

Run = RunStatus
"""The name that it had before, kept as an alias."""

__all__ = ["Artefact", "Artifact", "Client", "File", "Run", "RunStatus", "ServiceError"]
