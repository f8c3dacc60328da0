"""Short reprs. A notebook prints the repr of whatever a line gives: that of an object with cells shows none of them."""

from collections.abc import Mapping

_SEVERAL = (list, tuple, set, frozenset, Mapping)


class Brief:
    """An object that holds cells: its repr is its kind, and how many there are of what it holds."""

    def __repr__(self) -> str:
        held = {name: value for name, value in vars(self).items() if isinstance(value, _SEVERAL)}
        sizes = [f"{len(value)} {name.strip('_')}" for name, value in held.items() if len(value)]
        return f"<{type(self).__name__}{': ' if sizes else ''}{', '.join(sizes)}>"
