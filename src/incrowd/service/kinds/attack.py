"""Attack a release as somebody who has it could."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import columns_within, given
from incrowd.service.kinds._sets import is_of_run, made_here, refuse_further, released, uploaded
from incrowd.service.references import References
from incrowd.service.requests import Attack
from incrowd.watch import Show

REQUEST = Attack

_OF_TABLES = ("attacks", "knows", "time")
_FILES = {"release": "release", "outside": "outside table", "other": "other release"}


def prepare(request: Attack, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    if request.tables is not None or is_of_run(request.release, files):
        return _of_tables(request, files)
    if request.release is None:
        raise UsageError.invalid("the request for attack", "it needs a release or tables", "give one of the two")
    if request.manifest is not None:
        raise UsageError.invalid("the manifest", "only several tables need it here", "leave it out")
    plain = request.model_dump(exclude_none=True)
    located = {key: files.source(plain[key], what) for key, what in _FILES.items() if key in plain}
    tables = [files.source(each, "table of shares") for each in request.shares if _is_file(each)]
    direct = [each for each in request.shares if not _is_file(each)]
    return {**plain, **located, **columns_within(request.columns, files), "shares": direct, "tables_of_shares": tables}


def _of_tables(request: Attack, files: References) -> dict[str, Any]:
    """Return a request about a release of several tables, which no private record and no original is used for."""
    refuse_further("attack", request.model_fields_set - {"release", "tables", "manifest"}, *_OF_TABLES)
    if request.tables is not None:
        if request.release is not None:
            raise UsageError.invalid("the request for attack", "it has a release and tables", "give one of the two")
        release = uploaded(request.tables, request.manifest, None, files)
    else:
        release = made_here(files.held(request.release, "release"), files)
    return {"set": release, **request.model_dump(include={*_OF_TABLES}, exclude_none=True)}


def _is_file(shares: Any) -> bool:
    from incrowd.attacks import is_text_of_shares

    return isinstance(shares, str) and not is_text_of_shares(shares)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the findings of each attack."""
    from incrowd.api import attack

    if "set" in plain:
        of_tables: Any = attack(released(plain.pop("set")), progress=show, **plain)
        return {**of_tables.to_dict(), "text": str(of_tables)}
    opened = {key: given(plain[key]) for key in _FILES if key in plain}
    shares = [*plain["shares"], *map(given, plain.pop("tables_of_shares"))]
    found = attack(progress=show, **{**plain, **opened, "shares": shares})
    return {**found.to_dict(), "text": str(found)}
