"""What an attacker finds."""

from typing import Any

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Risk
from incrowd.watch import Show

REQUEST = Risk


def prepare(request: Risk, files: References) -> dict[str, Any]:
    """The request for a worker."""
    plain = located(request, files)
    if isinstance(request.population, str):
        plain["people"] = {**files.source(request.population, "population"), "missing": request.missing}
        del plain["population"]
    return plain


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The report."""
    from incrowd.api import risk

    population = plain.pop("population", None)
    if "people" in plain:
        population = opened({"data": plain.pop("people")})
    found = risk(opened(plain), population=population, progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}
