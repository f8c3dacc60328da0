"""The thesis' experiments: python benchmarks/thesis/run.py [NAME...]; results.json, docs/thesis/*.svg and the tables.

Names are those of figures.py; without any, all of them. What is not run keeps the results of the last time.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from page import written  # noqa: E402

RESULTS = HERE / "results.json"


def main(names: list[str]) -> None:
    """Run what is asked for, and write everything anew."""
    from figures import FIGURES
    from plots import drawn

    unknown = set(names) - set(FIGURES)
    if unknown:
        sys.exit(f"there is no experiment {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in names or FIGURES:
        results[name] = FIGURES[name]()
        print(f"{name}: {len(results[name])} rows", flush=True)
        lines = ",\n".join(f'"{key}": [\n{_lines(rows)}\n]' for key, rows in results.items())
        RESULTS.write_text(f"{{\n{lines}\n}}\n")
    written(results)
    drawn(results)


def _lines(rows: list[dict[str, object]]) -> str:
    return ",\n".join(json.dumps(row) for row in rows)


if __name__ == "__main__":
    main(sys.argv[1:])
