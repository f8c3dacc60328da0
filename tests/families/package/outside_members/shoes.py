"""Shoe sizes: a whole team may know them."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Opinion, Table


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on columns with shoe sizes."""
    named = [column.name for column in table.columns if column.name.startswith("shoe")]
    return dict.fromkeys(named, Opinion(Role.QUASI, "a whole team may know it", 0.99))
