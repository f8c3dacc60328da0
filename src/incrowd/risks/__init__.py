"""How likely is it that somebody is found? One risk measure a file, and one report of them all."""

from incrowd.risks._attack import Attack
from incrowd.risks.assessment import RiskReport, assess

__all__ = ["Attack", "RiskReport", "assess"]
