"""Several tables about the same people, as one problem: one release, one manifest, one verdict."""

from incrowd.linked.diagnosis import LinkedAnswer, LinkedDiagnosis
from incrowd.linked.result import LinkedResult
from incrowd.linked.run import anonymize_tables

__all__ = ["LinkedAnswer", "LinkedDiagnosis", "LinkedResult", "anonymize_tables"]
