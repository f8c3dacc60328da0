"""Re-identification risk: one risk measure per file, and one report of all."""

from incrowd.risks._attack import Attack
from incrowd.risks._threshold import Threshold
from incrowd.risks.assessment import RiskReport, assess, check_rows

__all__ = ["Attack", "RiskReport", "Threshold", "assess", "check_rows"]
