"""Topics of columns that identify a person; most are on HIPAA's list (45 CFR 164.514(b)(2))."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

FULL_NAME = Topic(
    Role.IDENTIFIER,
    "a person's name",
    "surname, last name, family name, first name, given name, middle name, maiden name, birth name, full name, "
    "forename, lname, fname, patient name, person name, customer name, employee name, nickname, user name, login, "
    "last initial, initials, screen name, handle, nachname, familienname, vorname, geburtsname, benutzername, prenom, "
    "nom de famille, nom de naissance, apellido, apellidos, nombre completo, voornaam, achternaam, voorletters, "
    "cognome, soprannome, sobrenome, apelido, nome completo, efternamn, fornamn, efternavn, fornavn, imie, nazwisko",
)
WAY_TO_REACH = Topic(
    Role.IDENTIFIER,
    "a way to reach a person",
    "email, e mail, mail address, phone, telephone, tel, mobile, cell phone, fax, telefon, telefonnummer, handy, "
    "handynummer, mobilfunk, courriel, portable, correo, correo electronico, telefono, movil, cellulare, telefoon, "
    "telefoonnummer, mobiel, skype, twitter, whatsapp, telefone, celular, telemovel",
)
OFFICIAL_NUMBER = Topic(
    Role.IDENTIFIER,
    "an official number of a person",
    "ssn, social security, social security number, national id, national identifier, national insurance, nino, "
    "nhs number, id card, identity card, identity number, tax id, tax number, taxpayer, passport, passport number, "
    "driver license, driver licence, driving licence, license number, licence number, certificate number, "
    "sozialversicherungsnummer, svnr, steuernummer, steuer id, rentenversicherungsnummer, ahv, ausweis, "
    "ausweisnummer, personalausweis, reisepass, fuehrerschein, securite sociale, insee, nir, passeport, "
    "carte d identite, permis de conduire, dni, nif, nie, curp, seguridad social, pasaporte, bsn, "
    "burgerservicenummer, rijbewijs, paspoort, codice fiscale, passaporto, carta d identita, patente, cpf, cnpj, "
    "cartao de cidadao, carta de conducao, personnummer, cpr nummer, pesel",
)
FILE_NUMBER = Topic(
    Role.IDENTIFIER,
    "a file number of a person",
    "mrn, medical record, medical record number, patient id, patient number, case id, case number, health plan, "
    "beneficiary, insurance number, policy number, member id, member number, customer id, customer number, client id, "
    "employee id, staff id, student id, subject id, person id, user id, account number, iban, bic, bank account, "
    "credit card, card number, usubjid, subjid, person source value, respondent id, participant id, patientennummer, "
    "patienten id, fallnummer, aktenzeichen, kvnr, versichertennummer, krankenversichertennummer, kundennummer, "
    "personalnummer, matrikelnummer, kontonummer, numero de dossier, numero de patient, numero de client, "
    "numero de compte, historia clinica, numero de paciente, numero de cuenta, patientnummer, klantnummer, "
    "rekeningnummer, personeelsnummer, numero paziente, cartella clinica, numero di conto, numero do paciente, "
    "prontuario, numero de conta, ticket, ticket number, bib, bib number, badge number, chart number, docket, "
    "record id, recid",
)
DEVICE = Topic(
    Role.IDENTIFIER,
    "a person's vehicle, device, network address, picture or body",
    "plate, license plate, licence plate, number plate, vin, device id, serial number, imei, mac address, url, "
    "website, homepage, ip, ip address, photo, photograph, picture, selfie, fingerprint, biometric, voiceprint, "
    "kennzeichen, kfz kennzeichen, geraetenummer, lichtbild, immatriculation, matricula, kenteken, targa, foto, "
    "fotografia",
)
NAME = Topic(Role.IDENTIFIER, "the name of a person", "name, nom, nombre, naam, nome, namn, navn")
ADDRESS = Topic(
    Role.IDENTIFIER,
    "a home address",
    "address, home address, street address, postal address, mailing address, billing address, street, house number, "
    "adresse, anschrift, strasse, hausnummer, rue, direccion, calle, domicilio, adres, straat, huisnummer, indirizzo, "
    "endereco, rua, morada",
)
KEY = Topic(
    Role.IDENTIFIER,
    "a key of a person, an account or a device",
    "id, identifier, uid, uuid, guid, pid, patient, person, customer, account, license, licence, device, serial, "
    "subject, respondent, participant, individual, idno, idnum, seqn, seqno, case, caseid, idcase, record, obs, "
    "observation, rownames, rownumber, unnamed, persnum, pidp, pnr, persnr, hhid, hidp, serialno, intnum, "
    "interview number, famid, hhnum, housenum, pernum, nquest, personid, hid, kennung, konto, geraet, identifiant, "
    "compte, appareil, identificador, paciente, cuenta, dispositivo, rekening, apparaat, paziente, conto, conta, "
    "utente",
    "ids, idn",
)
COMMENT = Topic(
    Role.IDENTIFIER,
    "a remark in free text",
    "comment, comments, remark, remarks, notes, free text, other info, verbatim, open ended, specify, description, "
    "narrative, bemerkung, bemerkungen, kommentar, anmerkung, notizen, freitext, commentaire, remarque, observations, "
    "comentario, comentarios, observaciones, nota, opmerking, opmerkingen, toelichting, commento, osservazioni, "
    "observacoes, descricao, beschreibung",
)
"""A remark is an identifier if its values are texts."""
