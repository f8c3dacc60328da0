"""Answer one of the twelve questions; without one, explain the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.path_sandbox import confined_tables, hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Diagnose
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis

REQUEST = Diagnose


def prepare(request: Diagnose, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    if request.job is not None:
        return _of_tables(request, request.job, files)
    if request.file is None:
        raise UsageError.invalid("the request for diagnose", "no table is given", "name a file, or give a job")
    plain = located(request, files)
    return {**plain, "hierarchy": hierarchy_within(request.hierarchy, files)}


def _of_tables(request: Diagnose, job: dict[str, Any], files: References) -> dict[str, Any]:
    """Return a request about several tables; it has few options."""
    taken = {"k": 2, "max_size": 2, "time": None}
    further = sorted(request.model_fields_set - {"job", *taken})
    if further:
        raise UsageError.invalid(
            f"diagnose of several tables with {', '.join(further)}", f"it takes {', '.join(taken)}", "omit the others"
        )
    given = {key: getattr(request, key) for key in taken if getattr(request, key) is not None}
    return {"job": confined_tables(job, files, publishes=False), **taken, **given}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the answer and its sentence."""
    from incrowd.api import diagnose

    if "job" in plain:
        from incrowd.jobs.linked import LinkedJob

        found = diagnose(LinkedJob.from_dict(plain.pop("job"))).ask(progress=show, **plain)
        return {**found.to_dict(), "text": str(found)}
    wants_rows = plain.pop("rows", False)
    diagnosis = diagnose(opened(plain), plain.pop("among", None), plain.pop("nulls"), person=plain.pop("person", ()))
    answer = diagnosis.ask(progress=show, **plain)
    # Nobody looks at this watch: whoever asks to stop from here on gets the answer that there is.
    with Watch():
        told = _told(diagnosis, answer)
        return {**told, "suppressed_rows": answer.suppressed_rows} if wants_rows and not answer.is_no else told


def _told(diagnosis: Diagnosis, answer: Answer) -> dict[str, Any]:
    from dataclasses import replace

    from incrowd.diagnosis.overview import overview

    found = {**answer.to_dict(), "sentence": answer.sentence, "text": str(answer)}
    if not answer.is_first_look:
        return found
    whole = overview(diagnosis, answer)
    return {
        **found,
        "text": str(replace(whole, arguments=())),
        "overview": {
            "k": whole.k,
            "unique": whole.unique,
            "threats": [{"columns": names, "unique": unique} for names, unique in whole.threats],
            "safe": [{"columns": names, "k": k} for names, k in whole.safe],
        },
    }
