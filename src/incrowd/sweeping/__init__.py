"""Sweeping: one job under many k and many searches, and which of the releases are worth having. Publishes nothing."""

from incrowd.sweeping.asked import Asked, Risk
from incrowd.sweeping.grid import Grid, PointRun, sweep_grid
from incrowd.sweeping.result import Candidate, Frontier, Run
from incrowd.sweeping.running import sweep

__all__ = ["Asked", "Candidate", "Frontier", "Grid", "PointRun", "Risk", "Run", "sweep", "sweep_grid"]
