"""What goes to standard output."""

import json
import sys
from typing import Any


def print_json(plain: dict[str, Any]) -> None:
    """One JSON document, readable where the output can hold every character and escaped where it cannot."""
    readable = "utf" in (sys.stdout.encoding or "").lower()
    print(json.dumps(plain, ensure_ascii=not readable))
