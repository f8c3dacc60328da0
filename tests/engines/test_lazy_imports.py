"""Whoever reads a file pays for no engine."""

import subprocess
import sys

import pytest

ENGINES = {"duckdb", "ibis", "pandas", "polars", "pyspark", "sqlglot"}


@pytest.mark.parametrize("module", ["incrowd", "incrowd.engines", "incrowd.engines.frames"])
def test_importing_loads_no_engine(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert module in loaded
    assert loaded & ENGINES == set()
