"""A profile of another package is in every door that has profiles."""

from pathlib import Path

import pyarrow as pa

import incrowd
from incrowd.profiles import PROFILES
from incrowd.web.parts.profile_choice import label


def test_a_profile_of_another_package(outside: Path) -> None:
    assert PROFILES.ranked() == ["internal", "research", "public", "club"]
    assert label("club") == "Club"
    table = pa.table({"age": [str(20 + at % 40) for at in range(100)], "town": ["NSEW"[at % 4] for at in range(100)]})
    drafted = incrowd.init(table, profile="club")
    assert drafted.to_dict()["models"][0] == {"k_anonymity": {"k": 8}}
    assert "k: They know each other. (the board)" in drafted.to_yaml()
