"""Topics that nobody should learn of a person: money, beliefs, offenses, assessments, answers."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

MONEY = Topic(
    Role.SENSITIVE,
    "income, wealth or debt",
    "income, salary, wage, wages, earnings, earn, earned, debt, loan, credit, mortgage, balance, wealth, assets, net "
    "worth, capital, capital gain, capital loss, bonus, welfare, benefits, tax, pay, paid, payment, expenditure, "
    "expenditures, expense, expenses, spending, cost, costs, price, rent paid, savings, pension, poverty, poor, "
    "dollars, revenue, bill, premium, fee, tuition, interest rate, amount, bankruptcy, bankrupt, delinquent, "
    "delinquency, default, purchase, purchases, sales, einkommen, gehalt, lohn, schulden, kredit, vermoegen, "
    "kontostand, ausgaben, preis, betrag, steuer, rente, revenu, salaire, dette, patrimoine, depenses, prix, montant, "
    "impot, ingreso, ingresos, renta, salario, sueldo, deuda, patrimonio, gastos, precio, importe, inkomen, loon, "
    "salaris, schuld, vermogen, uitgaven, prijs, bedrag, reddito, stipendio, debito, spesa, prezzo, importo, "
    "rendimento, renda, divida, despesa, preco, valor pago, ahe, hourly pay, hourly rate, payscale, compensation, "
    "gift, giving, donation, donations, donated, contribution, contributions, net assets, total charges, monthly "
    "charges, charge, charges, claim amount, claim cost, claim paid, allowed amount, billed amount, paid amount, "
    "reimbursement, remboursement, erstattung, erloes, umsatz, chiffre d affaires, panier moyen, solde, saldo, cuota, "
    "nomina, salario base, sueldo base, vencimento, vencimento base, subsidio, brutto, netto, bruttolohn, nettolohn, "
    "bruttogehalt, loenn, inntekt, inkomst, indkomst, wynagrodzenie, retribuzione, stipendio lordo, imponibile, ral, "
    "cash, prize, replacement rate, hardship, overdraft, overdrawn, limit, credit limit, collateral, repayment, "
    "installment, creditor, venc base, desc irs, irs, irpf, liquido, penhora de vencimento",
    "inc, incom, wag, earn, delinq, sal, exp tot, dol, expend, pay, faminc, asset, mort, wealt, wealth, earng, donat",
)
BELIEF = Topic(
    Role.SENSITIVE,
    "a belief, a membership or an orientation",
    "religion, religious, religiosity, faith, church, denomination, pray, prayer, god, bible, catholic, protestant, "
    "muslim, jewish, politics, political, party, vote, voted, votes, voting, voter, election, candidate, ideology, "
    "ideo, liberal, conservative, democrat, republican, partisan, left right, union, trade union, orientation, sexual, "
    "sexuality, gay, homosexual, konfession, glaube, kirche, partei, politisch, wahl, gewerkschaft, orientierung, "
    "parti, politique, syndicat, eglise, religione, partido, politica, sindicato, orientacion, iglesia, voto, religie, "
    "godsdienst, geloof, kerk, partij, politiek, stemmen, vakbond, partito, sindacato, orientamento, chiesa, religiao, "
    "igreja, sexualidade, born again, bornagain, islam, buddhist, hindu, atheist, evangelical, christian, abortion "
    "attitude, vote intention, turnout, voted for, party affiliation, conservatism, konf, bekenntnis, kirchenmitglied, "
    "vakbondslid, adhesion, afiliacion sindical, iscritto sindacato, filiacao sindical, partisanship, sindical, quota "
    "sindical, cuota sindical, sindacale, quota sindacale, syndical, syndicale",
    "relig, rel, pol, polit, part, partyid, lrscale, trump, denom, cath, prot, elec, evang, christ, bapt",
)
OFFENSE = Topic(
    Role.SENSITIVE,
    "an offense or a conviction",
    "crime, criminal, conviction, convicted, offence, offense, felony, arrest, arrested, arrests, prison, jail, "
    "parole, probation, sentence, police, citation, violation, fine, guilty, verdict, victim, assault, homicide, "
    "murder, robbery, theft, weapon, gun, search, searched, force, recidivism, straftat, vorstrafe, verurteilung, "
    "gefaengnis, polizei, infraction, condamnation, delit, delito, condena, carcel, misdrijf, veroordeling, "
    "gevangenis, reato, condanna, carcere, condenacao, prisao, felon, inmate, incarcerated, incarceration, priors, "
    "prior convictions, bail, plea, disposition, misdemeanor, drug offense, delinquent act, urteil, strafe, "
    "freiheitsstrafe, haft, pena, sentencia, peine, tatbestand, punishment, disciplinary, suspension, suspended, "
    "expelled, sentence months, sent months, days in jail, offender, penhora, embargo",
    "arr, crim, conv, offen, citat, recid, felon, incarc, prison, misdem",
)
ASSESSMENT = Topic(
    Role.SENSITIVE,
    "a grade, a score or an assessment of a person",
    "grade, grades, gpa, score, scores, rating, evaluation, eval, exam, iq, credit score, rank, percentile, "
    "performance, test, quiz, mark, marks, sat, act, psat, gre, lsat, gcse, satm, satv, satq, actm, math, maths, "
    "mathematics, reading, read, write, writing, science, verbal, vocabulary, vocab, spelling, arithmetic, ability, "
    "aptitude, skill, literacy, numeracy, cognitive, memory, placement, homework, honors, award, points, correct, "
    "accuracy, reaction time, schulnote, noten, zensur, bewertung, punkte, note, notes, moyenne, calificacion, "
    "puntaje, puntuacion, cijfer, toets, voto, valutazione, punteggio, nota, pontuacao, prova, midterm, final exam, "
    "final grade, class rank, hsrank, hsperc, percent rank, kww, afqt, asvab, ppvt, piat, wisc, wais, intake, attain, "
    "attainment, days absent, absences, absent, absence, tardy, attendance, attend, atndrte, fehlzeiten, fehlstunden, "
    "zeugnis, zeugnisnote, versetzung, versetzt, deutschnote, mathenote, foerderbedarf, examen, resultat examen, "
    "evaluacion, aproveitamento, karakter, betyg, spelling score, writing score, reading score, math score, job "
    "evaluation",
    "scr, perf, abil, mat, readng, plcmt, satm, actm, gpa, grade pt, midtrm, absnt, exam",
)
ATTITUDE = Topic(
    Role.KEEP,
    "an opinion or a trait of character",
    "agree, agreement, attitude, opinion, trust, distrust, confidence, satisfaction, satisfied, satis, involvement, "
    "thermometer, therm, feeling, feelings, happy, happiness, worry, worried, approve, approval, disapprove, oppose, "
    "favor, favour, likert, perception, perceived, neuroticism, extraversion, openness, agreeableness, "
    "conscientiousness, personality, empathy, esteem, meinung, einstellung, vertrauen, zufriedenheit, confiance, avis, "
    "confianza, satisfaccion, vertrouwen, tevredenheid, mening, fiducia, soddisfazione, opinione, confianca, "
    "satisfacao, opiniao, anxious, emotion, emotions, liking, stereotype, prejudice, stimme, recommend, nps, net "
    "promoter",
    "satisf, trst, opin, attit, govt, therm, worr",
)
ANSWER = Topic(
    Role.SENSITIVE,
    "an answer to a question",
    "importance, important, interest, interested, support, supports, like, likes, dislike, prefer, preference, item, "
    "question, answer, response, believe, belief, think, view, views, concern, concerned, willing, willingness, "
    "aware, awareness, knowledge, fear, anger, angry, locus, motivation, stress, mood, beauty, attractive, quality, "
    "comfort, likelihood, tolerance, choice, frage, antwort, stimmung, reponse, pregunta, respuesta, vraag, antwoord, "
    "domanda, risposta, pergunta, resposta",
    "imp, prefer, hap, agr",
)
