"""Equal releases have equal manifests and equal external reports, whatever the cells are that they do not show."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.runs import Job, Row, frame_of, job, new_folder
from incrowd.anonymization import Anonymized
from incrowd.errors import IncrowdError
from incrowd.registry import members

COLUMNS = ("age", "zip", "job", "pay", "illness", "guard", "id")
CLUSTERS = ((20, "80", "nurse", 1200), (40, "40", "clerk", 2600), (60, "10", "judge", 5100))
"""Where people are alike: the lowest age, the first digits, the job, the lowest pay."""
ILLNESSES = ("flu", "cold", "gout")
TRIED, ENOUGH = 20, 4
FAR = 2
"""Records that are unlike all others, fewer than k."""

SENSITIVE = {"tree": {"groups": {"short": ["flu", "cold"], "long": ["gout"]}}}
ROLES: dict[str, dict[str, Any]] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}},
    "zip": {"role": "quasi", "hierarchy": {"mask": {}}},
    "job": {"role": "quasi"},
    "pay": {"role": "quasi"},
    "illness": {"role": "sensitive", "hierarchy": SENSITIVE},
    "id": {"role": "keep"},
}

SEARCHES: dict[str, Any] = {name: name for name in sorted(members("searches", "SEARCH"))} | {
    "genetic": {"genetic": {"population": 10, "generations": 5}},
    "annealing": {"annealing": {"steps": 100}},
    "top_down_specialization": {"top_down_specialization": {"label": "illness"}},
    "guaranteed": {"guaranteed": {"utility": 0.4}},
    "scored, from cell to cell": {"scored": {"partial": True}},
    "local_suppression, wildcards": {"local_suppression": {"wiped": "anything"}},
    "local_suppression, on levels": {"local_suppression": {"generalize": "column"}},
}
MODELS: dict[str, list[Any]] = {
    "anatomy": ["distinct_l:l=3,column=illness"],
    "consistent": ["consistent_k:k=3,notion=k_k"],
    "personalised": ["personal_breach:p=0.6,column=illness,guard=guard", "k_anonymity:k=3"],
}
"""Of searches that serve no k-anonymity, or more."""


def far_away(luck: random.Random, name: str) -> Row:
    """A record that is like no other."""
    return {
        "age": str(luck.choice([83, 87, 91, 97, 9876, 12345])),
        "zip": luck.choice(["9999", "7777", "6431", "99999"]),
        "job": luck.choice(["diva", "pope"]),
        "pay": str(luck.choice([7300, 8800, 98765, 98765.5])),
        "illness": luck.choice(ILLNESSES),
        "guard": "flu",
        "id": name,
    }


def inside(luck: random.Random, cluster: tuple[int, str, str, int], at: int) -> Row:
    """A record of a cluster; the first two are at its ends."""
    age, digits, profession, pay = cluster
    step = 9 * (at % 2) if at < 2 else luck.randint(1, 8)
    return {
        "age": str(age + step),
        "zip": f"{digits}{luck.choice('1234')}{luck.choice('56')}" if at >= 4 else f"{digits}{at // 2 + 1}{5 + at % 2}",
        "job": profession,
        "pay": str(pay + 10 * (9 * (at % 2) if at < 2 else luck.randint(1, 8))),
        "illness": ILLNESSES[at % 3],
        "guard": ("short", "long", "")[at % 3],
        "id": f"{profession}-{at}",
    }


def people(seed: int = 0) -> list[Row]:
    """Three clusters and the records far away from them."""
    luck = random.Random(seed)
    rows = [inside(luck, cluster, at) for cluster in CLUSTERS for at in range(9)]
    return [*rows, *(far_away(luck, f"far-{at}") for at in range(FAR))]


def unseen(rows: list[Row], gone: list[int], luck: random.Random) -> Iterator[list[Row]]:
    """The same people, those that are suppressed replaced by others."""
    for _ in range(TRIED):
        yield [far_away(luck, row["id"]) if at in gone else row for at, row in enumerate(rows)]
        yield [
            {**row, "age": str(int(row["age"]) + luck.randint(1, 9))} if at in gone else row
            for at, row in enumerate(rows)
        ]


def behind(rows: list[Row], gone: list[int], luck: random.Random) -> Iterator[list[Row]]:
    """The same people, one or two cells of those that are published moved a little."""
    for _ in range(TRIED * 2):
        other = [dict(row) for row in rows]
        for at in luck.sample([at for at in range(len(rows)) if at not in gone], luck.randint(1, 2)):
            name = luck.choice(["age", "pay", "zip"])
            other[at][name] = f"{other[at][name][:-1]}{luck.choice('123456789')}"
        yield other


def law_job(name: str, folder: Path) -> Job:
    """A job for a search of the list."""
    roles = ROLES if name == "personalised" else {key: of for key, of in ROLES.items() if key != "guard"}
    models = MODELS.get(name, ["k_anonymity:k=3"])
    return job(roles, *models, suppress=8, search=SEARCHES[name], output=str(folder / "release.csv"))


def released(name: str, rows: list[Row], folder: Path) -> tuple[Anonymized, bytes] | None:
    """A release with the bytes that everybody may have; None where there is none."""
    try:
        made = incrowd.anonymize(frame_of(rows, COLUMNS), law_job(name, folder))
    except IncrowdError:
        return None
    return made, b"".join(path.read_bytes() for path in sorted(folder.glob("release*.csv")))


def told(made: Anonymized, folder: Path, with_page: bool) -> dict[str, str]:
    """What goes with them: the manifest, and the external reports as they are made with the release and afterwards."""
    found = {"manifest": (folder / "release.csv.manifest.json").read_text("utf-8")}
    for key, of in (("made", made), ("read", folder / "release.csv")):
        report = incrowd.report(of, audience="external")
        found |= {f"{key}, JSON": report.to_json(), f"{key}, Markdown": report.to_markdown()}
        if with_page:
            found[f"{key}, HTML"] = report.to_html()
    return found


@pytest.mark.parametrize("changed", [unseen, behind])
@pytest.mark.parametrize("name", SEARCHES)
def test_law(name: str, changed: Any) -> None:
    rows, luck, alike = people(), random.Random(1), 0
    with new_folder() as folder:
        found = released(name, rows, folder)
        assert found is not None
        made, release = found
        with (folder / "release.csv").open(encoding="utf-8", newline="") as file:
            shown = {row["id"] for row in csv.DictReader(file)}
        gone = [at for at, row in enumerate(rows) if row["id"] not in shown]
        for other in changed(rows, gone, luck):
            with new_folder() as beside:
                same = None if other == rows else released(name, other, beside)
                if same is not None and same[1] == release:
                    page = not alike
                    assert told(same[0], beside, page) == told(made, folder, page)
                    alike += 1
            if alike == ENOUGH:
                break
    print(name, changed.__name__, alike, len(gone))
