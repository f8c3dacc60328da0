"""Answer one of the twelve questions; without one, explain the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.service.kinds._reading import located, opened
from incrowd.service.path_sandbox import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Diagnose
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.diagnosis.answer import Answer
    from incrowd.diagnosis.diagnosis import Diagnosis

REQUEST = Diagnose


def prepare(request: Diagnose, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = located(request, files)
    return {**plain, "hierarchy": hierarchy_within(request.hierarchy, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the answer and its sentence."""
    from incrowd.api import diagnose

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
