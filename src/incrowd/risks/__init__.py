"""Re-identification risk: one risk measure per file, and one report of all."""

from incrowd.risks._attack import Attack, attackers, picture
from incrowd.risks._threshold import Threshold
from incrowd.risks.assessment import RiskReport, assess, check_rows

__all__ = ["Attack", "RiskReport", "Threshold", "assess", "attackers", "check_rows", "picture"]
