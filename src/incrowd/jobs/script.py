"""A job as a Python script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.jobs.command import at_present

if TYPE_CHECKING:
    from incrowd.jobs.model import Job

_WIDE = 110


def to_script(job: Job) -> str:
    """Return the script that does what the job describes, from the present folder."""
    plain = at_present(job).to_dict()
    settings = "".join(f"    {key}={_literal(value, '    ')},\n" for key, value in plain.items())
    return f"import incrowd\n\njob = incrowd.Job(\n{settings})\nrelease = incrowd.anonymize(job=job)\n"


def _literal(value: Any, indent: str) -> str:
    """Return a value as Python writes it, on several lines where one would be too wide."""
    on_one_line = repr(value)
    if len(indent) + len(on_one_line) <= _WIDE or not isinstance(value, dict | list):
        return on_one_line
    deeper = indent + "    "
    if isinstance(value, dict):
        lines = [f"{deeper}{key!r}: {_literal(of, deeper)},\n" for key, of in value.items()]
        return f"{{\n{''.join(lines)}{indent}}}"
    return "[\n" + "".join(f"{deeper}{_literal(item, deeper)},\n" for item in value) + f"{indent}]"
