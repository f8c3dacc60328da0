"""The roles that are suggested for whole tables."""

from pathlib import Path

import pytest

from incrowd.core.schema import Role
from incrowd.diagnosis.inspection import inspect
from incrowd.formats import ReadOptions, read
from incrowd.watch import Watch

ROOT = Path(__file__).parents[2]
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult-train.csv"


def suggested(path: Path, *missing: str) -> dict[str, Role]:
    """The roles suggested for a file."""
    with Watch() as watch:
        return dict(inspect(read(path, options=ReadOptions(missing=missing)), watch).schema.roles)


def test_hospital() -> None:
    roles = suggested(ROOT / "examples" / "hospital.csv")
    quasi = ["birth_date", "sex", "postcode", "marital_status", "nationality", "occupation", "admission_date"]
    sensitive = dict.fromkeys(("diagnosis", "income"), Role.SENSITIVE)
    assert roles == {"name": Role.PERSON, **dict.fromkeys(quasi, Role.QUASI), **sensitive}


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not beside the repository")
def test_adult() -> None:
    roles = suggested(ADULT, "?")
    of_role = {role: [name for name, of in roles.items() if of is role] for role in Role}
    assert of_role[Role.SENSITIVE] == ["capital-gain", "capital-loss", "salary-class"]
    # A survey weight makes nearly every record unique, and other files of the survey have it.
    assert of_role[Role.DROP] == ["fnlwgt"]
    assert of_role[Role.IDENTIFIER] == of_role[Role.KEEP] == of_role[Role.PERSON] == []
