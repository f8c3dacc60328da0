"""Topics of columns that identify a person; most are on HIPAA's list (45 CFR 164.514(b)(2))."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

FULL_NAME = Topic(
    Role.IDENTIFIER,
    "a person's name",
    "surname, last name, family name, first name, given name, middle name, maiden name, birth name, full name, "
    "forename, lname, fname, patient name, person name, customer name, employee name, nickname, user name, login, last "
    "initial, initials, screen name, handle, nachname, familienname, vorname, geburtsname, benutzername, prenom, nom "
    "de famille, nom de naissance, apellido, apellidos, nombre completo, voornaam, achternaam, voorletters, cognome, "
    "soprannome, sobrenome, apelido, nome completo, efternamn, fornamn, efternavn, fornavn, imie, nazwisko, given "
    "names, family names, last names, first names, surnames, contact name, next of kin, emergency contact, name of "
    "mother, name of father, mothers name, fathers name, mother maiden name, husband name, wife name, nombre, nombres, "
    "nombre y apellidos, primer apellido, segundo apellido, nombre paciente, prenoms, nom usage, nom prenom, nom "
    "marital, nome cognome, nome e cognome, nome paziente, nome utente, cognome e nome, nome da mae, nome mae, nome do "
    "paciente, roepnaam, tussenvoegsel, naam patient, vor und nachname, name vorname, kontaktperson, notfallkontakt, "
    "ansprechpartner, foernamn, navn, fulde navn, fullt navn, imie i nazwisko, pt initials, alias, voorl, insured "
    "name, policyholder name, policy holder, policyholder, holder name, claimant name, claimant, defendant, plaintiff, "
    "attorney name, angeklagter, beschuldigter, klaeger, beklagter, imputado, acusado, imputato, prevenu, arguido, "
    "reu, erziehungsberechtigter, erziehungsberechtigte, tutor name, guardian name, parent name, name of guardian, "
    "responsable legal, representante legal, encarregado de educacao, voogd, iniz, iniziali, initialen, initiales, "
    "iniciales, iniciais",
)
WAY_TO_REACH = Topic(
    Role.IDENTIFIER,
    "a way to reach a person",
    "email, e mail, mail address, phone, telephone, tel, mobile, cell phone, fax, telefon, telefonnummer, handy, "
    "handynummer, mobilfunk, courriel, portable, correo, correo electronico, telefono, movil, cellulare, telefoon, "
    "telefoonnummer, mobiel, skype, twitter, whatsapp, telefone, celular, telemovel, cell, mail, e post, epost, "
    "telefonnr, telnr, tel nr, tel mobil, mobilnummer, mobilnr, tlf, telefono movil, num telefono, gsm, contact "
    "number, contact no, instagram, facebook, linkedin, telegram, numero telefono, e mail adresse, emailadresse, "
    "adresse mail, adresse electronique, posta elettronica",
)
OFFICIAL_NUMBER = Topic(
    Role.IDENTIFIER,
    "an official number of a person",
    "ssn, social security, social security number, national id, national identifier, national insurance, nino, nhs "
    "number, id card, identity card, identity number, tax id, tax number, taxpayer, passport, passport number, driver "
    "license, driver licence, driving licence, license number, licence number, certificate number, "
    "sozialversicherungsnummer, svnr, steuernummer, steuer id, rentenversicherungsnummer, ahv, ausweis, ausweisnummer, "
    "personalausweis, reisepass, fuehrerschein, securite sociale, insee, nir, passeport, carte d identite, permis de "
    "conduire, dni, nif, nie, curp, seguridad social, pasaporte, bsn, burgerservicenummer, rijbewijs, paspoort, codice "
    "fiscale, passaporto, carta d identita, patente, cpf, cnpj, cartao de cidadao, carta de conducao, personnummer, "
    "cpr nummer, pesel, personnr, person nr, fodselsnummer, foedselsnummer, foedselsnr, cpr, cprnr, cpr nr, ahv nr, "
    "ahv nummer, avs, no avs, num secu, numero secu, nss, num ss, numero ss, n ss, numero seguridad social, naf, niss, "
    "rijksregisternummer, insz, tessera sanitaria, cip, cip sns, nuhsa, tarjeta sanitaria, nuss, ruc, rut, cedula, cc "
    "numero, titulo eleitor, pis, nipt, aadhaar, sin number, henkilotunnus, hetu, rodne cislo, regon, voter id, alien "
    "number, ssn last, last four ssn, identity document, documento identidad, documento, document number, id document, "
    "steueridentifikationsnummer, steuerid, sozialversicherungsnr, sv nummer, sv nr, rvnr, tin",
)
FILE_NUMBER = Topic(
    Role.IDENTIFIER,
    "a file number of a person",
    "mrn, medical record, medical record number, patient id, patient number, case id, case number, health plan, "
    "beneficiary, insurance number, policy number, member id, member number, customer id, customer number, client id, "
    "employee id, staff id, student id, subject id, person id, user id, account number, iban, bic, bank account, "
    "credit card, card number, usubjid, subjid, person source value, respondent id, participant id, patientennummer, "
    "patienten id, fallnummer, aktenzeichen, kvnr, versichertennummer, krankenversichertennummer, kundennummer, "
    "personalnummer, matrikelnummer, kontonummer, numero de dossier, numero de patient, numero de client, numero de "
    "compte, historia clinica, numero de paciente, numero de cuenta, patientnummer, klantnummer, rekeningnummer, "
    "personeelsnummer, numero paziente, cartella clinica, numero di conto, numero do paciente, prontuario, numero de "
    "conta, ticket, ticket number, bib, bib number, badge number, chart number, docket, record id, recid, biobank id, "
    "nhc, numero historia, num historia, historia, legajo, ipp, nip, num dossier, no dossier, n dossier, matricule, "
    "ref client, reference client, id client, codice paziente, codice assistito, codice cliente, codice dipendente, "
    "cartella, num beneficiario, numero utente, n utente, matricula funcional, loepenr, lopnr, loepenummer, journalnr, "
    "journalnummer, patid, pat id, ptid, patnr, pat nr, kundennr, mitgliedsnummer, mitgliedsnr, fall nr, policy no, "
    "policyno, polizze, polizza, numero poliza, poliza, inmate id, inmate number, dossiernummer, dossier nr, "
    "rekeningnr, klantnr, relatienummer, schuelernummer, schueler id, schueler nr, studentnumber, student number, "
    "student no, roll number, roll no, enrollee, enrolid, bene id, enrollment number, member no, medicare number, "
    "medicaid id, hic, acct, acct no, acctno, npi",
)
CASE_NUMBER = Topic(
    Role.IDENTIFIER,
    "a number of a visit, a sample or a claim of a person",
    "barcode, accession, accession number, accession no, specimen id, sample id, sampleid, specimen, specimen number, "
    "folio, expediente, num expediente, numero pratica, processo, numero processo, numero de processo, no processo, "
    "claim id, claim number, claim no, claimno, siniestro, numero siniestro, schadennummer, schaden nr, invoice "
    "number, invoice no, order id, order number, transaction id, receipt number, case no, caseno, docket no, docket "
    "number, booking number, warrant number, encounter id, encounter number, visit id, visit number, episode id, probe "
    "nr, probennummer, prelevement id, muestra id, id muestra, campione id, prov nr, proev nr, proevenr, prescription "
    "number, rx number, test id, request number, requisition, bon nr, faktura nr, rechnungsnummer, rechnung nr, "
    "bestellnummer, numero de facture, num facture, numero factura, num factura, numero fattura, numero de commande, "
    "num commande, cita id, aktennummer, geschaeftszahl, verfahrensnummer, zaaknummer, saksnummer, maalnummer, "
    "belegnummer",
)
"""People have several of these: they do not tell which records are about the same person."""
DEVICE = Topic(
    Role.IDENTIFIER,
    "a person's vehicle, device, network address, picture or body",
    "plate, license plate, licence plate, number plate, vin, device id, serial number, imei, mac address, url, "
    "website, homepage, ip, ip address, photo, photograph, picture, selfie, fingerprint, biometric, voiceprint, "
    "kennzeichen, kfz kennzeichen, geraetenummer, lichtbild, immatriculation, matricula, kenteken, targa, foto, "
    "fotografia, cookie, session id, device serial, advertising id, gaid, idfa, imsi, mac, user agent, ip addr, "
    "license plates, plate number, plate no, immatricul, kfz, registration plate, fahrgestellnummer",
)
NAME = Topic(Role.IDENTIFIER, "the name of a person", "name, nom, nombre, naam, nome, namn, navn")
ADDRESS = Topic(
    Role.IDENTIFIER,
    "a home address",
    "address, home address, street address, postal address, mailing address, billing address, street, house number, "
    "adresse, anschrift, strasse, hausnummer, rue, direccion, calle, domicilio, adres, straat, huisnummer, indirizzo, "
    "endereco, rua, morada, addr, addr line, address line, home addr, residential address, street name, domicile "
    "address, via, indirizzo di residenza, wohnadresse, adresse domicile, adresse postale, direccion postal, rue et "
    "numero, vei, gate adresse, gatuadress, vej, ulica, logradouro, residenza indirizzo, huisnr, hausnr, house no, "
    "house nr, hnr, numero civico, civico, num via, husnr, numero de rue, portal, piso, puerta, escalera",
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
    "observacoes, descricao, beschreibung, ae desc, clinical note, clinical notes, progress note, discharge summary, "
    "summary, freitexte, motivo, motivo consulta, descripcion, descrizione, texto libre, texte libre, testo libero, "
    "texto, vrije tekst, omschrijving, anamnese, anamnesis, anamnesi, begruendung, kommentarer, merknad, anteckning, "
    "fritekst, fritext, uwagi, observacao, historia actual",
)
"""A remark is an identifier if its values are texts."""
