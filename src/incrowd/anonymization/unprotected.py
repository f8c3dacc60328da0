"""Sensitive columns that no privacy model of a release names: they are published as they are."""

from collections.abc import Iterator

from incrowd.errors import listed
from incrowd.models import from_dict
from incrowd.release import Manifest


def unprotected(manifest: Manifest) -> tuple[str, ...]:
    """Return the sensitive columns that no model names."""
    named = {name for model in map(from_dict, manifest.models) for columns in model.needs for name in columns}
    return tuple(name for name in manifest.sensitive if name not in named)


def warnings(manifest: Manifest) -> Iterator[str]:
    """Yield the warning about them; none if there is nothing to disclose."""
    names = unprotected(manifest)
    if names and manifest.data.records:
        what, them = ("column", "it") if len(names) == 1 else ("columns", "them")
        yield (
            f"no privacy model protects the sensitive {what} {listed(names)}. A class whose records share a value "
            f"discloses it. Add a model that names {them} (distinct_l for categories, range_diversity for numbers), or "
            "give another role."
        )
