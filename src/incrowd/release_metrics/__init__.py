"""Release metrics: how useful a release is, and how well it protects, however it was made. One a file.

A module declares RELEASE_METRIC, a frozen dataclass whose fields are its options and whose class attributes say how
its number is read. A metric guides a search through one kind of recoding; a release metric measures any release.
"""

from incrowd.release_metrics.contract import ReleaseMetric

CONTRACT = ReleaseMetric
