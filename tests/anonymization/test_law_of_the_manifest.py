"""Equal releases have equal manifests and equal external reports, whatever the cells are that they do not show."""

import csv
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.runs import Job, Row, frame_of, job, new_folder
from effort import effort
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import IncrowdError
from incrowd.families import members
from incrowd.searches import PartsSearch

COLUMNS = ("age", "zip", "job", "pay", "illness", "guard", "id", "who")
NUMBERS = ("age", "zip", "pay")
CLUSTERS = ((20, "80", "nurse", 1200), (40, "40", "clerk", 2600), (60, "10", "judge", 5100))
"""Where people are alike: the lowest age, the first digits, the job, the lowest pay."""
ILLNESSES = ("flu", "cold", "gout")
TRIED = 40
"""So many tables are tried; a release is seldom equal where it shows much."""
ENOUGH = effort(1, 2)

# By a rule with levels that the job gives, by one whose levels follow from the values, and twice by what is proposed.
ROLES: dict[str, dict[str, Any]] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}},
    "zip": {"role": "quasi", "hierarchy": {"mask": {}}},
    "job": {"role": "quasi"},
    "pay": {"role": "quasi"},
    "illness": {"role": "sensitive", "hierarchy": {"tree": {"groups": {"short": ["flu", "cold"], "long": ["gout"]}}}},
    "id": {"role": "keep"},
}
SEARCHES: dict[str, Any] = {name: name for name in sorted(members("searches", "SEARCH"))} | {
    "genetic": {"genetic": {"population": 10, "generations": 5}},
    "annealing": {"annealing": {"steps": 100}},
    "top_down_specialization": {"top_down_specialization": {"label": "illness"}},
    "guaranteed": {"guaranteed": {"utility": 0.3}},
    "scored, from cell to cell": {"scored": {"partial": True}},
    "local_suppression, wildcards": {"local_suppression": {"wiped": "anything"}},
    "optimal, people": "optimal",
    "mondrian, people": "mondrian",
}
MODELS: dict[str, list[str]] = {
    "anatomy": ["distinct_l:l=3,column=illness"],
    "consistent": ["consistent_k:k=3,notion=k_k"],
    "guaranteed": ["range_diversity:p=0.5,column=illness"],
    "personalized": ["personal_breach:p=0.6,column=illness,guard=guard", "k_anonymity:k=3"],
}
"""Of searches that do not serve k-anonymity alone."""


def near(luck: random.Random, cluster: tuple[int, str, str, int], at: int) -> Row:
    """Somebody of a cluster; the first two are at its ends."""
    age, digits, profession, pay = cluster
    steps = [9 * at if at < 2 else luck.randint(1, 8) for _ in NUMBERS]
    cells = {
        "age": str(age + steps[0]),
        "zip": f"{digits}{1 + steps[1] // 3}{steps[1]}",
        "pay": str(pay + 10 * steps[2]),
    }
    return {**cells, "job": profession, "illness": ILLNESSES[at % 3], "guard": (ILLNESSES[at % 3], None)[at % 2]}


def far(luck: random.Random) -> Row:
    """Somebody like nobody else."""
    cells = {"age": luck.choice(("83", "97", "9876", "12345")), "zip": luck.choice(("9999", "6431", "77777"))}
    cells |= {"job": luck.choice(("diva", "pope")), "pay": luck.choice(("7300", "8801", "98765", "987.5"))}
    return {**cells, "illness": luck.choice(ILLNESSES), "guard": "flu"}


def people() -> list[Row]:
    """Three clusters of five pairs that are equal, two people far away, and one of whom a cell is missing."""
    luck = random.Random(0)
    rows = [near(luck, cluster, at) for cluster in CLUSTERS for at in range(5)]
    rows = [*(dict(row) for row in rows for _ in range(2)), far(luck), far(luck), {**far(luck), "job": None}]
    return [{**row, "id": str(at), "who": f"person {at // 2}"} for at, row in enumerate(rows)]


def unseen(rows: list[Row], gone: list[int], luck: random.Random) -> Iterator[list[Row]]:
    """The same people, some of those that are not published replaced by others, or changed a little."""
    for _ in range(TRIED):
        other = [dict(row) for row in rows]
        for at in luck.sample(gone, luck.randint(1, len(gone))):
            name = luck.choice(NUMBERS)
            little = {name: f"{float(rows[at][name]) + luck.randint(1, 3):g}"}
            # Anatomy draws by chance that takes its start from all cells that it counts.
            changed = luck.choice((far(luck), little, {"id": f"{luck.random()}"}))
            other[at] |= {key: cell for key, cell in changed.items() if rows[at][key] is not None}
        yield other


def behind(rows: list[Row], gone: list[int], luck: random.Random) -> Iterator[list[Row]]:
    """The same people, some numbers of those that are published moved, or taken from others of the cluster."""
    for _ in range(TRIED):
        other = [dict(row) for row in rows]
        for at in luck.sample([at for at in range(30) if at not in gone], luck.randint(1, 2)):
            name = luck.choice(NUMBERS)
            moved = rows[at][name][:-1] + luck.choice("123456789")
            other[at][name] = luck.choice((moved, rows[at // 10 * 10 + luck.randrange(10)][name]))
        yield other


def law_job(name: str, folder: Path) -> Job:
    """A job for a search of the list."""
    roles = {**ROLES, **({"guard": {"role": "drop"}} if name == "personalized" else {})}
    roles |= {"who": {"role": "person"}} if name.endswith(", people") else {}
    if issubclass(members("searches", "SEARCH")[name.partition(",")[0]].SEARCH, PartsSearch):
        # Their time grows with the number of values, and sets show all of these.
        roles = {key: of for key, of in roles.items() if key not in ("zip", "pay")}
    models = MODELS.get(name, ["k_anonymity:k=3"])
    return job(roles, *models, suppress=8, search=SEARCHES[name], nulls="basic", output=str(folder / "release.csv"))


def released(described: Job, rows: list[Row], folder: Path) -> tuple[AnonymizationResult, bytes] | None:
    """A release with the bytes that everybody may have; None where there is none."""
    try:
        made = incrowd.anonymize(frame_of(rows, COLUMNS), described)
    except IncrowdError:
        return None
    return made, b"".join(path.read_bytes() for path in sorted(folder.glob("release*.csv")))


def told(made: AnonymizationResult, folder: Path, with_page: bool) -> dict[str, str]:
    """What goes with them: the manifest, and the external reports as they are made with the release and afterwards."""
    found = {"manifest": (folder / "release.csv.manifest.json").read_text("utf-8")}
    for key, of in (("made", made), ("read", folder / "release.csv")):
        report = incrowd.report(of, audience="external")
        found |= {f"{key}, JSON": report.to_json(), f"{key}, Markdown": report.to_markdown()}
    return {**found, "HTML": report.to_html()} if with_page else found


Changed = Callable[[list[Row], list[int], random.Random], Iterator[list[Row]]]


def equal_releases(name: str, changed: Changed) -> int:
    """How many other tables have an equal release; what is told of it is equal too."""
    rows, alike = people(), 0
    known: dict[str, str] = {}
    with new_folder() as folder:
        first = released(law_job(name, folder), rows, folder)
        assert first is not None
        with (folder / "release.csv").open(encoding="utf-8", newline="") as file:
            shown = {row["id"] for row in csv.DictReader(file)}
        gone = [at for at, row in enumerate(rows) if row["id"] not in shown]
        for other in changed(rows, gone, random.Random(1)):
            with new_folder() as beside:
                second = None if other == rows else released(law_job(name, beside), other, beside)
                if second is not None and second[1] == first[1]:
                    known = known or told(first[0], folder, True)
                    other_told = told(second[0], beside, not alike)
                    assert other_told == {key: known[key] for key in other_told}
                    alike += 1
            if alike == ENOUGH:
                break
    return alike


@pytest.mark.parametrize("name", SEARCHES)
def test_suppressed_and_set_aside_records_change_nothing(name: str) -> None:
    assert equal_releases(name, unseen)


# Anatomy publishes quasi-identifiers as they are: nothing is behind them.
@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "anatomy"])
def test_values_behind_published_cells_change_nothing(name: str) -> None:
    assert equal_releases(name, behind)


CANARY = {"age": "98713", "zip": "7731954", "pay": "7654321", "id": "canary"}
"""Cells of a person whose job is missing, and who is not published therefore."""


@pytest.mark.parametrize("name", SEARCHES)
def test_no_label_names_a_value_that_only_a_set_aside_record_has(name: str) -> None:
    rows = people()
    with new_folder() as folder:
        rows = [*rows, {**rows[-1], **CANARY}]
        made = released(law_job(name, folder), rows, folder)
        assert made is not None
        for text in (made[1].decode(), *told(made[0], folder, True).values()):
            assert not [cell for cell in CANARY.values() if cell in text]
        original = frame_of(rows, COLUMNS) if made[0].manifest.people else None
        assert incrowd.verify(folder / "release.csv", record=made[0].record_file, original=original).holds


# By a rule that one fraction spells otherwise, and by hierarchies that follow from the longest or all values.
@pytest.mark.parametrize(
    "hierarchy",
    [
        {"intervals": {"widths": [10, 50]}},
        {"intervals": {"widths": [10, 50], "other": "other"}},
        {"mask": {}},
        {"mask": {"steps": [1, 2]}},
        {"prefix": {"keep": [1]}},
        {"grid": {"sizes": [10, 50]}},
        {"scale": {"order": ["11", "12", "25", "37", "58", "61"]}},
        {"tree": {"groups": {"low": ["11", "12"], "high": ["25", "37"]}, "other": "61"}},
        "automatic",
    ],
)
def test_hierarchies_of_sensitive_columns(hierarchy: Any) -> None:
    roles = {"age": {"role": "quasi"}, "score": {"role": "sensitive", "hierarchy": hierarchy}}
    scores = ["11", "12", "25", "37", "58", "61"]
    rows = [{"age": age, "score": score} for age in ("20", "40") for score in scores]
    model = {"t_closeness": {"t": 0.9, "column": "score", "distance": "hierarchical"}}
    found = set()
    for hidden in ("99", "98765", "99.5"):
        with new_folder() as folder:
            gone = {"age": "77", "score": hidden}
            described = job(roles, {"k_anonymity": {"k": 2}}, model, suppress=1, output=str(folder / "release.csv"))
            made = incrowd.anonymize(frame_of([*rows, gone], ["age", "score"]), described)
            assert made.manifest.suppressed == 1
            assert incrowd.verify(folder / "release.csv", record=made.record_file).holds
            word = incrowd.verify(folder / "release.csv").word
            assert word == ("verified" if made.manifest.ladders else "incomplete")
            found.add(tuple(told(made, folder, False).values()))
    assert len(found) == 1


def test_the_top_of_a_proposed_hierarchy() -> None:
    """How many levels it has follows from all values, the suppressed one included."""
    roles = {"code": {"role": "quasi"}, "town": {"role": "quasi", "limit": 0}}
    rows = [{"code": code, "town": "Graz"} for code in ("1", "30", "60", "90", "120")]
    levels, found = set(), set()
    for hidden in ("30", "75"):
        with new_folder() as folder:
            described = job(roles, {"k_anonymity": {"k": 5}}, suppress=1, output=str(folder / "release.csv"))
            made = incrowd.anonymize(frame_of([*rows, {"code": hidden, "town": "Linz"}], ["code", "town"]), described)
            levels.add(made.levels["code"])
            found.add(tuple(told(made, folder, False).values()))
    assert levels == {1, 2}
    assert len(found) == 1
