"""The role that a column's name suggests, in English, German, French, Spanish, Dutch and Italian.

The rules are data: the first one with a term that occurs in the name decides. Names are split into words at anything
that is not a letter and at capitals (birthDate); accents are ignored. A term matches whole words, joined or not.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from incrowd.core.schema import Role


@dataclass(frozen=True)
class NameRule:
    """Terms in a column's name that suggest a role."""

    role: Role
    what: str
    """The likely content of the column."""
    terms: str
    """Separated by commas; a term may be of several words."""


OFFICIAL_NUMBER = "an official number of a person"
FILE_NUMBER = "a file number of a person"
WAY_TO_REACH = "a way to reach a person"
FULL_NAME, NAME = "a person's name", "the name of a person"
KEY = "a key of a person, an account or a device"
BIRTH, SEX = "birth or age", "sex or gender"
"""The content of columns that tell who a record is about, or that hang on that."""


NAME_RULES: tuple[NameRule, ...] = (
    # A survey weight makes many records unique, but outsiders do not know it and estimates need it.
    NameRule(
        Role.KEEP,
        "a survey weight, which estimates need; drop it if other files contain it",
        "fnlwgt, wgt, pweight, survey weight, sample weight, sampling weight, final weight, design weight, weighting,"
        "gewichtung, gewichtungsfaktor, expansion factor, ponderation, ponderacion, weegfactor, ponderazione",
    ),
    # Unmistakable identifiers; most are on HIPAA's list (45 CFR 164.514(b)(2)).
    NameRule(
        Role.IDENTIFIER,
        FULL_NAME,
        "surname, last name, family name, first name, given name, middle name, maiden name, birth name, full name,"
        "forename, lname, fname, patient name, person name, customer name, employee name, nickname, user name, login,"
        "nachname, familienname, vorname, geburtsname, benutzername, prenom, nom de famille, nom de naissance,"
        "apellido, apellidos, nombre completo, voornaam, achternaam, voorletters, cognome, soprannome",
    ),
    NameRule(
        Role.IDENTIFIER,
        WAY_TO_REACH,
        "email, e mail, mail address, phone, telephone, tel, mobile, cell phone, fax, telefon, telefonnummer, handy,"
        "handynummer, mobilfunk, courriel, portable, correo, correo electronico, telefono, movil, cellulare,"
        "telefoon, telefoonnummer, mobiel, skype, twitter, whatsapp",
    ),
    NameRule(
        Role.IDENTIFIER,
        OFFICIAL_NUMBER,
        "ssn, social security, social security number, national id, national identifier, national insurance, nino,"
        "nhs number, id card, identity card, identity number, tax id, tax number, taxpayer, passport,"
        "passport number, driver license, driver licence, driving licence, license number, licence number,"
        "certificate number, sozialversicherungsnummer, svnr, steuernummer, steuer id, rentenversicherungsnummer,"
        "ahv, ausweis, ausweisnummer, personalausweis, reisepass, fuehrerschein, securite sociale, insee, nir,"
        "passeport, carte d identite, permis de conduire, dni, nif, nie, curp, seguridad social, pasaporte, bsn,"
        "burgerservicenummer, rijbewijs, paspoort, codice fiscale, passaporto, carta d identita, patente",
    ),
    NameRule(
        Role.IDENTIFIER,
        FILE_NUMBER,
        "mrn, medical record, medical record number, patient id, patient number, case id, case number, health plan,"
        "beneficiary, insurance number, policy number, member id, member number, customer id, customer number,"
        "client id, employee id, staff id, student id, subject id, person id, user id, account number, iban, bic,"
        "bank account, credit card, card number, patientennummer, patienten id, fallnummer, aktenzeichen, kvnr,"
        "versichertennummer, krankenversichertennummer, kundennummer, personalnummer, matrikelnummer, kontonummer,"
        "numero de dossier, numero de patient, numero de client, numero de compte, historia clinica,"
        "numero de paciente, numero de cuenta, patientnummer, klantnummer, rekeningnummer, personeelsnummer,"
        "numero paziente, cartella clinica, numero di conto",
    ),
    NameRule(
        Role.IDENTIFIER,
        "a person's vehicle, device, network address, picture or body",
        "plate, license plate, licence plate, number plate, vin, device id, serial number, imei, mac address, url,"
        "website, homepage, ip, ip address, photo, photograph, picture, selfie, fingerprint, biometric, voiceprint,"
        "kennzeichen, kfz kennzeichen, geraetenummer, lichtbild, immatriculation, matricula, kenteken, targa, foto,"
        "fotografia",
    ),
    NameRule(
        Role.SENSITIVE,
        "a diagnosis, a treatment or a state of health",
        "diagnosis, diagnose, diagnoses, dx, disease, illness, injury, injuries, icd, condition, symptom, medication,"
        "medicine, drug,"
        "procedure, treatment, therapy, surgery, hiv, aids, cancer, tumor, tumour, comorbidity, allergy, disability,"
        "pregnancy, pregnant, genetic, gene, genotype, genome, dna, mutation, blood, blood type, blood pressure,"
        "cholesterol, glucose, lab, result, test result, prognosis, severity, mental, psychiatric, addiction,"
        "alcohol, smoker, smoking, health, cause of death, death cause, diagnostic, krankheit, erkrankung, medikament,"
        "behandlung, therapie, befund, ergebnis, behinderung, schwanger, schwangerschaft, todesursache,"
        "hauptdiagnose, nebendiagnose, maladie, symptome, medicament, traitement, resultat, handicap, grossesse,"
        "diagnostico, enfermedad, sintoma, medicamento, tratamiento, procedimiento, resultado, discapacidad,"
        "embarazo, ziekte, symptoom, medicijn, behandeling, uitslag, zwanger, diagnosi, malattia, sintomo, farmaco,"
        "trattamento, procedura, risultato, gravidanza",
    ),
    NameRule(
        Role.SENSITIVE,
        "income, wealth or debt",
        "income, salary, wage, earnings, debt, loan, credit, mortgage, balance, wealth, assets, net worth, capital,"
        "capital gain, capital loss, bonus, welfare, benefits, tax, einkommen, gehalt, lohn, schulden, kredit,"
        "vermoegen, kontostand, revenu, salaire, dette, patrimoine, ingreso, renta, salario, sueldo, deuda,"
        "patrimonio, inkomen, loon, salaris, schuld, vermogen, reddito, stipendio, debito",
    ),
    NameRule(
        Role.SENSITIVE,
        "a belief, a membership or an orientation",
        "religion, religious, faith, politics, political, party, vote, union, trade union, orientation, sexual,"
        "sexuality, konfession, glaube, partei, politisch, gewerkschaft, orientierung, parti, politique, syndicat,"
        "religione, partido, politica, sindicato, orientacion, religie, godsdienst, geloof, partij, politiek,"
        "vakbond, partito, sindacato, orientamento",
    ),
    NameRule(
        Role.SENSITIVE,
        "an offense or a conviction",
        "crime, criminal, conviction, convicted, offence, offense, felony, arrest, prison, straftat, vorstrafe,"
        "verurteilung, infraction, condamnation, delit, delito, condena, misdrijf, veroordeling, reato, condanna",
    ),
    NameRule(
        Role.SENSITIVE,
        "a grade or an assessment of a person",
        "grade, gpa, score, rating, evaluation, exam, iq, credit score, schulnote, noten, zensur, bewertung,"
        "calificacion, cijfer, voto, valutazione",
    ),
    NameRule(
        Role.QUASI,
        BIRTH,
        "birth, birthdate, birthday, birthyear, born, dob, yob, date of birth, year of birth, age, age group, geburt,"
        "geburtsdatum, geburtstag, geburtsjahr, geboren, gebdatum, gebdat, alter, altersgruppe, naissance,"
        "nacimiento, edad, geboorte, geboortedatum, geboortejaar, leeftijd, nascita, eta",
    ),
    NameRule(
        Role.QUASI,
        SEX,
        "sex, gender, female, male, geschlecht, sexe, genre, sexo, genero, geslacht, sesso, genere",
    ),
    NameRule(
        Role.QUASI,
        "a place",
        "zip, zip code, postcode, post code, postal, postal code, city, town, village, municipality, county,"
        "district, borough, ward, parish, region, province, state, country, residence, domicile, location, latitude,"
        "longitude, lat, lon, lng, gps, geocode, neighborhood, neighbourhood, tract, census tract, area, plz,"
        "postleitzahl, stadt, ort, wohnort, gemeinde, landkreis, kreis, bezirk, bundesland, kanton, land, staat,"
        "wohnsitz, code postal, ville, commune, departement, canton, pays, codigo postal, ciudad, municipio,"
        "provincia, distrito, pais, stad, woonplaats, gemeente, plaats, provincie, regio, citta, comune, regione,"
        "paese, residenza",
    ),
    NameRule(
        Role.QUASI,
        "origin or language",
        "nationality, citizenship, citizen, race, ethnicity, ethnic, origin, ancestry, migration, language,"
        "native country, nationalitaet, staatsangehoerigkeit, staatsbuergerschaft, herkunft, ethnie, sprache,"
        "muttersprache, nationalite, origine, langue, nacionalidad, raza, etnia, origen, idioma, lengua,"
        "nationaliteit, etniciteit, afkomst, taal, nazionalita, cittadinanza, razza, lingua",
    ),
    NameRule(
        Role.QUASI,
        "family or household",
        "marital, marital status, married, civil status, household, family, children, dependents, relationship,"
        "spouse, siblings, familienstand, zivilstand, haushalt, haushaltsgroesse, kinder, etat civil, menage,"
        "enfants, situation familiale, estado civil, hogar, hijos, burgerlijke staat, huishouden, kinderen,"
        "stato civile, famiglia, figli",
    ),
    NameRule(
        Role.QUASI,
        "education or work",
        "education, educational, schooling, degree, diploma, school, university, occupation, job, job title,"
        "profession, workclass, work class, employment, employer, industry, company, department, hours per week,"
        "working hours, veteran, military, bildung, bildungsabschluss, schulabschluss, ausbildung, beruf, taetigkeit,"
        "arbeitgeber, branche, etudes, metier, emploi, employeur, educacion, estudios, ocupacion, profesion, trabajo,"
        "opleiding, onderwijs, beroep, werkgever, istruzione, titolo di studio, professione, lavoro, occupazione",
    ),
    NameRule(
        Role.QUASI,
        "an event that others may know of",
        "admission, admitted, discharge, discharged, death, died, deceased, visit, encounter, hospitalization, hired,"
        "hire date, enrollment, enrolled, start date, end date, service date, event date, aufnahme, aufnahmedatum,"
        "entlassung, entlassungsdatum, einweisung, besuch, tod, todesdatum, sterbedatum, sortie, deces,"
        "hospitalisation, visite, admision, alta, muerte, defuncion, fallecimiento, visita, opname, opnamedatum,"
        "ontslag, ontslagdatum, overlijden, bezoek, ricovero, dimissione, decesso, morte",
    ),
    NameRule(
        Role.QUASI,
        "a person's build or appearance",
        "height, weight, bmi, eye color, eye color, hair color, hair color, groesse, koerpergroesse, gewicht,"
        "koerpergewicht, taille, poids, estatura, altura, peso, lengte, altezza",
    ),
    # Words that mean an identifier only where nothing above says what is named, numbered or addressed.
    NameRule(Role.IDENTIFIER, NAME, "name, nom, nombre, naam, nome"),
    NameRule(
        Role.IDENTIFIER,
        "a home address",
        "address, street, house number, adresse, anschrift, strasse, hausnummer, rue, direccion, calle, domicilio,"
        "adres, straat, huisnummer, indirizzo",
    ),
    NameRule(
        Role.IDENTIFIER,
        KEY,
        "id, identifier, uid, uuid, guid, pid, patient, person, customer, account, license, licence, device, serial,"
        "kennung, konto, geraet, identifiant, compte, appareil, identificador, paciente, cuenta, dispositivo,"
        "rekening, apparaat, paziente, conto",
    ),
)

_LONGEST_TERM = 4
"""Words that a term has at most."""

_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe", "æ": "ae", "œ": "oe"}
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name, in lower case, without accents and digits."""
    plain = unicodedata.normalize("NFC", name.lower() if name.isupper() else name).translate(_UMLAUTS)
    plain = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return tuple(word.casefold() for word in _WORDS.findall(plain))


def _rule_of_term() -> dict[str, NameRule]:
    found: dict[str, NameRule] = {}
    for rule in NAME_RULES:
        for term in rule.terms.split(","):
            found.setdefault(term.replace(" ", ""), rule)
    return found


_RULE_OF_TERM = _rule_of_term()


def rule_for(name: str) -> NameRule | None:
    """Return the first rule with a term that occurs in the name."""
    found = [rule for phrase in _phrases(words_of(name)) if (rule := _RULE_OF_TERM.get(phrase)) is not None]
    return min(found, key=NAME_RULES.index, default=None)


def _phrases(words: tuple[str, ...]) -> Iterator[str]:
    """Yield every run of words, and all of them, joined; each also without a plural s."""
    runs = {words[at : at + length] for length in range(1, _LONGEST_TERM + 1) for at in range(len(words))}
    for run in {*runs, words}:
        phrase = "".join(run)
        yield phrase
        if len(phrase) > 3:
            yield phrase.removesuffix("s")
