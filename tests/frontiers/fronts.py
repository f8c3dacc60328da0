"""Sweeps made by hand: what was found is said, nothing is searched."""

from incrowd.frontiers import Candidate, Frontier, FrontierRun, Risk
from incrowd.jobs import Job

JOB = Job.from_dict({"columns": {"a": {"role": "quasi"}}, "models": ["k_anonymity:k=2"]})


def run(k: int, loss: float, search: str = "optimal", reached: int | None = None, suppress: int = 0) -> FrontierRun:
    """A run that found a release of 1,000 records with classes of k."""
    smallest = reached or k
    release = Candidate(
        smallest, 1000 // smallest, 1000, 0, loss, 1 / smallest, 1000 // smallest / 1000, 0.0, 0.0, search_(search)
    )
    return FrontierRun(search, k, suppress, JOB, (), release, None, 0.0)


def search_(search: str) -> str:
    """What a search promises."""
    return "heuristic" if search == "mondrian" else "optimal"


def frontier(*runs: FrontierRun, risk: Risk = Risk.HIGHEST) -> Frontier:
    """A sweep that consists of these runs."""
    return Frontier("some.csv", 1000, risk, runs, has_command=False)
