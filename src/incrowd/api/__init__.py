"""One function per verb. No logic: what each does lives where it is imported from.

`tables` has the verbs that look at a table, `alternatives` those before a release is made, `releases` those that make
or verify one, `assessing` those that measure, attack or report on it.
"""

from incrowd.api.alternatives import frontier, init, neighbors, neighbours
from incrowd.api.anonymizer import Anonymizer
from incrowd.api.assessing import attack, measure, report
from incrowd.api.releases import anonymize, apply, verify
from incrowd.api.tables import diagnose, explore, head, hierarchy, inspect, read, risk, table

__all__ = [
    "Anonymizer",
    "anonymize",
    "apply",
    "attack",
    "diagnose",
    "explore",
    "frontier",
    "head",
    "hierarchy",
    "init",
    "inspect",
    "measure",
    "neighbors",
    "neighbours",
    "read",
    "report",
    "risk",
    "table",
    "verify",
]
