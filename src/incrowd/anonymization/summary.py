"""The one-line summary of a release, the same on the terminal, on pages and in reports."""

from incrowd.core.knowledge import known_records
from incrowd.core.schema import WILDCARDS
from incrowd.models import from_dict
from incrowd.models.consistent_k import not_alike
from incrowd.release import Manifest
from incrowd.text import count, number


def summary(claims: Manifest) -> str:
    """Return records, classes and the smallest class, and promises that these numbers alone do not show."""
    many = "class" if claims.apart is None else "group"
    people = "" if claims.people is None else f" of {count(claims.people.published, 'person')}"
    found = f"{count(claims.data.records, 'record')}{people} in {count(claims.classes, many)}"
    wild = "suppressed cells" if claims.wiped else "missing values" if claims.nulls in WILDCARDS else None
    if wild is not None:
        return f"{found}; every record matches at least {number(claims.smallest)}, if {wild} match anything."
    loose = not_alike(claims.models, claims.smallest)
    with_people = [model for model in map(from_dict, claims.models) if model.needs_population]
    promised = [model.promise() for model in ([] if loose is None else [loose]) + with_people]
    if claims.apart is not None:
        promised.append("Sensitive values are published by group.")
    fewest = number(claims.smallest) if claims.people is None else count(claims.people.smallest, "person")
    return " ".join([f"{found}; smallest {many}: {fewest}.", *promised])


def limit_of(claims: Manifest) -> str:
    """Return the suppression limit, with its unit if that is people."""
    if claims.people is None or claims.people.limit is None:
        return number(claims.suppress_limit)
    return f"{count(claims.people.limit, 'person')} who lose a record"


def left_out(claims: Manifest) -> str:
    """Return how many people are left out, and how many appear with fewer records; nothing if records are counted."""
    people = claims.people
    if people is None:
        return ""
    alike = "" if people.alike is None else f"{_alike(people.knows, people.alike)}\n"
    gone = people.input - people.published
    whole = "appear with all their records"
    if gone:
        others = _fewer(number(people.fewer), people.fewer) if people.fewer else f"the others {whole}"
        found = f"{number(gone)} of {count(people.input, 'person')} suppressed; {others}."
    elif people.fewer:
        some = f"{number(people.fewer)} of {count(people.input, 'person')}"
        found = f"No person is suppressed; {_fewer(some, people.fewer)}."
    else:
        found = f"All {count(people.input, 'person')} {whole}."
    if not people.unknown:
        return alike + found
    alone = people.unknown == 1
    each = (
        "1 record tells no person and counts"
        if alone
        else f"{number(people.unknown)} records tell no person; each counts"
    )
    return f"{alike}{found}\n{each} as a person of its own."


def _fewer(some: str, people: int) -> str:
    return f"{some} {'appears' if people == 1 else 'appear'} with fewer records"


def _alike(knows: str, people: int) -> str:
    """Return how many people share what may be known of one of them."""
    return f"Anyone who knows {known_records(knows)}, as published, knows them of at least {count(people, 'person')}."
