"""Names of columns that tell who a record is about, in the languages of `names`."""

from collections.abc import Sequence
from enum import IntEnum

from incrowd.diagnosis import names
from incrowd.diagnosis.names import rule_for, words_of

_PEOPLE = frozenset(
    words_of(
        "patient patients patienten person personen persons subject participant respondent customer client "
        "member employee staff student pupil user beneficiary applicant child individual donor resident "
        "passenger inmate proband teilnehmer kunde kunden mitarbeiter personal versicherten versicherter "
        "schueler studenten personne employe etudiant eleve assure paciente persona cliente participante "
        "empleado estudiante alumno asegurado persoon klant deelnemer medewerker personeel leerling paziente "
        "partecipante dipendente studente assistito account konto compte cuenta rekening conto"
    )
)
_NUMBERING = frozenset(
    words_of(
        "id ids identifier uid uuid guid pid no nr num number key code nummer kennung numero identifiant "
        "identificador idno idnum"
    )
)
_CASES = frozenset(words_of("case fall fallnummer aktenzeichen plan policy"))
"""What people have several of, or share."""
_BIRTHS = frozenset(
    words_of(
        "birth birthdate birthday birthyear born dob yob date dt day month year of on geburt geburtsdatum "
        "geburtstag geburtsjahr geboren gebdatum gebdat datum tag jahr naissance de annee fecha nacimiento "
        "ano geboorte geboortedatum geboortejaar jaar nascita data di anno"
    )
)
"""Words of a column with a date or year of birth; others may make it an age, an order of births or a place."""


class Tells(IntEnum):
    """How a column tells a person, by its name; the lowest first."""

    NUMBER = 1
    KEY = 2
    NAME = 3


def told_by(name: str) -> Tells | None:
    """Return how a column of this name tells the person of a record; None if it does not."""
    rule, words = rule_for(name), words_of(name)
    what = None if rule is None else rule.what
    stem = _without_number(words)
    if what == names.OFFICIAL_NUMBER or (what == names.FILE_NUMBER and not _CASES & {*words, *stem}):
        return Tells.NUMBER
    if what == names.WAY_TO_REACH or (words and not stem) or _PEOPLE & {*stem[-1:]}:
        return Tells.KEY
    if what == names.FULL_NAME or (what == names.NAME and len(words) == 1):
        return Tells.NAME
    return None


def _without_number(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a name without those for a number at its end: patient of patient_no, child of childid."""
    while words and words[-1] in _NUMBERING:
        words = words[:-1]
    last = words[-1] if words else ""
    stems = [last.removesuffix(number) for number in _NUMBERING if last.endswith(number)]
    return (*words[:-1], *([stem for stem in stems if stem in _PEOPLE | _CASES] or words[-1:]))


def is_birth(name: str) -> bool:
    """Return whether a column of this name has a date or year of birth."""
    rule = rule_for(name)
    return rule is not None and rule.what == names.BIRTH and (_BIRTHS | _PEOPLE).issuperset(words_of(name))


def is_constant(name: str) -> bool:
    """Return whether a person has one value in a column of this name: sex, or date of birth."""
    rule = rule_for(name)
    return is_birth(name) or (rule is not None and rule.what == names.SEX)
