"""Publishes a small PyArrow table in which no record is unique, and shows what became of it.

python examples/anonymize_frame.py
"""

import pyarrow

import incrowd

PATIENTS = pyarrow.table(
    {
        "name": ["Ada", "Ben", "Cleo", "Dirk", "Eva", "Finn", "Gudrun", "Hamza"],
        "age": [31, 34, 38, 36, 52, 57, 59, 71],
        "town": ["Graz", "Graz", "Leoben", "Leoben", "Linz", "Wels", "Linz", "Wels"],
        "illness": ["flu", "asthma", "flu", "diabetes", "asthma", "flu", "diabetes", "flu"],
    }
)

JOB = incrowd.Job(
    columns={
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20], "domain": [0, 119]}}},
        "town": {
            "role": "quasi",
            "hierarchy": {"tree": {"groups": {"Styria": ["Graz", "Leoben"], "Upper Austria": ["Linz", "Wels"]}}},
        },
        "illness": {"role": "sensitive"},
    },
    models=[{"k_anonymity": {"k": 3}}, {"distinct_l": {"l": 2, "column": "illness"}}],
    suppress=1,
)


def main() -> None:
    """Anonymize, show the result, and what only the private record tells."""
    release = incrowd.anonymize(PATIENTS, JOB)
    print(release)
    print()
    for row in release.frame.to_pylist():
        print(row)
    print()
    print("The manifest, for whoever gets the data, promises:", *release.manifest.promises)
    print("The record, which stays here, knows what is behind:", *(column.name for column in release.record.quasi))


if __name__ == "__main__":
    main()
