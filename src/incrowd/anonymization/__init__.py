"""Anonymization: one run from a job to a verified release."""

from incrowd.anonymization.output_paths import check_place
from incrowd.anonymization.result import AnonymizationResult
from incrowd.anonymization.run import Inputs, anonymize, apply

__all__ = ["AnonymizationResult", "Inputs", "anonymize", "apply", "check_place"]
