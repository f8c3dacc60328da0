"""For the members of a club, who know each other."""

from incrowd.profiles import Profile, Reason

_REASON = Reason("They know each other.", "the board")

PROFILE = Profile(8, 0.03, reasons={"k": _REASON, "suppress": _REASON, "l": _REASON})
MEANING = "For the members of a club."
