"""People in place of records: the column that numbers them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING


def with_person(counted: FrequencySet, names: Sequence[str], person: Sequence[str]) -> FrequencySet:
    """Return the named columns and, as the last one, the number of the person, from 1; nobody is missing there.

    A record without any cell that tells its person is a person of its own.
    """
    wanted = dict.fromkeys((*names, *person))
    counted = counted if set(counted.names) == set(wanted) else counted.project(tuple(wanted))
    at = counted.indices(person)
    nobody = (counted.codes[at] == MISSING).all(axis=0)
    told = [counted.codes[column][~nobody] for column in at]
    numbers, n = number_combinations(told, [counted.cardinalities[column] for column in at])
    combination = np.repeat(np.arange(counted.combinations), np.where(nobody, counted.counts, 1))
    alone = nobody[combination]
    who = np.empty(len(combination), dtype=np.int32)
    who[~alone] = numbers + 1
    who[alone] = np.arange(n + 1, n + 1 + int(np.count_nonzero(alone)))
    kept = counted.indices(names)
    return FrequencySet(
        (*names, unused_name(names)),
        (*(counted.values[column] for column in kept), pa.array(np.arange(1, int(who.max(initial=0)) + 1))),
        np.stack([*(counted.codes[column][combination] for column in kept), who]),
        np.where(alone, 1, counted.counts[combination]),
    )


def number_of_people(counted: FrequencySet, person: Sequence[str]) -> int:
    """Return how many people the records are about."""
    alone = counted.project(person)
    nobody = (alone.codes == MISSING).all(axis=0)
    return int(np.count_nonzero(~nobody)) + int(alone.counts[nobody].sum())


def unused_name(names: Sequence[str]) -> str:
    """Return a name for the column of people that no other column has."""
    name = "person"
    while name in names:
        name += "_"
    return name
