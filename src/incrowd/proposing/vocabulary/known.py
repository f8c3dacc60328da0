"""Topics that outsiders know of a person."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

BIRTH = Topic(
    Role.QUASI,
    "birth or age",
    "birth, birthdate, birthday, birthyear, born, dob, yob, date of birth, year of birth, age, ages, aged, age group, "
    "agegroup, brthdtc, birthdtc, mature, geburt, geburtsdatum, geburtstag, geburtsjahr, geboren, gebdatum, gebdat, "
    "alter, altersgruppe, naissance, nacimiento, edad, geboorte, geboortedatum, geboortejaar, leeftijd, nascita, eta, "
    "idade, nascimento, data de nascimento, annee de naissance, age class, age category, age cat, agecl, agec, agegr, "
    "agecat, age bracket, age band, age range, qob, mob, quarter of birth, month of birth, day of birth, mnthborn, "
    "yearborn, birth cohort, senior citizen, altersklasse, altersjahr, jahrgang, geburtsquartal, date naissance, annee "
    "naissance, tranche d age, classe d age, grupo de edad, rango de edad, fecha de nacimiento, fecha nacimiento, "
    "fecnac, fec nac, ano de nacimiento, ano nacimiento, data di nascita, anno di nascita, fascia di eta, classe di "
    "eta, faixa etaria, data nascimento, dt nasc, leeftijdsgroep, leeftijdsklasse, geb dat, alder, aldersgruppe, "
    "aldersgrupp, foedt, foedselsdato, foedselsaar, foedelsedatum, foedelsear, wiek, data urodzenia, wie alt, how old, "
    "quel age, cuantos anos, quanti anni, quantos anos, hoe oud, hvor gammel, hur gammal, born in, geb am, geb",
    "age, dob, birth, brth, born, agegrp, agegp, agecl, agec, agegr",
)
SEX = Topic(
    Role.QUASI,
    "sex or gender",
    "sex, gender, female, male, females, males, woman, women, man, boy, girl, sx, fem, fml, geschlecht, weiblich, "
    "maennlich, sexe, genre, femme, homme, sexo, genero, mujer, hombre, geslacht, vrouw, sesso, genere, donna, uomo, "
    "mulher, homem, civilite, anrede, salutation, aanhef, gender identity, kjoenn, koen, plec, sukupuoli, sexo "
    "biologico",
    "sex, fem, female, male, gend, gender",
)
PLACE = Topic(
    Role.QUASI,
    "a place",
    "place, zip, zip code, postcode, post code, postal, postal code, city, town, village, municipality, county, "
    "district, borough, ward, parish, region, province, territory, state, stateabb, country, cntry, cntrycode, "
    "residence, resident, domicile, location, home, latitude, longitude, lat, long, lon, lng, gps, geocode, "
    "neighborhood, neighbourhood, tract, census tract, block, area, urban, urbanicity, urbanism, rural, suburban, "
    "farm, metro, metropolitan, smsa, msa, puma, fips, fip, nuts, lea, precinct, south, north, east, west, northeast, "
    "midwest, southwest, northcentral, northcen, division, community, commune, settlement, address city, island, "
    "distance, birthplace, community size, plz, postleitzahl, stadt, ort, wohnort, gemeinde, landkreis, kreis, bezirk, "
    "bundesland, kanton, land, staat, wohnsitz, laendlich, code postal, ville, departement, canton, pays, lieu, "
    "quartier, codigo postal, ciudad, municipio, provincia, distrito, pais, barrio, lugar, stad, woonplaats, gemeente, "
    "plaats, provincie, regio, wijk, buurt, citta, comune, regione, paese, residenza, quartiere, cidade, estado, "
    "freguesia, bairro, concelho, regiao, uf, bpl, pob, place of birth, birth place, birth country, country of birth, "
    "cob, born abroad, hometown, home town, lieu de naissance, lugar de nacimiento, luogo di nascita, naturalidade, "
    "geburtsort, geburtsland, geboorteplaats, geboorteland, cbsa, lga, region code, county code, state code, statefip, "
    "countyfip, metarea, met area, rurality, postnummer, postnr, kommune, kommun, fylke, hemort, bydel, comunidad "
    "autonoma, comunidad, ccaa, cep, cp, arrondissement, stadtteil, gemeindeschluessel, gemeindekennzahl, ags, gkz, "
    "localidad, localidade, localite, localita, sezione di censimento, seccion censal, miasto, wojewodztwo, ortsteil, "
    "wohnviertel, barrios, nucleo, deelgemeente, stadsdeel, frazione, rione, zona, zone, code insee, insee code, "
    "departamento, departement code, code commune, codice comune, codice istat, istat, cod mun, cod prov, foedeland, "
    "foedested, foedelseort, foedelseland, naissance lieu, near, ortsgroesse, gemeindegroesse, wohnortgroesse, "
    "einwohner, einwohnerzahl, where do you live, taille de la commune, tamano municipio, city size, camp, shelter, "
    "governorate, sector sanitario, asylum country, country of asylum, colonia, entidad, entidad federativa, entidad "
    "de nacimiento, ent nac, lugar nac",
    "zip, cntry, cntr, geo, urb, rur, metro, reg, nrth, smsa, vill, dist, neigh, city, state, town, nuts, resid, norc, "
    "siz plc, fips, bpl, pob, mun, prov, comarc, depart, plz, gem, near",
)
ORIGIN = Topic(
    Role.QUASI,
    "origin or language",
    "nationality, citizenship, citizen, race, racial, ethnicity, ethnic, ethn, eth, origin, ancestry, migration, "
    "migrant, immigrant, immigration, foreign, foreigner, foreign born, native, native born, indigenous, aboriginal, "
    "tribe, caste, language, lang, native country, black, white, nonwhite, asian, hispanic, hispan, hisp, latino, "
    "latina, afam, african, african american, native american, nat am, american indian, pacific islander, hawaiian, "
    "afr am, aframer, aa, multiracial, cauc, caucasian, minority, colour, skin color, nationalitaet, "
    "staatsangehoerigkeit, staatsbuergerschaft, herkunft, auslaender, migrationshintergrund, ethnie, sprache, "
    "muttersprache, nationalite, origine, langue, etranger, nacionalidad, raza, etnia, origen, idioma, lengua, "
    "extranjero, nationaliteit, etniciteit, afkomst, taal, allochtoon, nazionalita, cittadinanza, razza, lingua, "
    "straniero, nacionalidade, raca, cor, origem, mother tongue, first language, home language, nonblack, other race, "
    "othrace, race other, mixed race, noncitizen, us citizen, immigrant generation, generation status, visa, visa "
    "status, lengua materna, langue maternelle, lingua madre, statsborgerskap, medborgarskap, statsborgerskab, "
    "nationalitet, sprak, migrationsstatus, zuwanderung",
    "race, ethn, eth, hisp, blck, blk, wht, white, black, indig, nat lang, immig, immigr, migr, citiz, nonwh, minor, "
    "minrty, ancest, naci, nacion, staatsang",
)
FAMILY = Topic(
    Role.QUASI,
    "family or household",
    "marital, marital status, married, marriage, marstat, marr, maritl, maried, wed, divorced, divorce, widowed, "
    "widow, separated, never married, single, cohabiting, civil status, household, household size, hh size, hhsize, "
    "hsize, family, family size, famsize, fam, children, child, childs, kids, kid, babies, baby, son, daughter, teens, "
    "dependents, dependants, depends, relationship, spouse, husband, wife, partner, siblings, sibling, sibs, brother, "
    "sister, mother, father, parent, parents, mom, dad, mothers, fathers, parity, birth order, birthorder, twin, "
    "twins, orphan, guardian, head of household, householder, adults, familienstand, zivilstand, verheiratet, ledig, "
    "geschieden, haushalt, haushaltsgroesse, kinder, kind, ehe, mutter, vater, geschwister, etat civil, menage, "
    "enfants, marie, mere, pere, situation familiale, estado civil, hogar, hijos, casado, madre, padre, burgerlijke "
    "staat, huishouden, kinderen, gehuwd, moeder, vader, gezin, stato civile, famiglia, figli, sposato, agregado "
    "familiar, filhos, mae, pai, marstatus, mstat, marit st, nkids, nchild, nchildren, num children, numkids, hh "
    "members, household members, household head, persons in household, hoh, hhead, hhh, head, nadults, cohab, living "
    "with, livewith, living arrangement, live alone, lives alone, livealone, spouse age, birth ord, ever married, "
    "nubile, sivilstand, civilstand, barn, estado conyugal, pareja, miembros del hogar, personas en hogar, hermanos, "
    "numero de hijos, hijas, enfants a charge, nb enfants, pacs, conjoint, familiengroesse, personen im haushalt, "
    "haushaltsmitglieder, lebenspartner, nucleo familiare, componenti nucleo, coniuge, figli a carico, conjuge, "
    "coniugato, burgerlijke stand, kinderen thuis, numero filhos, tamano hogar, taille menage, haushaltsgr, step "
    "parent, stepparent, stepmother, stepfather, single mother, single parent",
    "marr, marit, mar, hh, hhld, fam, kid, kids, child, chld, chd, hus, husb, moth, fath, mom, dad, spous, sib, sibs, "
    "parnt, wife, dep, hsize, nchild, nsib, sibl, spou, marst, civil, hog, haush, kinder, verh, step, sinmom, sinpar",
)
SCHOOLING = Topic(
    Role.QUASI,
    "education",
    "education, educational, schooling, educated, educ, edu, ed, edlevel, eduyrs, educat, educatn, degree, diploma, "
    "school, high school, hschool, hs, college, university, graduate, graduated, grad, dropout, qualification, "
    "qualifications, phd, master, bachelor, major, discipline, field of study, course, class, classroom, classtype, "
    "semester, student type, nodegree, nodeg, literate, isced, bildung, bildungsabschluss, schulabschluss, schule, "
    "ausbildung, abitur, klasse, studium, schueler, etudes, ecole, diplome, formation, niveau d etudes, educacion, "
    "estudios, escuela, titulo, nivel educativo, opleiding, onderwijs, klas, istruzione, scuola, titolo di studio, "
    "laurea, educacao, escolaridade, escola, instrucao, years of school, yrs school, yrschl, schoolyrs, highest grade, "
    "hgrade, highgrad, high grade completed, lths, ltcollege, collgrad, college grad, some college, somecol, ged, "
    "elementary, kindergarten, preschool, first gen, firstgen, fraternity, sorority, soph, sophomore, junior, "
    "freshman, frosh, school type, schtyp, school district, special ed, homeschool, grade level, grade in school, "
    "klassenstufe, jahrgangsstufe, schulform, schultyp, schulart, bildungsstand, niveau etude, niveau scolaire, grado "
    "de instruccion, titulacion, curso escolar, grado escolar, asignatura, titolo studio, grado di istruzione, turma, "
    "ensino, skole, utdanning, utbildning, uddannelse, wyksztalcenie, onderwijsniveau, bildungsgang, schulzweig, "
    "schulstufe, filiere, rama, modalidad, indirizzo di studio, opleidingsniveau, studierichting, programme, degree "
    "program, degree programme, tit studio, hab literarias, habilitacoes, habilitacoes literarias, enroll, library "
    "card, titel, akad titel, akademischer titel, akademischer grad, akad grad, academic title, turno, grupo, class "
    "group",
    "educ, edu, ed, sch, schl, schol, coll, colleg, grad, degr, hgc, deg, yrs sch, hschool, isced, univ, sophm, "
    "hsgrad, estud, bild, enrol",
)
WORK = Topic(
    Role.QUASI,
    "work",
    "occupation, occupational, job, jobs, job title, title, profession, professional, workclass, work class, "
    "employment, employed, employ, unemployed, unemployment, unemp, unem, employer, self employed, selfemp, self, "
    "retired, industry, sector, company, department, hours, hours per week, working hours, weeks, weeks worked, "
    "veteran, military, army, experience, exper, tenure, seniority, work, works, working, worker, worked, outwork, "
    "labor force, labour force, lfp, inlf, inwf, participation, part time, parttime, full time, fulltime, bluecol, "
    "blue collar, white collar, position, appointment, appointed, career, farmer, manager, clerical, construction, "
    "manufacturing, services, agriculture, public, private, trade, prestige, isco, nace, soc code, naics, beruf, "
    "taetigkeit, erwerbstaetig, arbeitslos, arbeit, stelle, arbeitgeber, branche, arbeitszeit, metier, emploi, "
    "employeur, travail, chomeur, ocupacion, profesion, trabajo, empleo, desempleado, empleador, beroep, werk, "
    "werkloos, baan, werkgever, werkuren, professione, lavoro, occupazione, disoccupato, impiego, profissao, ocupacao, "
    "trabalho, emprego, desempregado, vet, veteran status, employer name, job level, job class, job code, job role, "
    "commute, commuting, dept, business travel, overtime, work type, work status, worktype, employment status, "
    "empstat, lfstatus, activity status, economic activity, service years, yrs service, years of service, years at "
    "company, fte, csp, pcs, categorie socioprofessionnelle, statut professionnel, contrat, categoria profesional, "
    "grupo profesional, mansione, qualifica, inquadramento, cargo, funcao, categoria profissional, antiguedad, "
    "antiguidade, anciennete, anzianita, contrato, tipo contrato, contratto, vinculo, lotacao, puesto, poste, "
    "dienststelle, abteilung, stellung im beruf, arbeidsgiver, arbetsgivare, yrke, stilling, sysselsaettning, erhverv, "
    "zawod, werkgever naam, functie, dienstverband, horas, heures, stunden, uren, horas trabajadas, arbeitsstunden, "
    "wochenstunden, situacion laboral, situacion profesional, ocupado, unid organica, unidade organica, categoria, "
    "abt, clerk, cost center, cost centre, cost ctr, kostenstelle, centro de coste, centre de cout, shift, work shift, "
    "schicht, schichtmodell, work location, work loc, office location",
    "occ, occup, job, emp, empl, unem, unemp, uemp, wrk, work, indus, ind st, prof, hrs, wks, exper, tenur, ten, isco, "
    "nace, labor, lab for, empst, manuf, partic, particip, veter, occupn, joblvl, ocu, ocup, arbeits, beruf, cler",
)
INSTITUTION = Topic(
    Role.QUASI,
    "an institution",
    "hospital, clinic, centre, center, site, siteid, siteno, inst, institution, institute, facility, practice, "
    "provider, physician, surgeon, doctor name, doctor, nurse, instructor, teacher, tch, organization, organisation, "
    "firm, plant, branch, store, cluster, psu, stratum, strata, sampling unit, court, judge, bank, team, club, "
    "association, university, krankenhaus, klinik, praxis, zentrum, einrichtung, lehrer, arzt, firma, filiale, "
    "hopital, clinique, etablissement, medecin, enseignant, clinica, centro, medico, maestro, empresa, ziekenhuis, "
    "kliniek, huisarts, leraar, bedrijf, ospedale, struttura, insegnante, azienda, professor, instituicao, magasin, "
    "agence, boutique, succursale, tienda, sucursal, winkel, filiaal, negozio, loja, agencia, gp practice, practice "
    "code, health center, health centre, centro de salud, care site, school name, fachabteilung, station, unidad, "
    "unidade, servicio, service hospitalier, reparto, presidio, ward name, huisartspraktijk, sykehus, sjukhus, "
    "sygehus, referring physician, referrer, einweiser, prescriber, zuweiser, gericht, juzgado, tribunal, tribunale, "
    "general practitioner, practitioner, medico de cabecera, medecin traitant, hausarzt, medico di base",
    "hosp, inst, clin, schid, prov num, instit",
)
EVENT = Topic(
    Role.QUASI,
    "an event or a time that others may know of",
    "admission, admitted, admit, discharge, discharged, death, died, dead, deceased, deaths, visit, visits, encounter, "
    "hospitalization, hired, hire date, enrollment, enrolled, start date, end date, service date, event date, date, "
    "day, datetime, timestamp, time stamp, month, quarter, week, weekday, season, year, yr, wave, round, term, period, "
    "start, stop, entry, exit, interview date, accident, crash, incident, arrival, departure, appointment date, dtc, "
    "date of diagnosis, diagnosis date, diagnosis year, year of diagnosis, dx date, dx year, dxyr, dxdate, dx yr, "
    "diagnosedatum, diagnosejahr, date de diagnostic, fecha de diagnostico, aufnahme, aufnahmedatum, entlassung, "
    "entlassungsdatum, einweisung, besuch, tod, todesdatum, sterbedatum, datum, tag, monat, jahr, uhrzeit, unfall, "
    "welle, sortie, deces, hospitalisation, visite, date de naissance, jour, mois, annee, admision, alta, muerte, "
    "defuncion, fallecimiento, visita, fecha, dia, mes, ano, accidente, opname, opnamedatum, ontslag, ontslagdatum, "
    "overlijden, bezoek, maand, jaar, ongeval, ricovero, dimissione, decesso, morte, data, giorno, mese, anno, "
    "incidente, internacao, obito, acidente, enrolled date, consent date, consent dt, last contact, eintritt, "
    "austritt, eintrittsdatum, austrittsdatum, entlassdatum, aufnahme datum, fecha ingreso, fecha alta, fecha de "
    "ingreso, fecha de alta, date entree, date sortie, date d entree, date de sortie, data ricovero, data dimissione, "
    "data admissao, data alta, innleggelse, utskrivning, inskrivning, indlaeggelse, doedsdato, dodsdatum, data "
    "smierci, letzte abholung, dernier achat, dernier passage, last visit, last purchase, ingreso",
    "dth, death, date, dt, dat, day, yr, year, month, intrvw, admis, disch, dsch",
)
DURATION = Topic(
    Role.SENSITIVE,
    "how long something took",
    "days, weeks elapsed, months, years, minutes, seconds, nights, elapsed, tage, wochen, monate, jahre, minuten, "
    "jours, semaines, annees, dias, semanas, meses, anos, minutos, giorni, settimane, mesi, anni, minuti, dagen, "
    "maanden, jaren, dager, dagar, maaneder",
)
"""The words for one of them are of dates; those for several count them."""
BUILD = Topic(
    Role.QUASI,
    "a person's build or appearance",
    "height, weight, bmi, body mass index, waist, hip, girth, shoe size, eye color, eye colour, hair, hair color, hair "
    "colour, handedness, hand, wt, ht, hgt, wgt, groesse, koerpergroesse, gewicht, koerpergewicht, taille, poids, "
    "estatura, altura, peso, lengte, altezza, looks, tattoo, scar, vshgt, vswgt, vekt, vikt, hoeyde, laengd, hoejde, "
    "vaegt, kmi, peso corporal, peso corporeo, masse corporelle, statura",
    "bmi, hght, wght",
)
LIVING = Topic(
    Role.QUASI,
    "how a person lives",
    "house, home owner, homeowner, homeownership, own home, owner, owned, renter, rooms, bedrooms, dwelling, "
    "apartment, housing, tv, radio, toilet, electricity, water source, bicycle, car, cars, vehicle, vehicles, "
    "motorcycle, airbag, seatbelt, belt, insurance, insured, medicaid, medicare, payer, payor, lunch, free lunch, "
    "phone in home, pet, dog, sport, sports, athlete, athletics, exercise, hobby, member, membership, computer, "
    "internet, sportler, sportlerin, deportista, sportif, sportivo, atleta, passenger class, pclass, cabin, fare, "
    "seat, customer type, socioeconomic, ses, social class, socio economic status, deprivation, demographic, demo "
    "group, wohnung, haus, eigentum, miete, auto, versicherung, zimmer, logement, maison, voiture, assurance, "
    "vivienda, casa, coche, seguro, woning, huis, verzekering, abitazione, macchina, assicurazione, habitacao, carro, "
    "sozialstatus, patient class, patient type, tenancy, housing tenure, residence type, home ownership, phone "
    "service, internet service, refrigerator, fridge, bike, landholding, livestock, mietwohnung, wohnstatus, vivienda "
    "propia, logement type, kasse, krankenkasse, versicherungsart, mutuelle, aseguradora, cobertura, verzekeraar, "
    "payer type, insurance type, insurance plan, fuel, heating, smartphone, zi, room number, room no, kamer, bed "
    "number, bett",
    "hous, own, rent, insur, privins, veh, dwell, ses, ownr",
)
SIZE = Topic(Role.QUASI, "the size of a household, a school or a place", "size, population, pop, siz", "siz")
WEIGHT = Topic(
    Role.DROP,
    "a survey weight",
    "fnlwgt, pweight, survey weight, sample weight, sampling weight, final weight, design weight, weighting, dweight, "
    "pspwght, pspweight, anweight, perweight, wtssall, wtsall, popwt, perwt, hhwt, asecwt, finalwt, inverse "
    "probability, sampling probability, weightvec, sampwt, selection probability, gewichtung, gewichtungsfaktor, "
    "hochrechnungsfaktor, expansion factor, ponderation, coefficient de ponderation, ponderacion, factor de expansion, "
    "weegfactor, ponderazione, peso campionario, ponderacao, fator de expansao, factor elevacion, fexp, facel, "
    "hochrechnung, poids sondage, peso muestral, fattore di espansione, coefficiente, survey wt, samplewt, wgt final, "
    "weight final, wtfa, wtint, wtmec, wt final",
)
