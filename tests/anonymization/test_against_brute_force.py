"""A whole run finds what plain Python finds by trying everything: levels, rows, who is left out, what is refused."""

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.by_brute_force import SICK, Ladder, Release, Row, Rules, Task, height
from anonymization.runs import BESIDE, files, frame_of, new_folder, read_csv, write_csv, write_ladder
from incrowd.anonymization.infeasible import NoRelease
from strategies_lattice import trees


@dataclass(frozen=True)
class Run:
    """A task, and how it is given to the package."""

    task: Task
    suppress: float | int
    nulls: str
    search: str
    from_file: bool

    @property
    def judged(self) -> Task:
        """Without the records that are set aside, and with the budget that this leaves."""
        names = list(self.task.ladders)
        complete = [row for row in self.task.rows if None not in [row[name] for name in names]]
        rows = complete if self.nulls == "basic" else self.task.rows
        share = Decimal(str(self.suppress))
        budget = int(self.suppress) if isinstance(self.suppress, int) else int(share * len(rows))
        return replace(self.task, rows=rows, budget=min(budget, len(rows)))

    @property
    def columns(self) -> list[str]:
        return ["id", *self.task.ladders, SICK]

    def in_folder(self, folder: Path) -> "incrowd.anonymization.Anonymized":
        """Run it; the release is in release.csv."""
        task = self.task
        low = task.minimum or (0,) * len(task.ladders)
        high = task.limit or tuple(map(height, task.ladders.values()))
        columns = {
            name: {
                "role": "quasi",
                "hierarchy": str(write_ladder(folder / f"{name}.csv", ladder)),
                "minimum": least,
                "limit": most,
            }
            for (name, ladder), least, most in zip(task.ladders.items(), low, high, strict=True)
        }
        job = {
            "columns": {"id": {"role": "keep"}, **columns, SICK: {"role": "sensitive"}},
            "models": task.rules.models,
            "suppress": self.suppress,
            "nulls": self.nulls,
            "search": self.search,
            "output": str(folder / "release.csv"),
        }
        source = frame_of(task.rows, self.columns)
        if self.from_file:
            source = str(write_csv(folder / "table.csv", task.rows, self.columns))
        return incrowd.anonymize(source, job)


@st.composite
def runs(draw: st.DrawFn) -> Run:
    names = ("a", "b", "c")[: draw(st.integers(1, 3))]
    trees_of = {name: draw(trees(most_values=4)) for name in names}
    ladders: dict[str, Ladder] = {name: {row[0]: row[1:] for row in tree} for name, tree in trees_of.items()}
    cells = {name: st.sampled_from([*ladder, None]) for name, ladder in ladders.items()}
    drawn = draw(st.lists(st.fixed_dictionaries({**cells, SICK: st.sampled_from(["x", "y", "z", None])}), max_size=20))
    rows: list[Row] = [{"id": f"r{at}", **row} for at, row in enumerate(drawn)]
    rules = Rules(
        draw(st.integers(1, 4)),
        draw(st.none() | st.integers(1, 3)),
        draw(st.none() | st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2)])),
    )
    minimum = tuple(draw(st.integers(0, min(1, height(ladder)))) for ladder in ladders.values())
    limit = tuple(draw(st.integers(low, height(of))) for low, of in zip(minimum, ladders.values(), strict=True))
    task = Task(rows, ladders, rules, 0, draw(st.sampled_from([(), minimum])), draw(st.sampled_from([(), limit])))
    return Run(
        task,
        draw(st.integers(0, 8) | st.sampled_from([0.1, 0.25, 0.99])),
        draw(st.sampled_from(["extended", "basic"])),
        draw(st.sampled_from(["optimal", "exhaustive"])),
        draw(st.booleans()),
    )


def check_release(run: Run, folder: Path, best: Release) -> None:
    """The release on disk is the best one, record by record."""
    made = run.in_folder(folder)
    task = run.judged
    expected = task.release(tuple(level for level in made.levels.values() if level is not None))
    assert float(expected.loss) == pytest.approx(made.figures.scores["loss"], abs=1e-12)
    assert expected.loss == best.loss
    assert read_csv(folder / "release.csv") == [{name: row[name] for name in run.columns} for row in expected.rows]
    plain = made.to_dict()
    assert (plain["suppressed"], plain["classes"], plain["smallest"]) == (
        expected.suppressed,
        expected.classes,
        expected.smallest,
    )
    assert plain["input_records"] == len(run.task.rows)
    assert plain["set_aside"] == len(run.task.rows) - len(task.rows)
    assert plain["lattice"] == len(task.nodes)
    assert plain["suppress_limit"] == task.budget
    assert (plain["optimal"], plain["gap"]) == (True, 0.0)
    assert plain["verdict"] == ("holds" if made.manifest.data.records else "empty")
    assert incrowd.verify(made.output or "", record=made.record_file).holds


def check_refusal(run: Run, folder: Path) -> None:
    """The nearest miss is the nearest, and nothing is written."""
    before = files(folder)
    with pytest.raises(NoRelease) as caught:
        run.in_folder(folder)
    nearest = caught.value.nearest
    assert nearest is not None
    fewest = min(release.suppressed for release in run.judged.releases())
    assert nearest.suppressed == run.judged.release(nearest.levels).suppressed == fewest
    assert not {name for name in files(folder) - before if name.startswith((".", "release"))}


@settings(max_examples=80)
@given(runs())
def test_every_table(run: Run) -> None:
    feasible = run.judged.feasible()
    with new_folder() as folder:
        if feasible:
            check_release(run, folder, min(feasible, key=lambda release: release.loss))
            assert {f"release.csv{suffix}" for suffix in ("", *BESIDE)} <= files(folder)
        else:
            check_refusal(run, folder)
