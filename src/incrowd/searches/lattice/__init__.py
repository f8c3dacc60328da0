"""The lattice of level vectors: counting its nodes on the frequency set, never on the rows."""

from incrowd.searches.lattice.lattice import Lattice
from incrowd.searches.lattice.people import PeopleLattice, lattice_of

__all__ = ["Lattice", "PeopleLattice", "lattice_of"]
