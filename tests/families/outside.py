"""A package outside the source tree, on a path of its own: what an installed package is to Incrowd."""

import shutil
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).parent / "package" / "outside_members"

MEMBERS = {
    "models": "varied",
    "metrics": "steps",
    "release_metrics": "kept",
    "searches": "thorough",
    "scores": "first_column",
    "hierarchies": "initials",
    "tables.rules": "few",
    "tables.protections": "hiding",
    "attacks": "same_value",
    "formats": "pipes",
    "proposing": "shoes",
    "profiles": "club",
}
"""The member of each family."""


DOORS = {"api": "api", "cli": "cli", "service.kinds": "kinds", "web.pages": "pages"}
"""The folders of a verb in Python, on the command line, over REST and on a page, and those here in their place."""

VERB = "tally"


def installed(folder: Path) -> Path:
    """Put the package into a folder as an installer does: the modules, and what it says about itself."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name)
    points = {family: {name: f"{PACKAGE.name}.{name}"} for family, name in MEMBERS.items()}
    points |= {door: {VERB: f"{PACKAGE.name}.{modules}.{VERB}"} for door, modules in DOORS.items()}
    describe(folder, "outside_members", points)
    return folder


def describe(folder: Path, name: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Write the metadata of a package with its entry points, by family and member."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for family, members in points.items():
        lines += [f"[incrowd.{family}]", *(f"{member} = {module}" for member, module in members.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
