"""Make the examples of several tables about the same people. Everybody in them is invented.

    python examples/make_linked.py [--people 2000] [--seed 7] [FOLDER]

`omop/` has four tables named after the OMOP common data model, `shop/` customers with two tables of facts. Equal seed
and people give identical bytes on every machine and Python version: every draw goes through `Random.random`.
"""

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

Rows = Iterator[Sequence[object]]

VISITS = ("inpatient", "outpatient", "emergency")
CONDITIONS = ("influenza", "asthma", "diabetes", "hypertension", "fracture", "migraine")
DRUGS = ("paracetamol", "salbutamol", "metformin", "ramipril", "ibuprofen", "sumatriptan")
REGIONS = ("north", "south", "east")
GOODS = ("books", "garden", "kitchen", "toys")
PAYMENTS = ("card", "invoice", "transfer")


def chosen(random: Random, options: Sequence[str]) -> str:
    """One of the options."""
    return options[int(random.random() * len(options))]


def numbers(random: Random, n: int, first: int) -> list[int]:
    """Different numbers in no order."""
    found = list(range(first, first + 3 * n))
    return [found.pop(int(random.random() * len(found))) for _ in range(n)]


def times(random: Random, most: int) -> range:
    """How often something happened: seldom often."""
    return range(int(random.random() * random.random() * (most + 1)))


def omop(random: Random, people: int) -> dict[str, tuple[Sequence[str], list[Sequence[object]]]]:
    """People with visits, the conditions found in a visit, and the drugs that they took."""
    persons: list[Sequence[object]] = []
    visits: list[Sequence[object]] = []
    conditions: list[Sequence[object]] = []
    drugs: list[Sequence[object]] = []
    for person in numbers(random, people, 10_000):
        born = 1935 + int(random.random() * 80)
        persons.append((person, "F" if random.random() < 0.5 else "M", born, chosen(random, REGIONS)))
        for _ in times(random, 3):
            visit = 500_000 + len(visits) * 7 % 10_007
            visits.append((visit, person, chosen(random, VISITS), 2020 + int(random.random() * 4)))
            for _ in times(random, 2):
                conditions.append((len(conditions) + 1, visit, chosen(random, CONDITIONS)))
        for _ in times(random, 3):
            drugs.append((len(drugs) + 1, person, chosen(random, DRUGS), 5 + int(random.random() * 25)))
    return {
        "person": (("person_id", "gender", "year_of_birth", "region"), persons),
        "visit_occurrence": (("visit_occurrence_id", "person_id", "visit_type", "visit_year"), visits),
        "condition_occurrence": (("condition_occurrence_id", "visit_occurrence_id", "condition"), conditions),
        "drug_exposure": (("drug_exposure_id", "person_id", "drug", "days_supply"), drugs),
    }


def shop(random: Random, people: int) -> dict[str, tuple[Sequence[str], list[Sequence[object]]]]:
    """Customers with orders and payments: a star of two tables of facts."""
    customers: list[Sequence[object]] = []
    orders: list[Sequence[object]] = []
    payments: list[Sequence[object]] = []
    for customer in numbers(random, people, 1_000):
        customers.append((customer, 18 + int(random.random() * 60), chosen(random, REGIONS)))
        for _ in times(random, 3):
            orders.append((customer, chosen(random, GOODS), 10 * (1 + int(random.random() * 9))))
        for _ in times(random, 3):
            payments.append((customer, chosen(random, PAYMENTS), 1 + int(random.random() * 12)))
    return {
        "customers": (("customer", "age", "region"), customers),
        "orders": (("customer", "goods", "amount"), orders),
        "payments": (("customer", "method", "month"), payments),
    }


def main() -> None:
    """Write both sets."""
    parser = argparse.ArgumentParser(description="Make the examples of several tables.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    random = Random(given.seed)
    for name, made in (("omop", omop(random, given.people)), ("shop", shop(random, given.people))):
        folder = given.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        for table, (header, rows) in made.items():
            with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(header)
                writer.writerows(rows)


if __name__ == "__main__":
    main()
