"""Several models in a sentence or two, for those who choose them."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from incrowd.core.knowledge import Known
from incrowd.models._contract import PrivacyModel
from incrowd.models.of_people import promised


@runtime_checkable
class HasClause(Protocol):
    """A model that can be part of a sentence with others."""

    def clause(self, unit: str) -> str:
        """Return what each class has; `unit` is what is counted, records or people."""
        ...


def in_words(models: Sequence[PrivacyModel], is_apart: bool = False, knows: str | None = None) -> str:
    """Return what models demand together: one sentence of all that say what each class has, then the others.

    `is_apart` if sensitive values are published apart; `knows` says how much is known of a person, None if records are
    counted.
    """
    # Where several records of a person are known, or values are apart, a class is not what a clause speaks of.
    plain = not is_apart and knows in (None, Known.RECORD)
    unit = "records" if knows is None else "people"
    clauses = [each.clause(unit) for each in models if plain and isinstance(each, HasClause)]
    others = [promised(each, is_apart, knows) for each in models if not (plain and isinstance(each, HasClause))]
    return " ".join([*([f"Each class has {_listed(clauses)}."] if clauses else []), *others])


def _listed(clauses: Sequence[str]) -> str:
    """Return clauses in a row; one of them may have a comma of its own."""
    mark = "; " if any("," in each for each in clauses[:-1]) else ", "
    return clauses[0] if len(clauses) == 1 else f"{mark.join(clauses[:-1])}{mark}and {clauses[-1]}"
