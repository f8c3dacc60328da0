"""No release within the limits: the error, and the changes that would make one possible."""

from collections.abc import Sequence
from dataclasses import replace

from incrowd.anonymization.preparing import Prepared
from incrowd.anonymization.relaxing import Relaxation, nearest_miss, relaxations
from incrowd.anonymization.unsatisfiable import unsatisfiable
from incrowd.core.grid import Point
from incrowd.errors import Infeasible, Interrupted
from incrowd.jobs import Job
from incrowd.jobs.grid import point_of_job
from incrowd.searches import Conceding, Node, NothingFound, Problem
from incrowd.text import attributes, count, number
from incrowd.watch import Watch

_SECONDS = 20.0
"""Time limit of the search for such changes."""


class NoRelease(Infeasible):
    """No release satisfies the models within the limits of the job."""

    def __init__(self, words: str, nearest: Node | None, opens: Sequence[Relaxation], quasi: tuple[str, ...]) -> None:
        super().__init__(words)
        self.nearest = nearest
        self.relaxations = tuple(opens)
        self.quasi = quasi

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        nearest = self.nearest
        return {
            "verdict": "infeasible",
            "message": str(self),
            "nearest": nearest
            and {
                "levels": dict(zip(self.quasi, nearest.levels, strict=True)),
                "suppressed": nearest.suppressed,
                "classes": nearest.classes,
            },
            "relaxations": [{"setting": each.setting, "value": each.value} for each in self.relaxations],
        }


def stopped_before(outcome: NothingFound) -> Interrupted:
    """Return the error of a run that was stopped before it found a release."""
    if outcome.stopped != "time":
        return Interrupted("interrupted before a release was found")
    return Interrupted(
        "timed out without finding a release; raise the time limit (time), choose another search, or raise the "
        "suppression limit (suppress)"
    )


def nothing_found(job: Job, prepared: Prepared, outcome: NothingFound) -> Exception:
    """Return the error of a run without a release."""
    if outcome.stopped != "done":
        return stopped_before(outcome)
    problem = prepared.problem
    with Watch(_SECONDS) as watch:
        own = isinstance(job.search, Conceding)
        # A suppression limit helps only a search that suppresses.
        nearest = (not own and nearest_miss(problem, watch)) or outcome.nearest
        unsaid = own and "suppress" not in job.model_fields_set
        asked = replace(problem, budget=problem.frequencies.records) if unsaid else problem
        conceded = relaxations(asked, job.search, nearest, prepared.own_levels, watch)
        opens = [each for each in conceded if _can_be_said(job, each)]
    words = [f"no release satisfies the models within the limits ({allowed(problem)})"]
    if nearest is not None:
        nearest = _on_own_levels(nearest, prepared)
        words.append(f"the nearest miss would suppress {suppressed(problem, nearest)}")
    if opens:
        words.append("any one of these changes makes a release possible: " + ", ".join(map(str, opens)))
    else:
        never = unsatisfiable(problem)
        words.append(
            never or "no single change makes a release possible: relax several limits, or drop quasi-identifiers"
        )
    return NoRelease("; ".join(words), nearest, opens, problem.quasi)


def _can_be_said(job: Job, relaxation: Relaxation) -> bool:
    """Return whether the job can make this change while all else stays."""
    if relaxation.setting == "suppress":
        return job.generalize is None or point_of_job(job) in (Point.AG_TS, Point.AG, Point.TS)
    # If only records are suppressed, every column stays unchanged, whatever its limit.
    return point_of_job(job) != Point.TS or not relaxation.setting.startswith("limit of ")


def _on_own_levels(node: Node, prepared: Prepared) -> Node:
    """Return the node with levels as the columns' hierarchies number them."""
    levels = zip(prepared.own_levels, node.levels, strict=True)
    return node._replace(levels=tuple(own[level] for own, level in levels))


def allowed(problem: Problem) -> str:
    """Say what may be suppressed."""
    if problem.people is not None and problem.people.of_people:
        return f"{count(problem.budget, 'person')} may lose a record"
    return f"{count(problem.budget, 'record')} may be suppressed"


def suppressed(problem: Problem, node: Node) -> str:
    """Say how many records a release at a node would suppress, and of how many people."""
    levels = attributes(f"{name} {level}" for name, level in zip(problem.quasi, node.levels, strict=True))
    who = "" if problem.people is None else f" of {count(node.people, 'person')}"
    return f"{number(node.suppressed)} of {count(problem.frequencies.records, 'record')}{who} (levels {levels})"
