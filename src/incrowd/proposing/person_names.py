"""Names of columns that tell who a record is about, in the languages of the vocabulary."""

from collections.abc import Sequence
from enum import IntEnum

from incrowd.proposing.naming import meaning_of, topic_of, words_of
from incrowd.proposing.vocabulary.identifiers import FILE_NUMBER, FULL_NAME, NAME, OFFICIAL_NUMBER, WAY_TO_REACH
from incrowd.proposing.vocabulary.known import BIRTH, FAMILY, ORIGIN, SCHOOLING, SEX

_PEOPLE = frozenset(
    words_of(
        "patient patients patienten person personen persons subject participant respondent customer client member "
        "employee staff student pupil user beneficiary applicant emp child individual donor resident passenger inmate "
        "proband teilnehmer kunde kunden mitarbeiter personal versicherten versicherter schueler studenten personne "
        "employe etudiant eleve assure paciente persona cliente participante empleado estudiante alumno asegurado "
        "persoon klant deelnemer medewerker personeel leerling paziente partecipante dipendente studente assistito "
        "account konto compte cuenta rekening conto"
    )
)
_NUMBERING = frozenset(
    words_of(
        "id ids identifier uid uuid guid pid no nr num number key code nummer kennung numero identifiant "
        "identificador idno idnum reference ref"
    )
)
_CASES = frozenset(words_of("case fall fallnummer aktenzeichen plan policy"))
"""Things that people have several of, or share."""
_ON_A_SHIRT = frozenset(words_of("number nummer numero num code"))
"""Words that, alone, may as well be those of a code or of a number that a person wears."""
_BIRTHS = frozenset(
    words_of(
        "birth birthdate birthday birthyear born dob yob date dt day month year of on geburt geburtsdatum geburtstag "
        "geburtsjahr geboren gebdatum gebdat datum tag jahr naissance de annee fecha nacimiento ano geboorte "
        "geboortedatum geboortejaar jaar nascita data di anno"
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
    topic, words = topic_of(name), words_of(name)
    stem = _without_number(words)
    if topic is OFFICIAL_NUMBER or (topic is FILE_NUMBER and not _CASES & {*words, *stem}):
        return Tells.NUMBER
    if topic is WAY_TO_REACH or (words and not stem and not _ON_A_SHIRT.issuperset(words)) or _PEOPLE & {*stem[-1:]}:
        return Tells.KEY
    if topic is FULL_NAME or (topic is NAME and len(words) == 1):
        return Tells.NAME
    return None


def _without_number(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a name without those for a number at its end: patient of patient_no, child of childid."""
    while words and words[-1] in _NUMBERING:
        words = words[:-1]
    last = words[-1] if words else ""
    stems = [last.removesuffix(number) for number in _NUMBERING if last.endswith(number)]
    return (*words[:-1], *([stem for stem in stems if stem in _PEOPLE | _CASES] or words[-1:]))


_NEAR = _PEOPLE | frozenset(
    words_of(
        "kid baby infant mother father mom dad parent wife husband spouse partner sibling twin pair couple family fam "
        "household hh hhold teacher tch prof professor doctor physician surgeon judge rater interviewer case woman "
        "man learner pers prs voter candidate author player mutter vater kind familie haushalt lehrer arzt paar mere "
        "pere enfant famille menage medecin madre padre hijo familia hogar maestro medico moeder vader gezin "
        "huishouden leraar arts famiglia figlio insegnante mae pai filho agregado respond resp subj pat patnt indiv "
        "idcase defendant victim witness relative offspring son daughter brother sister geschwister bruder schwester "
        "vater hermano hermana frere soeur fratello sorella broer zus irmao mor far soesken syskon barn forelder "
        "caregiver guardian proxy informant nurse midwife sponsor referrer supervisor manager adjuster"
    )
)
"""People, and those whose number tells who they are: relatives, couples, families, teachers, matched cases."""
_ENDINGS = ("id", "nr", "no", "num", "number", "nummer", "numero")


def numbered(name: str) -> str | None:
    """Return what the name of a key numbers: school of schoolid or school_nr, nothing of id; None if it is no key."""
    words = words_of(name)
    if not words:
        return None
    if words[-1] in _NUMBERING - {"code", "number", "num"}:
        return " ".join(words[:-1])
    if words[0] == "id":
        return " ".join(words[1:])
    stem = next((words[-1].removesuffix(end) for end in _ENDINGS if words[-1].endswith(end)), None)
    if stem is None and len(words) == 1 and words[0].startswith("id"):
        stem = words[0].removeprefix("id")
    known = stem is not None and len(stem) > 2 and (stem in _NEAR or topic_of(stem) is not None)
    return " ".join([*words[:-1], stem]) if known and stem is not None else None


def is_bare_key(name: str) -> bool:
    """Return whether a name says only that the column is a key: id, idno, uid."""
    return words_of(name) in (("id",), ("idno",), ("idnum",), ("uid",), ("uuid",), ("guid",), ("identifier",))


def fewest_of(name: str) -> int:
    """Return how many values a column named for a person must have to number people; fewer count or class them."""
    return 8 if words_of(name) and words_of(name)[-1] in _PEOPLE else 30


def is_person(stem: str) -> bool:
    """Return whether a key of this numbers people, or those near them; the word for many of them counts them."""
    words = words_of(stem)
    return 1 <= len(words) <= 2 and words[-1] in _NEAR


def is_person_or_number(name: str, others: str = "") -> bool:
    """Return whether all words of a name are those of a person or a number, or others."""
    allowed = (
        _NEAR | _NUMBERING | frozenset(words_of(others)) | {"rownames", "index", "row", "record", "obs", "unnamed"}
    )
    return allowed.issuperset(word for word in words_of(name) if len(word) > 1)


def is_birth(name: str) -> bool:
    """Return whether a column of this name has a date or year of birth."""
    return topic_of(name) is BIRTH and (_BIRTHS | _PEOPLE).issuperset(words_of(name))


def is_constant(name: str) -> bool:
    """Return whether a person has one value in a column of this name: sex, or date of birth."""
    return is_birth(name) or topic_of(name) is SEX


def stays_with_person(name: str) -> bool:
    """Return whether a column of this name seldom changes for a person: sex, birth, origin, education, family."""
    meaning = meaning_of(name)
    return is_birth(name) or (meaning is not None and meaning.topic in (SEX, ORIGIN, SCHOOLING, FAMILY))
