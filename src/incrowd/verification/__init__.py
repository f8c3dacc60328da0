"""Verification: re-reads a release and checks it against the definitions, with independent code.

It shares nothing with the code that made the release: no search, no recoding, no engine, no format. A format that
another package adds brings a second, plain reader for verification.
"""

from typing import TYPE_CHECKING, Any

from incrowd.verification._people import Original
from incrowd.verification._rows import reads_files, reads_url
from incrowd.verification._verdict import WORDS, Check, FailingClass, Verdict, verdict_word
from incrowd.verification._verify import verify, verify_frame

if TYPE_CHECKING:
    from incrowd.verification._linked import LinkedVerdict, verify_linked

__all__ = [
    "WORDS",
    "Check",
    "FailingClass",
    "LinkedVerdict",
    "Original",
    "Verdict",
    "reads_files",
    "reads_url",
    "verdict_word",
    "verify",
    "verify_frame",
    "verify_linked",
]


def __getattr__(name: str) -> Any:
    """Load what judges several tables when it is first used: most runs have one."""
    if name not in ("LinkedVerdict", "verify_linked"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from incrowd.verification import _linked

    return getattr(_linked, name)
