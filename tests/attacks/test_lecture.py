"""The attacks of Samarati's lecture (FOSAD 2008), table by table."""

from typing import Any

import polars
import pytest

import incrowd

PRIVATE = """\
asian,64/04/12,F,94142,divorced,hypertension
asian,64/09/13,F,94141,divorced,obesity
asian,64/04/15,F,94139,married,chest pain
asian,63/03/13,M,94139,married,obesity
asian,63/03/18,M,94139,married,short breath
black,64/09/27,F,94138,single,short breath
black,64/09/27,F,94139,single,obesity
white,64/09/27,F,94139,single,chest pain
white,64/09/27,F,94141,widow,short breath
"""
NAMES = ["race", "dob", "sex", "zip", "status", "disease"]
QUASI = ["race", "dob", "sex", "zip"]
COLUMNS = dict.fromkeys(QUASI, "quasi") | {"disease": "sensitive"}

# FX-SAM-5: slide 59, whose diseases differ from those of the private table.
PUBLISHED = [
    *[("asian", "64", "F", "941**", disease) for disease in ("hypertension", "obesity", "chest pain")],
    *[("asian", "63", "M", "941**", "obesity")] * 2,
    *[("black", "64", "F", "941**", "short breath")] * 2,
    *[("white", "64", "F", "941**", disease) for disease in ("chest pain", "short breath")],
]


def table(rows: list[tuple[str, ...]], names: list[str]) -> polars.DataFrame:
    return polars.DataFrame(rows, schema=names, orient="row")


def attacked(release: polars.DataFrame, attack: str, columns: Any = None, **given: Any) -> Any:
    [exposure] = incrowd.attack(release, columns or COLUMNS, [attack], **given).exposures
    return exposure


def published() -> polars.DataFrame:
    return table(PUBLISHED, [*QUASI, "disease"])


DAYS = {row.split(",")[1] for row in PRIVATE.splitlines()}
WITH_YEARS: dict[str, Any] = {
    **COLUMNS,
    "dob": {"role": "quasi", "hierarchy": {"levels": {"path": "dob.csv"}}},
}


@pytest.fixture
def columns(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The columns, with the years and months of dates of birth."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dob.csv").write_text("".join(f"{day},{day[:5]},{day[:2]},*\n" for day in sorted(DAYS)), "utf-8")
    return WITH_YEARS


def test_sue_is_found_in_the_table_without_names() -> None:
    """ "The anonymity problem: Example": a register's ZIP, date of birth, sex and status are those of one record."""
    rows = [tuple(row.split(",")) for row in PRIVATE.splitlines()]
    register = table(
        [("Sue J. Doe", "900 Market St.", "San Francisco", "94142", "64/04/12", "F", "divorced")],
        ["Name", "Address", "City", "ZIP", "DOB", "Sex", "Status"],
    )
    columns = dict.fromkeys(NAMES[:5], "quasi") | {"disease": "sensitive"}
    renamed = {"ZIP": "zip", "DOB": "dob", "Sex": "sex", "Status": "status"}
    for attack in ("linkage", "linkage:exact=true"):
        found = attacked(table(rows, NAMES), attack, columns, outside=register, name="Name", renamed=renamed)
        assert found.people == ("Sue J. Doe",)
        assert found.details["of these, nobody else of the outside table fits it"] == 1
        assert found.details["people whose disease is known"] == 1


def test_sue_is_one_of_three_in_the_table_of_slide_59(columns: dict[str, Any]) -> None:
    sue = polars.DataFrame({"dob": ["64/04/12"], "sex": ["F"], "zip": ["94142"], "race": ["asian"]})
    assert attacked(published(), "linkage", columns, outside=sue).records == 0
    assert attacked(published(), "linkage:k=4", columns, outside=sue).records == 1
    assert attacked(published(), "linkage:exact=true", columns, outside=sue).details["people whom no record fits"] == 1


def test_carol_is_a_black_woman_and_so_short_of_breath(columns: dict[str, Any]) -> None:
    found = attacked(published(), "homogeneity")
    # Black women, and Asian men.
    assert (found.records, found.classes, found.stopped_by) == (4, 2, "distinct_l:l=2,column=disease")
    carol = polars.DataFrame({"name": ["Carol"], "race": ["black"], "sex": ["F"]})
    linked = attacked(published(), "linkage", columns, outside=carol, name="name")
    assert linked.people == ("Carol",)
    assert linked.details["people whom one record fits"] == 0


def test_hellen_runs_two_hours_a_day() -> None:
    found = attacked(published(), "background_knowledge")
    assert (found.records, found.classes, found.stopped_by) == (6, 3, "distinct_l:l=3,column=disease")
    hellen = "race=white,sex=F: disease!=short breath"
    assert attacked(published(), "statements", knows=[hellen]).records == 1
    assert attacked(published(), "statements", knows=["race=white,sex=F: disease!=obesity"]).records == 0


def test_diabetes_is_frequent_in_one_block() -> None:
    """FX-SAM-6: three of four have what a fifth of the population has; two values do not help."""
    block = [("black", "64", "F", "941**", disease) for disease in ("diabetes", "short breath", "diabetes", "diabetes")]
    others = [("white", str(at), "F", "941**", illness) for at in range(5) for illness in ("flu", "gout", "cold")]
    release = table([*block, *others, ("white", "0", "F", "941**", "diabetes")], [*QUASI, "disease"])
    assert (release["disease"] == "diabetes").sum() * 5 == len(release)
    found = attacked(release, "skewness")
    assert (found.records, found.worst.size) == (4, 4)
    assert found.worst.told == "a value in 3 of 4 records, 3.8 times as often as in all"
    assert found.stopped_by == "t_closeness:t=0.25,column=disease"
    assert attacked(release, "homogeneity").records == 0


def test_ulcer_and_gastritis_are_much_the_same(tmp_path: Any) -> None:
    tree = tmp_path / "disease.csv"
    tree.write_text("stomach ulcer,stomach,*\ngastritis,stomach,*\nflu,lungs,*\n", "utf-8")
    block = [("black", "64", "F", "941**", disease) for disease in ("stomach ulcer", "stomach ulcer", "gastritis")]
    others = [("white", "64", "F", "941**", disease) for disease in ("flu", "flu", "gastritis")]
    columns: dict[str, Any] = {**COLUMNS, "disease": {"role": "sensitive", "hierarchy": str(tree)}}
    found = attacked(table([*block, *others], [*QUASI, "disease"]), "similarity", columns)
    assert (found.records, found.classes) == (3, 1)
