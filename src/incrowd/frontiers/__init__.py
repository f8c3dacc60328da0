"""Sweeping: one job under many k and many searches, and which of the releases are worth having. Publishes nothing."""

from incrowd.frontiers.grid import Grid, PointRun, sweep_grid
from incrowd.frontiers.options import FrontierOptions, Risk
from incrowd.frontiers.result import Candidate, Frontier, FrontierRun
from incrowd.frontiers.run import sweep

__all__ = ["Candidate", "Frontier", "FrontierOptions", "FrontierRun", "Grid", "PointRun", "Risk", "sweep", "sweep_grid"]
