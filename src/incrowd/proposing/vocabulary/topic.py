"""A topic: what a column may be about, the role that follows, and the words that name it."""

from dataclasses import dataclass

from incrowd.core.schema import Role


@dataclass(frozen=True)
class Topic:
    """A subject that a column may have."""

    role: Role
    what: str
    """The likely content of the column."""
    terms: str
    """Separated by commas; a term may be of several words. Written as `words_of` reads names."""
    short: str = ""
    """Abbreviations, which also occur as a part of a longer word: inc in faminc."""
