"""Builds the compiled kernels; everything else is in pyproject.toml.

The extension is optional: where no compiler is at hand the package installs without it and the NumPy twins serve.
With INCROWD_COMPILED set, as for wheels, a source that does not compile is an error.
With INCROWD_CHECKED set, a second build of the same source with bounds checks is made for the test suite.
"""

import os
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = Path("src/incrowd/core/kernels")
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3"]


def extension(name: str, checked: bool) -> list[Extension]:
    """One build of the kernel source under its own module name."""
    module = Extension(f"incrowd.core.kernels.{name}", [str(KERNELS / f"{name}.pyx")], extra_compile_args=FLAGS)
    built = cythonize(
        [module],
        compiler_directives={
            "language_level": 3,
            "boundscheck": checked,
            "wraparound": False,
            "initializedcheck": checked,
            "cdivision": True,
        },
    )
    for each in built:
        # Set here because cythonize makes new extensions and forgets it.
        each.optional = not os.environ.get("INCROWD_COMPILED")
    return built


modules = extension("compiled", checked=False)
if os.environ.get("INCROWD_CHECKED"):
    shutil.copyfile(KERNELS / "compiled.pyx", KERNELS / "checked.pyx")
    modules += extension("checked", checked=True)
setup(ext_modules=modules)
