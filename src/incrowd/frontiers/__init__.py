"""Frontiers: the loss and risk of one job under many k and searches, and the Pareto-optimal releases among them."""

from incrowd.frontiers.grid import Grid, PointRun, sweep_grid
from incrowd.frontiers.options import FrontierOptions, Risk
from incrowd.frontiers.result import Candidate, Frontier, FrontierRun
from incrowd.frontiers.run import sweep

__all__ = ["Candidate", "Frontier", "FrontierOptions", "FrontierRun", "Grid", "PointRun", "Risk", "sweep", "sweep_grid"]
