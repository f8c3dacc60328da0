"""The problem that a search solves."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from incrowd.core.axes import Axis
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.schema import Nulls
from incrowd.metrics import Levels, Metric
from incrowd.models import PrivacyModel
from incrowd.recodings import Form


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Brief):
    """Everything a search is given."""

    frequencies: FrequencySet
    """Distinct combinations of the quasi-identifiers and of the sensitive columns that the models need."""
    ladders: tuple[EncodedHierarchy, ...]
    """One per quasi-identifier, in order; empty if the search works on axes."""
    model: PrivacyModel
    """The model that every published class must satisfy; several are joined into one."""
    metric: Metric
    budget: int = 0
    """How many records may be suppressed."""
    minimum: Levels = ()
    """Per quasi-identifier the lowest level allowed; 0 if empty."""
    limit: Levels = ()
    """Per quasi-identifier the highest level allowed; the top if empty."""
    priorities: tuple[float, ...] = ()
    """The weight of each quasi-identifier; 1 if empty."""
    sensitive: Mapping[str, EncodedHierarchy] = field(default_factory=dict)
    """The hierarchies of sensitive columns that have one."""
    population: FrequencySet | None = None
    """The quasi-identifiers of the population that the table was drawn from, with the codes of `frequencies`."""
    nulls: Nulls = Nulls.EXTENDED
    """Extended, or one of the two that make missing values match everything (only k-anonymity can be judged then)."""
    seed: int = 0
    axes: tuple[Axis, ...] = ()
    """For a search on axes: one per quasi-identifier, in order."""
    sensitive_axes: Mapping[str, Axis] = field(default_factory=dict)
    """For a search on axes: those of the sensitive columns that were counted."""
    forms: tuple[Form, ...] = ()
    """For a search on axes: what a group, or a part of the values, publishes in each quasi-identifier."""
    can_part: bool = True
    """Whether equal records can be published in different ways."""

    @property
    def quasi(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers."""
        return tuple(each.name for each in self.ladders or self.axes)
