"""Eight records, half of them with missing cells."""

import pyarrow as pa

from anonymization.runs import job, quasi

HOLES = pa.table(
    {
        "a": ["u", "u", None, None, "v", "v", "v", None],
        "b": ["p", "p", "p", "p", "q", "q", None, None],
        "s": ["1", "2", "1", "2", "1", "2", "1", "2"],
    }
)
HOLES_JOB = job({**quasi("a", "b"), "s": {"role": "sensitive"}})
