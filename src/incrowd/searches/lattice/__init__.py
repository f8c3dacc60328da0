"""The lattice of level vectors: counting its nodes on the frequency set, never on the rows."""

from incrowd.searches.lattice.lattice import Lattice

__all__ = ["Lattice"]
