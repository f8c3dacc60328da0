"""Refuses packages that lack what they need or hold what they should not: python scripts/packed.py FILE...

The C code that Cython makes has 5 MB and is made anew wherever the package is built.
"""

import sys
import tarfile
import zipfile
from pathlib import PurePosixPath

KERNELS = "incrowd/core/kernels"
NEEDED = ("incrowd/py.typed", "incrowd/jobs/anon.xsd", "incrowd/jobs/job.schema.json", "incrowd/web/style.css")
KERNEL_SOURCES = (f"{KERNELS}/compiled.pyx", f"{KERNELS}/grouping.pxi")


def names(path: str) -> list[str]:
    """The files of a wheel, or of a source package below its own folder."""
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as wheel:
            return wheel.namelist()
    with tarfile.open(path) as source:
        inside = [PurePosixPath(each).parts[1:] for each in source.getnames()]
    return ["/".join(parts[1:] if parts[:1] == ("src",) else parts) for parts in inside]


def faults(path: str) -> list[str]:
    """What is wrong with a package."""
    held = names(path)
    found = [f"{name} is not there" for name in (*NEEDED, *KERNEL_SOURCES) if name not in held]
    found += [f"{name} should not be there" for name in held if name.endswith((".c", "checked.pyx"))]
    compiled = [name for name in held if name.startswith(f"{KERNELS}/compiled.") and name.endswith((".so", ".pyd"))]
    if path.endswith(".whl") and not compiled:
        found.append("the kernels are not compiled")
    if path.endswith("linux_x86_64.whl") and "manylinux" not in path:
        found.append("it is not tagged as manylinux")
    return [f"{path}: {fault}" for fault in found]


if __name__ == "__main__":
    wrong = [fault for path in sys.argv[1:] for fault in faults(path)]
    print("\n".join(wrong) or f"{len(sys.argv) - 1} packages hold what they should.")
    sys.exit(bool(wrong))
