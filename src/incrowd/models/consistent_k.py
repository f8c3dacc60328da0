"""k-anonymity revisited: records need not be alike to hide each other (Gionis, Mazza and Tassa 2008)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from incrowd.models._sizes import LargeEnough
from incrowd.parameters import one_of, whole_number

NOTIONS = ("one_k", "k_one", "k_k", "global_one_k")

_PROMISES = {
    "one_k": "Every original record is consistent with at least {k} released records",
    "k_one": "Every released record is consistent with at least {k} original records",
    "k_k": "Every original record is consistent with at least {k} released records, and each of those with at least "
    "{k} original records",
    "global_one_k": "For each original record at least {k} released ones may be its own, even for an attacker who "
    "knows the table",
}


@dataclass(frozen=True)
class ConsistentK(LargeEnough):
    """Every original record is consistent with at least k released records, each of which covers it; and the like.

    No class need have k records. One that has satisfies every notion, and that is what `holds` and `textbook` say of a
    class by itself. Whether a release whose classes are smaller does is a question about all of its records and all
    originals: the search consistent and verification with the private record answer it.
    """

    notion: str = "k_k"
    """one_k, k_one, k_k (both of them) or global_one_k."""

    not_promised = (
        "Records need not be alike in classes of k: one may be unique. A few records that match every "
        "person are enough for the definition. An attacker who knows the quasi-identifiers of all people may rule out "
        "some of the k, except under global_one_k. Sensitive values are not protected."
    )

    def __post_init__(self) -> None:
        whole_number("k of consistent_k", self.k)
        one_of("notion of consistent_k", self.notion, NOTIONS)

    @property
    def of_people(self) -> bool:
        """Return whether it promises something about every original record; else only about the released ones."""
        return self.notion != "k_one"

    @property
    def of_rows(self) -> bool:
        """Return whether it promises something about every released record."""
        return self.notion in ("k_one", "k_k")

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"{_PROMISES[self.notion].format(k=self.k)} (Gionis, Mazza and Tassa)."


def not_alike(models: Iterable[Mapping[str, Any]], smallest: int) -> ConsistentK | None:
    """Return the claim of a release, by its models as plain data, that hides records in groups not alike."""
    found = [ConsistentK(**of["consistent_k"]) for of in models if "consistent_k" in of]
    return next((model for model in found if smallest < model.k), None)


MODEL = ConsistentK
