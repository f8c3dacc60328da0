"""Every metric by its name, as text and as data."""

import pytest

from incrowd.jobs.families import METRICS
from incrowd.metrics.ambiguity import Ambiguity

NAMES = (
    "ambiguity average_class_size certainty_penalty discernibility distinct_rows entropy height loss precision "
    "queries relative_distance suppressed weighted_loss"
)


def test_all_of_them() -> None:
    assert sorted(METRICS.known()) == NAMES.split()


@pytest.mark.parametrize("name", NAMES.split())
def test_there_and_back(name: str) -> None:
    made = METRICS.member(name)
    assert made == METRICS.member({name: {}}) == METRICS.member(METRICS.spell(made))
    assert METRICS.to_plain(made) == METRICS.spell(made) == name
    assert hash(made) == hash(METRICS.member(name))


def test_a_member_is_what_its_file_is_named() -> None:
    assert METRICS.member("ambiguity") == Ambiguity()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("ambiguty", "there is no metric 'ambiguty'; there are .*; did you mean 'ambiguity'?"),
        ("ambiguity:k=2", "ambiguity has no option 'k'; it has none"),
        ({"loss": {}, "height": {}}, "a metric is one name"),
    ],
)
def test_what_is_no_metric_is_refused(given: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        METRICS.member(given)
