"""k-anonymity: every class has at least k records (Samarati and Sweeney)."""

from dataclasses import dataclass

from incrowd.models._sizes import LargeEnough
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class KAnonymity(LargeEnough):
    """Every class has at least k records."""

    not_promised = (
        "It does not prevent attribute disclosure: a class whose records all have the same sensitive value "
        "discloses it (homogeneity)."
    )

    def __post_init__(self) -> None:
        whole_number("k of k_anonymity", self.k)

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"at least {self.k:,} {unit}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        others = "1 other" if self.k == 2 else f"{self.k - 1} others"
        return f"Every record shares its quasi-identifiers with at least {others}."

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted."""
        return f"Every record shares its quasi-identifiers with {records_of_others(self.k - 1)}."

    def promise_of_groups(self) -> str:
        """Return what it promises where classes are groups whose sensitive values are published apart."""
        records = "1 record" if self.k == 1 else f"{self.k:,} records"
        return (
            f"Every group has at least {records}; which of them has which of the group's values is not disclosed, "
            "unless all of its values are the same."
        )


def records_of_others(people: int) -> str:
    """Return how a sentence names the records of at least so many other people."""
    return f"records of at least {'1 other person' if people == 1 else f'{people} other people'}"


MODEL = KAnonymity
