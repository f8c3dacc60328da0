"""The columns of a release to observe in addition to those that models use, by its manifest."""

from collections.abc import Sequence
from dataclasses import replace

from incrowd.models import PrivacyModel, unpublished
from incrowd.models.k_anonymity import KAnonymity
from incrowd.release import Manifest
from incrowd.verification._columns import Observed, ReleaseColumns, facts_of
from incrowd.verification._normal_form import is_normal
from incrowd.verification._tally import Tally


def observing(claims: Manifest, models: Sequence[PrivacyModel], found: Sequence[str]) -> Observed:
    """Return what looks at every cell of the columns that were found."""
    secret = claims.sensitive if claims.apart is None else ()
    all_quasi = [column.name for column in claims.quasi]
    quasi, kept, sensitive = ([name for name in each if name in found] for each in (all_quasi, claims.kept, secret))
    return Observed(quasi, kept, sensitive, _normalized(claims, models))


def observed_columns(
    claims: Manifest, models: Sequence[PrivacyModel], observed: Observed, apart: Tally | None
) -> ReleaseColumns:
    """Return what was seen; sensitive values that are published apart from the records come from their own table."""
    claimed = [model.k for model in models if isinstance(model, KAnonymity)]
    # Where no k is claimed of classes, the smallest one stands for it.
    columns = observed.result(max(2, *claimed, *([] if claimed else [claims.smallest])))
    if apart is None:
        return columns
    values = {name: apart.counter([name]) for name in claims.sensitive}
    for name, steps in _normalized(claims, models).items():
        if not all(is_normal(text, steps) for (text,) in values.get(name, ())):
            observed.strange.add(name)
    facts = (facts_of(name, "sensitive", counts) for name, counts in values.items())
    return replace(columns, columns=(*columns.columns, *facts))


def _normalized(claims: Manifest, models: Sequence[PrivacyModel]) -> dict[str, tuple[str, ...]]:
    """Return by column the steps to the normal form of its cells, if they are values rather than labels."""
    shown = {column.name for column in claims.quasi if column.level == 0 or column.form == "value"}
    if not any(map(unpublished, models)):
        shown |= set(claims.sensitive)
    return {name: steps for name, steps in claims.normalized.items() if name in shown}
