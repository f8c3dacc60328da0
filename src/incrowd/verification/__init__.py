"""Verification: reads a release afresh and judges it by the plain definitions, with code of its own.

Nothing here is shared with what made the release: no search, no recoding, no engine, no format.
"""

from incrowd.verification._verdict import WORDS, Check, FailingClass, Verdict
from incrowd.verification._verify import verify, verify_frame

__all__ = ["WORDS", "Check", "FailingClass", "Verdict", "verify", "verify_frame"]
