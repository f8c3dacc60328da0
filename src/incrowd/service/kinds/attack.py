"""Attack a release as somebody who has it could."""

from typing import Any

from incrowd.service.kinds._reading import columns_within, given
from incrowd.service.references import References
from incrowd.service.requests import Attack
from incrowd.watch import Show

REQUEST = Attack

_FILES = {"release": "release", "outside": "outside table", "other": "other release"}


def prepare(request: Attack, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = request.model_dump(exclude_none=True)
    located = {key: files.source(plain[key], what) for key, what in _FILES.items() if key in plain}
    tables = [files.source(each, "table of shares") for each in request.shares if _is_file(each)]
    direct = [each for each in request.shares if not _is_file(each)]
    return {**plain, **located, **columns_within(request.columns, files), "shares": direct, "tables_of_shares": tables}


def _is_file(shares: Any) -> bool:
    from incrowd.attacks import is_text_of_shares

    return isinstance(shares, str) and not is_text_of_shares(shares)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the findings of each attack."""
    from incrowd.api import attack

    opened = {key: given(plain[key]) for key in _FILES if key in plain}
    shares = [*plain["shares"], *map(given, plain.pop("tables_of_shares"))]
    found = attack(progress=show, **{**plain, **opened, "shares": shares})
    return {**found.to_dict(), "text": str(found)}
