"""A few hundred damaged files of every kind; scripts/fuzz_readers.py reads as many as are asked for."""

import subprocess
import sys
from pathlib import Path

from effort import effort

INPUTS = effort(260, 420)
SCRIPT = Path(__file__).parents[2] / "scripts" / "fuzz_readers.py"


def test_damaged_files_are_read_or_refused() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--inputs", str(INPUTS), "--seed", "20"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    read, refused = [int(cell) for cell in done.stdout.splitlines()[-1].split()[1:3]]
    assert read > 50
    assert refused > 50
    assert read + refused == INPUTS
