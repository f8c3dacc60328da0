"""Warnings beside a verdict: what the claims of a release do not cover."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from incrowd.errors import listed
from incrowd.models import PrivacyModel, unpublished
from incrowd.models.consistent_k import ConsistentK
from incrowd.release import Manifest
from incrowd.verification._classes import WILDCARDS, ClassesOfRelease, Columns
from incrowd.verification._tally import Value


def warnings_of(
    claims: Manifest,
    models: Sequence[PrivacyModel],
    classes: ClassesOfRelease,
    release: Mapping[Columns, "Counter[Value]"],
) -> Iterator[str]:
    """Yield what the reader of a verdict must know beside it."""
    yield from claims.warnings
    if not classes.sizes:
        yield "the release has no records, so its claims guarantee nothing."
    elif claims.wiped:
        alone = sum(size for size in classes.sizes if size == 1)
        yield (
            f"suppressed cells count as wildcards ({listed(claims.wiped)}). A record counts as protected if others "
            "match it through suppressed cells, but it may still be unique: "
            f"{alone:,} {'is' if alone == 1 else 'are'}. "
            "An attacker who knows which values were rare, or finds a person's values in no other record, may "
            "re-identify the record. With wiped=own only classes of equal records count."
        )
    elif claims.nulls in WILDCARDS:
        yield (
            f"missing values count as wildcards ({claims.nulls}). An attacker who knows which of a person's values are "
            "missing can distinguish records that count as matching here: the smallest class of equal records has "
            f"{min(classes.sizes):,}. With nulls=extended only such classes count."
        )
    if claims.apart is not None:
        yield (
            "quasi-identifiers are published unchanged. Anyone who knows those of a person sees whether the person is "
            "in the table, and in which group. Hidden is only which of the group's sensitive values belongs to whom."
        )
    for model in models:
        if unpublished(model):
            yield (
                "personal_breach protects only records that guard something, each as far as it asks. The values of "
                "others may be disclosed, and a class may be a single record unless k_anonymity is also claimed."
            )
        elif isinstance(model, ConsistentK) and min(classes.sizes, default=model.k) < model.k:
            yield (
                f"classes may have fewer than {model.k} records, and a record may be unique: k-anonymity is not "
                f"claimed, only that enough records are consistent (consistent_k, {model.notion})."
            )
    values = [zip(columns, value, strict=True) for columns, counts in release.items() for value in counts]
    missing = {name for value in values for name, cell in value if cell is None}
    if missing:
        yield f"values are missing in {listed(sorted(missing))}; missing counts as one more value there."
    if claims.data.sha256 is None and claims.data.kind != "frame":
        yield "the data have no hash: a change that violates no claim would go unnoticed."
