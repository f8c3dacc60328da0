"""k-anonymity: every class has at least k records (Samarati and Sweeney)."""

from dataclasses import dataclass

from incrowd.models._parameters import whole_number
from incrowd.models._sizes import LargeEnough


@dataclass(frozen=True)
class KAnonymity(LargeEnough):
    """Every class has at least k records."""

    not_promised = (
        "Nothing about sensitive values: a class whose records all have the same one tells it to everybody "
        "(homogeneity)."
    )

    def __post_init__(self) -> None:
        whole_number("k of k_anonymity", self.k)

    def promise(self) -> str:
        """What it promises."""
        others = "1 other" if self.k == 2 else f"{self.k - 1} others"
        return f"Every record shares its quasi-identifiers with at least {others}."


MODEL = KAnonymity
