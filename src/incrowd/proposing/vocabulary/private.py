"""Topics that nobody should learn of a person: money, beliefs, offenses, assessments, answers."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

MONEY = Topic(
    Role.SENSITIVE,
    "income, wealth or debt",
    "income, salary, wage, wages, earnings, earn, earned, debt, loan, credit, mortgage, balance, wealth, assets, "
    "net worth, capital, capital gain, capital loss, bonus, welfare, benefits, tax, pay, paid, payment, expenditure, "
    "expenditures, expense, expenses, spending, cost, costs, price, rent paid, savings, pension, poverty, poor, "
    "dollars, revenue, bill, premium, fee, tuition, interest rate, amount, bankruptcy, bankrupt, delinquent, "
    "delinquency, default, purchase, purchases, sales, einkommen, gehalt, lohn, schulden, kredit, vermoegen, "
    "kontostand, ausgaben, preis, betrag, steuer, rente, revenu, salaire, dette, patrimoine, depenses, prix, montant, "
    "impot, ingreso, ingresos, renta, salario, sueldo, deuda, patrimonio, gastos, precio, importe, inkomen, loon, "
    "salaris, schuld, vermogen, uitgaven, prijs, bedrag, reddito, stipendio, debito, spesa, prezzo, importo, "
    "rendimento, renda, divida, despesa, preco, valor pago",
    "inc, incom, wag, earn, delinq, sal, exp tot, dol, expend, pay, faminc, asset, mort, wealt",
)
BELIEF = Topic(
    Role.SENSITIVE,
    "a belief, a membership or an orientation",
    "religion, religious, religiosity, faith, church, denomination, pray, prayer, god, bible, catholic, protestant, "
    "muslim, jewish, politics, political, party, vote, voted, votes, voting, voter, election, candidate, ideology, "
    "ideo, liberal, conservative, democrat, republican, partisan, left right, union, trade union, orientation, "
    "sexual, sexuality, gay, homosexual, konfession, glaube, kirche, partei, politisch, wahl, gewerkschaft, "
    "orientierung, parti, politique, syndicat, eglise, religione, partido, politica, sindicato, orientacion, iglesia, "
    "voto, religie, godsdienst, geloof, kerk, partij, politiek, stemmen, vakbond, partito, sindacato, orientamento, "
    "chiesa, religiao, igreja, sexualidade",
    "relig, rel, pol, polit, part, partyid, lrscale, trump, denom, cath, prot, elec",
)
OFFENSE = Topic(
    Role.SENSITIVE,
    "an offense or a conviction",
    "crime, criminal, conviction, convicted, offence, offense, felony, arrest, arrested, arrests, prison, jail, "
    "parole, probation, sentence, police, citation, violation, fine, guilty, verdict, victim, assault, homicide, "
    "murder, robbery, theft, weapon, gun, search, searched, force, recidivism, straftat, vorstrafe, verurteilung, "
    "gefaengnis, polizei, infraction, condamnation, delit, delito, condena, carcel, misdrijf, veroordeling, "
    "gevangenis, reato, condanna, carcere, condenacao, prisao",
    "arr, crim, conv, offen, citat, recid",
)
ASSESSMENT = Topic(
    Role.SENSITIVE,
    "a grade, a score or an assessment of a person",
    "grade, grades, gpa, score, scores, rating, evaluation, eval, exam, iq, credit score, rank, percentile, "
    "performance, test, quiz, mark, marks, sat, act, psat, gre, lsat, gcse, satm, satv, satq, actm, math, maths, "
    "mathematics, reading, read, write, writing, science, verbal, vocabulary, vocab, spelling, arithmetic, ability, "
    "aptitude, skill, literacy, numeracy, cognitive, memory, placement, homework, honors, award, points, correct, "
    "accuracy, reaction time, schulnote, noten, zensur, bewertung, punkte, note, notes, moyenne, calificacion, "
    "puntaje, puntuacion, cijfer, toets, voto, valutazione, punteggio, nota, pontuacao, prova",
    "scr, perf, abil, mat, readng, plcmt, satm, actm, gpa",
)
ATTITUDE = Topic(
    Role.KEEP,
    "an opinion or a trait of character",
    "agree, agreement, attitude, opinion, trust, distrust, confidence, satisfaction, satisfied, satis, involvement, "
    "thermometer, therm, feeling, feelings, happy, happiness, worry, worried, approve, approval, disapprove, oppose, "
    "favor, favour, likert, perception, perceived, neuroticism, extraversion, openness, agreeableness, "
    "conscientiousness, personality, empathy, esteem, meinung, einstellung, vertrauen, zufriedenheit, confiance, "
    "avis, confianza, satisfaccion, vertrouwen, tevredenheid, mening, fiducia, soddisfazione, opinione, confianca, "
    "satisfacao, opiniao",
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
