"""Anonymization: one run from a job to a verified release."""

from incrowd.anonymization.place import check_place
from incrowd.anonymization.result import Anonymized
from incrowd.anonymization.run import Inputs, anonymize, apply

__all__ = ["Anonymized", "Inputs", "anonymize", "apply", "check_place"]
