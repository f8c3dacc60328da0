"""Refuses to release what is not ready: python scripts/release.py [TAG]

The version of pyproject.toml, CITATION.cff, the changelog and the tag must be one, the changelog must say what changed,
and the addresses must be real.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]


def faults(root: Path = ROOT, tag: str | None = None) -> list[str]:
    """What is not ready."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    cited: dict[str, Any] = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    version, found = project["version"], []
    dated = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    if dated is None:
        found.append(f"CHANGELOG.md has no section '## {version} (DATE)'")
    if cited["version"] != version:
        found.append(f"CITATION.cff is of version {cited['version']}, pyproject.toml of {version}")
    if dated is not None and str(cited["date-released"]) != dated[1]:
        found.append(f"CITATION.cff says {cited['date-released']}, CHANGELOG.md {dated[1]}")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}, not v{version}")
    if changelog.partition("## Unreleased\n")[2].lstrip().partition("\n")[0] != f"## {version} ({dated and dated[1]})":
        found.append("CHANGELOG.md has changes under Unreleased: give them a version")
    found += [f"{name} is a placeholder in pyproject.toml" for name, url in project["urls"].items() if "example" in url]
    return found


if __name__ == "__main__":
    wrong = faults(tag=sys.argv[1] if len(sys.argv) > 1 else None)
    print("\n".join(wrong) or "Ready.")
    sys.exit(bool(wrong))
