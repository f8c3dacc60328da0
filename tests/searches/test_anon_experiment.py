"""ANON's experiment on Adult: how many nodes are visited with our hierarchies, priorities 1 to 7 and even losses."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from incrowd.core.frequencies import FrequencySet
from incrowd.metrics import Levels
from incrowd.searches import NothingFound
from incrowd.searches.best_first import BestFirst
from incrowd.watch import Watch

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "anon_table.py"


@pytest.fixture(scope="module")
def experiment() -> ModuleType:
    """The program that prints the table."""
    spec = importlib.util.spec_from_file_location("anon_table", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not module.ADULT.exists():
        pytest.skip("the Adult table is not beside the project")
    return module


@pytest.fixture(scope="module")
def records(experiment: ModuleType) -> FrequencySet:
    """The complete records of both files."""
    found: FrequencySet = experiment.complete_records()
    assert found.records == 45_222
    return found


# The report visits 1,075, 60 and 2,160 nodes; its hierarchies and losses are not published. In the last row ours have a
# solution just below the top: with and without a spouse present, both halves have all 14 occupations (Armed-Forces six
# and eight times).
@pytest.mark.parametrize(
    ("k", "salary", "occupation", "budget", "visited", "levels"),
    [
        (2, 1, 1, 0, 955, (4, 0, 0, 2, 1, 2, 2)),
        (2, 1, 1, 453, 76, (4, 0, 0, 0, 2, 1, 0)),
        (14, 2, 14, 0, 2_147, (4, 1, 1, 1, 3, 2, 2)),
    ],
)
def test_visited_nodes(
    experiment: ModuleType,
    records: FrequencySet,
    k: int,
    salary: int,
    occupation: int,
    budget: int,
    visited: int,
    levels: Levels,
) -> None:
    asked = experiment.Experiment(k, salary, occupation, budget, printed=None)
    outcome = BestFirst().run(experiment.problem(records, asked), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == levels
    assert outcome.counted == visited
    assert outcome.lattice == 2_160
