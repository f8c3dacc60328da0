"""A schema gives each column one known role, and cannot be built otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.schema import Nulls, Role, Schema
from incrowd.errors import UsageError

roles = st.dictionaries(st.text(min_size=1, max_size=3), st.sampled_from(Role), min_size=1, max_size=6)


@given(given_roles=roles)
def test_every_column_has_the_role_it_was_given(given_roles: dict[str, Role]) -> None:
    schema = Schema({name: str(role) for name, role in given_roles.items()})  # type: ignore[misc]
    assert dict(schema.roles) == given_roles
    for role in Role:
        assert schema.having(role) == tuple(name for name, has in given_roles.items() if has is role)
    assert schema.quasi == schema.having(Role.QUASI)
    assert schema.person == schema.having(Role.PERSON)
    assert schema == Schema(given_roles)


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        Schema({"sex": "quasy"})  # type: ignore[dict-item]
    assert str(caught.value) == (
        "the role of column 'sex' is 'quasy'; it may be identifier, person, quasi, sensitive, keep, drop"
    )


def test_a_schema_without_columns_is_refused() -> None:
    with pytest.raises(UsageError, match="the schema names no column"):
        Schema({})


def test_a_schema_does_not_change() -> None:
    given_roles = {"sex": Role.QUASI}
    schema = Schema(given_roles)
    given_roles["age"] = Role.QUASI
    assert schema.quasi == ("sex",)
    with pytest.raises(TypeError):
        schema.roles["age"] = Role.KEEP  # type: ignore[index]


def test_the_words_users_write() -> None:
    assert list(Role) == ["identifier", "person", "quasi", "sensitive", "keep", "drop"]
    assert list(Nulls) == ["extended", "basic", "maybe", "right_maybe"]
