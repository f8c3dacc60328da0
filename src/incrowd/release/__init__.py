"""A release: the data, the public manifest with its claims, and the private record of how it was made.

Anyone with the data and the manifest can verify the release. The private record can repeat the release, and reverse
it: it is a separate file that only its owner may read, and it must not be shared with the data.
"""

from incrowd.core.plain_data import Plain
from incrowd.release.combinations import Piece, RecodedCombinations
from incrowd.release.manifest import (
    OF_CLASSES,
    Apart,
    Data,
    Ladders,
    Manifest,
    ManifestOfFormat1,
    People,
    PublishedQuasi,
    PublishedSearch,
    SearchFacts,
)
from incrowd.release.record import (
    Figures,
    RecodedQuasi,
    Record,
    ReferenceCounts,
)
from incrowd.release.stored import COLUMNAR, FORMAT, WITH_PEOPLE, hash_of, manifest_path, record_path, sensitive_path

__all__ = [
    "COLUMNAR",
    "FORMAT",
    "OF_CLASSES",
    "WITH_PEOPLE",
    "Apart",
    "Data",
    "Figures",
    "Ladders",
    "Manifest",
    "People",
    "Piece",
    "Plain",
    "PublishedQuasi",
    "PublishedSearch",
    "RecodedCombinations",
    "RecodedQuasi",
    "Record",
    "ReferenceCounts",
    "SearchFacts",
    "hash_of",
    "known_figures",
    "manifest_path",
    "record_path",
    "sensitive_path",
]


def known_figures(manifest: Manifest, record: Record | None) -> Figures | None:
    """Return the figures of a release, from its private record; for format 1 from its manifest."""
    if isinstance(manifest, ManifestOfFormat1):
        losses = {column.name: column.loss for column in manifest.quasi if column.loss is not None}
        return Figures(manifest.scores, losses, manifest.search)
    return None if record is None else record.figures
