"""The roles that a first job has, as benchmarks/corpus.py reads them: python benchmarks/roles.py FOLDER FILE

FOLDER holds CSV files, one table each. To compare with the roles of an earlier version, check that version out and name
its sources in PYTHONPATH.
"""

import json
import sys
from pathlib import Path

import polars

import incrowd
from incrowd.errors import IncrowdError


def main() -> None:
    folder, file = map(Path, sys.argv[1:])
    found = {}
    for path in sorted(folder.glob("*.csv")):
        columns = polars.read_csv(path, n_rows=0).columns
        given = polars.read_csv(path, infer_schema_length=None).rename({"": "row"}) if "" in columns else str(path)
        try:
            drafted = incrowd.init(given).to_dict()
        except IncrowdError as error:
            print(f"{path.stem}: {str(error).splitlines()[0]}")
            continue
        found[path.stem] = {name: column["role"] for name, column in drafted["columns"].items()}
    file.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(f"{len(found)} tables, roles of Incrowd {Path(incrowd.__file__).parent}")


if __name__ == "__main__":
    main()
