"""The cost of models, measured before they are proposed: as a release would lose, and said in every door."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import incrowd
from cli.command import Command
from incrowd.anonymization.first_job import first_job
from incrowd.anonymization.first_models import POINTS, RAISES, FirstModels
from incrowd.anonymization.model_costs import FEWEST_RECORDS, MOST_RECORDS
from incrowd.errors import IncrowdError, Interrupted
from incrowd.searches.sampling import CLUSTERS, REGIONS
from incrowd.service import Pool, Workspace
from incrowd.watch import Stopped, Watch
from service.spaces import done, upload

PARTED = "goes_with_town"


def people(n: int = 300) -> pa.Table:
    """A sensitive column that differs within towns, and one that says in which half of the country a town is."""
    rng = np.random.default_rng(3)
    town = rng.integers(0, 40, n)
    return pa.table(
        {
            "age": [str(each) for each in rng.integers(20, 80, n)],
            "town_size": [str(100 * each + 7) for each in town],
            "diagnosis": [f"d{each}" for each in rng.integers(0, 6, n)],
            PARTED: ["north" if each < 20 else "south" for each in town],
        }
    )


def job(*models: str, **more: object) -> dict[str, object]:
    columns = {
        "age": {"role": "quasi", "hierarchy": "intervals:widths=10/20,domain=20/80"},
        "town_size": {"role": "quasi", "hierarchy": "intervals:widths=500/1000/2000,domain=0/4000"},
        "diagnosis": "sensitive",
        PARTED: "sensitive",
    }
    return {"columns": columns, "models": ["k_anonymity:k=5", *models], "suppress": 0.01, **more}


@pytest.mark.parametrize(
    "models",
    [
        (),
        ("distinct_l:l=2,column=diagnosis",),
        ("distinct_l:l=2,column=goes_with_town", "distinct_l:l=3,column=diagnosis"),
    ],
)
def test_the_measured_loss_is_that_of_the_release(models: tuple[str, ...]) -> None:
    table = people()
    found = incrowd.costs(table, job(*models))
    assert (found.records, found.of) == (300, 300)
    made = incrowd.anonymize(table, job(*models, search="k_members"))
    assert found.together == pytest.approx(made.figures.scores["loss"], abs=1e-12)
    plain = incrowd.anonymize(table, job(search="k_members"))
    # Records that differ in a sensitive column alone are two combinations here, in another order of equals.
    assert found.without == pytest.approx(plain.figures.scores["loss"], rel=0.05)
    for model, one in zip(models, found.each, strict=True):
        alone = incrowd.anonymize(table, job(model, search="k_members"))
        assert one.loss == pytest.approx(alone.figures.scores["loss"], rel=0.05)


def test_a_model_that_no_release_satisfies_has_no_loss() -> None:
    found = incrowd.costs(people(), job("distinct_l:l=3,column=goes_with_town"))
    assert found.together is None
    assert "(no release) with" in str(found)
    assert found.to_dict()["models"] == [{"model": "distinct_l", "columns": [PARTED], "loss": None}]


def with_names(table: pa.Table) -> pa.Table:
    """The same, with names from which the roles follow."""
    return table.rename_columns(["age", "postcode", "diagnosis", "disease"])


@pytest.fixture
def drafted() -> FirstModels:
    return incrowd.init(with_names(people())).further


def test_a_first_job_leaves_out_by_name_what_costs_too_much(drafted: FirstModels) -> None:
    costs = drafted.costs
    assert costs is not None
    assert list(drafted.chances) == ["diagnosis"]
    assert drafted.unprotected == ["disease"]
    most = max(costs.without * (1 + RAISES), costs.without + POINTS)
    refused = costs.refused["disease"]
    assert costs.together <= most
    assert refused is not None
    assert refused > most
    [cost, out] = drafted.words[1:]
    losses = f"about {costs.without:.1%} without this model, {costs.together:.1%} with"
    assert cost == f"Information loss {losses}, measured on all 300 records."
    assert out.startswith("No model yet, because it would raise the information loss too much")
    assert f"disease ({refused:.1%})" in out


def test_of_what_is_left_out_alone_the_loss_without_is_said() -> None:
    table = with_names(people()).drop_columns(["diagnosis"])
    further = incrowd.init(table).further
    assert further.models == []
    [words] = further.words
    assert "disease (" in words
    assert "without, measured on all 300 records." in words


def test_fewer_values_are_asked_for_where_more_would_cost_too_much() -> None:
    """Three values in a half of the country, of which every class has two, and one in the other half."""
    rng = np.random.default_rng(5)
    town = rng.integers(0, 40, 600)
    ill = [f"d{rng.integers(0, 2) if each < 20 else rng.integers(2, 4)}" for each in town]
    table = pa.table({"age": rng.integers(20, 80, 600), "postcode": 100 * town + 7, "diagnosis": ill})
    further = incrowd.init(table, profile="public").further
    assert further.different == {"diagnosis": 2}
    assert further.costs is not None
    assert list(further.costs.refused) == ["diagnosis"]
    assert any(each.startswith("A weaker model than usual") and "diagnosis" in each for each in further.words)
    # What is kept is no more than what is asked for.
    assert further.unprotected == []


def test_numbers_that_go_with_a_quasi_identifier_get_weaker_ranges_and_the_release_holds() -> None:
    rng = np.random.default_rng(6)
    age = rng.integers(20, 80, 400)
    table = pa.table({"age": age, "sex": rng.choice(["f", "m"], 400), "income": age * 1000 + rng.permutation(400)})
    found = incrowd.init(table)
    costs = found.further.costs
    assert costs is not None
    assert "income" in costs.refused
    assert found.further.models != [] or found.further.unprotected == ["income"]
    made = incrowd.anonymize(table, found.job)
    assert made.verdict.holds


def large(n: int) -> pa.Table:
    rng = np.random.default_rng(8)
    return pa.table(
        {
            "age": rng.integers(20, 80, n),
            "postcode": rng.integers(1000, 9999, n),
            "sex": rng.choice(["f", "m"], n),
            "diagnosis": [f"d{each}" for each in rng.integers(0, 3, n)],
        }
    )


def test_a_large_table_is_sampled_by_regions_in_which_records_are_as_near_as_in_all() -> None:
    table = large(12_000)
    found = incrowd.init(table).further.costs
    assert found is not None
    assert FEWEST_RECORDS <= found.records <= 3 * MOST_RECORDS // 2
    assert found.of == 12_000
    assert f"a sample of {found.records:,} of 12,000 records" in incrowd.init(table).further.words[1]
    job = {**incrowd.init(table).to_dict(), "models": ["k_anonymity:k=5"], "search": "k_members"}
    loss = incrowd.anonymize(table, job).figures.scores["loss"]
    # Drawn one by one, a sixth of the records would lose twice as much.
    assert found.without == pytest.approx(loss, rel=0.35)


def test_records_that_repeat_beyond_measure_are_thinned_with_all_their_values() -> None:
    table = pa.table(
        {
            "age": [30, 40] * 6_000,
            "sex": ["f", "f", "m", "m"] * 3_000,
            "diagnosis": ["a", "b", "c", "d", "e", "f"] * 2_000,
        }
    )
    found = incrowd.costs(
        table,
        {
            "columns": {"age": "quasi", "sex": "quasi", "diagnosis": "sensitive"},
            "models": ["k_anonymity:k=5", "distinct_l:l=3,column=diagnosis"],
        },
    )
    assert found.records <= MOST_RECORDS + 12
    assert (found.without, found.together) == (0.0, 0.0)


def test_the_sample_has_room_for_classes_of_a_large_k() -> None:
    found = incrowd.costs(
        large(12_000), {"columns": {"age": "quasi", "diagnosis": "sensitive"}, "models": ["k_anonymity:k=50"]}
    )
    assert found.records >= REGIONS * CLUSTERS * 50 // 2
    assert found.each == ()
    assert "no model asks for more" in str(found)


def test_the_order_of_records_does_not_matter_to_which_models_are_chosen() -> None:
    table = with_names(people())
    turned = table.take(pa.array(np.random.default_rng(1).permutation(table.num_rows)))
    assert incrowd.init(table).further.to_dict() == incrowd.init(turned).further.to_dict()
    assert incrowd.init(table).further.to_dict() == incrowd.init(table).further.to_dict()


def test_people_with_several_records_are_counted() -> None:
    table = with_names(people())
    named = table.append_column("patient_id", [[f"p{at // 2:03}" for at in range(300)]])
    models = ["k_anonymity:k=5", "distinct_l:l=2,column=diagnosis"]
    columns = {"age": "quasi", "postcode": "quasi", "diagnosis": "sensitive", "patient_id": "person"}
    found = incrowd.costs(named, {"columns": columns, "models": models})
    made = incrowd.anonymize(named, {"columns": columns, "models": models, "search": "k_members"})
    assert found.together == pytest.approx(made.figures.scores["loss"], abs=1e-12)


def test_every_door_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(with_names(people()), "people.csv")
    words = incrowd.init("people.csv").further.words
    command = Command(monkeypatch, capsys)
    done = command("init", "people.csv", "--yes")
    written = Path("job.yaml").read_text(encoding="utf-8")
    for each in words:
        assert each in done.out
        assert f"# {each}" in written
    done = command("costs", "job.yaml")
    assert "Information loss about" in done.out
    as_json = json.loads(command("costs", "job.yaml", "--json").out)
    assert as_json["together"] == pytest.approx(incrowd.init("people.csv").further.to_dict()["measured"]["together"])
    assert as_json["models"][0]["columns"] == ["diagnosis"]


def test_over_rest(tmp_path: Path) -> None:
    table = with_names(people())
    text = "\n".join([",".join(table.column_names), *(",".join(row.values()) for row in table.to_pylist())]) + "\n"
    space = Workspace.open(tmp_path / "space")
    with Pool(space, 1):
        drafted = done(space, "init", file=upload(space, text).id).result
        costs = done(space, "costs", job=drafted["job"]).result
    space.close()
    assert drafted["models"] == incrowd.init(table).further.to_dict()
    assert costs["together"] == drafted["models"]["measured"]["together"]
    assert costs["text"].startswith("Information loss about ")


class Interrupting(Watch):
    """A watch on which somebody presses Ctrl-C at some tick."""

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self.left = ticks

    def tick(self, words: str, share: float | None = None) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stopped("interrupted")
        super().tick(words, share)


@pytest.mark.parametrize("ticks", [0, 1, 3, 6, 10])
def test_interrupted_measuring_gives_no_job(ticks: int) -> None:
    table = with_names(people())
    inspection = incrowd.inspect(table)
    with Interrupting(ticks) as watch, pytest.raises(Interrupted):
        first_job(incrowd.read(table), inspection, watch)


def test_several_tables_are_refused_in_one_line() -> None:
    with pytest.raises(IncrowdError):
        incrowd.costs(None, {"tables": {}})
