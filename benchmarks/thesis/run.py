"""The thesis' experiments: python benchmarks/thesis/run.py [NAME...]; results.json, docs/thesis/*.svg and the tables.

Names are those of figures.py; without any, all of them. What is not run keeps the results of the last time. With
`tables` alone nothing is run: the pages and plots are written anew from results.json.
"""

import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from page import written  # noqa: E402

RESULTS = HERE / "results.json"


def main(names: list[str]) -> None:
    """Run what is asked for, and write everything anew."""
    from figures import FIGURES
    from plots import drawn

    unknown = set(names) - {*FIGURES, "tables"}
    if unknown:
        sys.exit(f"there is no experiment {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    seconds = {row["experiment"]: row["cpu"] for row in results.get("seconds", [])}
    for name in [each for each in names or FIGURES if each in FIGURES]:
        begun = time.process_time()
        results[name] = FIGURES[name]()
        seconds[name] = round(time.process_time() - begun, 1)
        print(f"{name}: {len(results[name])} rows, {seconds[name]} s of CPU", flush=True)
        results["seconds"] = [{"experiment": each, "cpu": seconds[each]} for each in FIGURES if each in seconds]
        kept = {each: results[each] for each in (*FIGURES, "seconds") if each in results}
        lines = ",\n".join(f'"{key}": [\n{_lines(rows)}\n]' for key, rows in kept.items())
        RESULTS.write_text(f"{{\n{lines}\n}}\n")
    written(results)
    drawn(results)


def _lines(rows: list[dict[str, object]]) -> str:
    return ",\n".join(json.dumps(row) for row in rows)


if __name__ == "__main__":
    main(sys.argv[1:])
