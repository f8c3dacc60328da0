"""The kernels in use: compiled where a compiler was at hand when Incrowd was installed, else their NumPy twins.

INCROWD_KERNELS=compiled|checked|plain picks one by name; the answers are the same.
"""

import importlib
import os
import warnings
from types import ModuleType


class NoCompiler(RuntimeWarning):
    """The kernels were not compiled when Incrowd was installed."""


def _pick() -> ModuleType:
    wanted = os.environ.get("INCROWD_KERNELS")
    if wanted:
        if wanted not in ("compiled", "checked", "plain"):
            raise ImportError(f"INCROWD_KERNELS is {wanted!r}; it may be compiled, checked or plain")
        return importlib.import_module(f"{__name__}.{'numpy_kernels' if wanted == 'plain' else wanted}")
    try:
        return importlib.import_module(f"{__name__}.compiled")
    except ImportError:
        warnings.warn(
            "Incrowd was installed without a C compiler and runs on NumPy alone, many times slower; "
            "install one and install Incrowd again",
            NoCompiler,
            stacklevel=2,
        )
        return importlib.import_module(f"{__name__}.numpy_kernels")


_module = _pick()
NAME = _module.__name__.rpartition(".")[2]
Averager = _module.Averager
NodeSchedule = _module.NodeSchedule
Clusters = _module.Clusters
Contributing = _module.Contributing
Covering = _module.Covering
Cutter = _module.Cutter
Grouper = _module.Grouper
Grower = _module.Grower
MedianPartitioner = _module.MedianPartitioner
Judge = _module.Judge
NearCluster = _module.NearCluster
NearSeed = _module.NearSeed
Neighbors = _module.Neighbors
Numbering = _module.Numbering
Refiner = _module.Refiner
Tally = _module.Tally
ValueNumbering = _module.ValueNumbering
surplus_and_deficit = _module.surplus_and_deficit
regroup = _module.regroup
scatter = _module.scatter
total = _module.total
