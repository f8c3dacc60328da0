"""The one-line summary of a release, the same on the terminal, on pages and in reports."""

from incrowd.core.schema import WILDCARDS
from incrowd.models import from_dict
from incrowd.models.consistent_k import not_alike
from incrowd.release import Manifest
from incrowd.text import count, number


def summary(claims: Manifest) -> str:
    """Return records, classes and the smallest class, and promises that these numbers alone do not show."""
    many = "class" if claims.apart is None else "group"
    found = f"{count(claims.data.records, 'record')} in {count(claims.classes, many)}"
    wild = "suppressed cells" if claims.wiped else "missing values" if claims.nulls in WILDCARDS else None
    if wild is not None:
        return f"{found}; every record matches at least {number(claims.smallest)}, if {wild} match anything."
    loose = not_alike(claims.models, claims.smallest)
    with_people = [model for model in map(from_dict, claims.models) if model.needs_population]
    promised = [model.promise() for model in ([] if loose is None else [loose]) + with_people]
    if claims.apart is not None:
        promised.append("Sensitive values are published by group.")
    return " ".join([f"{found}; smallest {many}: {number(claims.smallest)}.", *promised])
