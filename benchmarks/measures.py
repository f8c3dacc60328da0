"""All nine measures of pycanon beside Incrowd's, in one run: python benchmarks/measures.py [MINUTES]

pycanon takes minutes of CPU, so each of its measures runs in a process of its own, and those that are not done when the
time is over (20 minutes when not given) are left out: the ratio is then a lower bound.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import tables
from harness import RUNS, Figures, measure

QUASI = ("age", "education", "marital-status", "race", "sex", "native-country")
SENSITIVE = "occupation"
TARGET = 500
OURS = {
    "k_anonymity": "k_anonymity:k=1",
    "alpha_k_anonymity": "alpha_k:alpha=1,k=1,column=occupation",
    "l_diversity": "distinct_l:l=1,column=occupation",
    "entropy_l_diversity": "entropy_l:l=1,column=occupation",
    "recursive_c_l_diversity": "recursive_cl:c=2,l=2,column=occupation",
    "basic_beta_likeness": "basic_beta:beta=1,column=occupation",
    "enhanced_beta_likeness": "enhanced_beta:beta=1,column=occupation",
    "t_closeness": "t_closeness:t=1,column=occupation",
    "delta_disclosure": "delta_disclosure:delta=1,column=occupation,absent=ignored",
}
"""By the name that pycanon has for it."""


def incrowd() -> Figures:
    """The nine together, from the table in memory on."""
    import incrowd
    from incrowd.models import parse
    from incrowd.watch import Watch

    table = tables.adult().select((*QUASI, SENSITIVE))
    models = {name: parse(text) for name, text in OURS.items()}

    def judge(records: Any) -> str:
        classes = incrowd.read(records).count(table.column_names, Watch()).judged(QUASI, [(SENSITIVE,)])
        return json.dumps({name: model.strength(classes) for name, model in models.items()})

    # Imports what is imported on first use.
    judge(table.slice(0, 10))
    return measure(lambda: judge(table))


def pycanon(name: str) -> Figures:
    """One of them."""
    from pycanon import anonymity

    frame = tables.adult().select((*QUASI, SENSITIVE)).to_pandas()
    asked: Callable[..., object] = getattr(anonymity, name)
    arguments = [frame, list(QUASI)] if name == "k_anonymity" else [frame, list(QUASI), [SENSITIVE]]
    return measure(lambda: str(asked(*arguments)))


def alone(*words: str, seconds: float) -> Figures | None:
    """A measurement in a process of its own; None where it takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--one", *words], check=True, capture_output=True, timeout=max(1.0, seconds)
        )
    except subprocess.TimeoutExpired:
        return None
    found: Figures = json.loads(done.stdout)
    return found


def main(minutes: float) -> None:
    """Every measure of pycanon that is done in time, and ours before and after."""
    end = time.monotonic() + 60 * minutes
    runs = [alone("incrowd", seconds=60) for _ in range(RUNS)]
    theirs: dict[str, Figures] = {}
    for name in OURS:
        found = alone("pycanon", name, seconds=end - time.monotonic())
        print(f"pycanon {name}: " + ("not done in time" if found is None else f"{found['cpu']:.2f} s CPU"), flush=True)
        if found is not None:
            theirs[name] = found
    runs += [alone("incrowd", seconds=60) for _ in range(RUNS)]
    ours = min((run for run in runs if run is not None), key=lambda run: run["cpu"])
    values = json.loads(str(ours["result"]))
    for name, found in theirs.items():
        print(f"{name}: Incrowd {values[name]:.6g}, pycanon {found['result']}")
    spent = sum(found["cpu"] for found in theirs.values())
    least = "" if len(theirs) == len(OURS) else "at least "
    print(f"Incrowd, all nine: {ours['cpu']:.4f} s CPU; pycanon, {len(theirs)} of them: {spent:.1f} s CPU")
    print(f"{least}{spent / ours['cpu']:,.0f} times as fast (target {TARGET})")
    sys.exit(spent / ours["cpu"] < TARGET)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(incrowd() if sys.argv[2] == "incrowd" else pycanon(sys.argv[3])))
    else:
        main(float(sys.argv[1]) if sys.argv[1:] else 20.0)
