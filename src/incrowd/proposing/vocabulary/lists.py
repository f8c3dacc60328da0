"""Words that columns have as their values, in lower case."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split(",") if word.strip())


NO_ANSWER = _listed(
    "other, others, unknown, unk, none, missing, refused, dk, don't know, dont know, not stated, no answer, n/a, na, "
    "?, unspecified, not applicable, undetermined, prefer not to say, keine angabe, unbekannt, andere, sonstige, "
    "inconnu, autre, desconocido, otro, onbekend, anders, altro, sconosciuto, outro, desconhecido"
)
MAY_BE_MISSING = _listed(
    "unknown, unk, unspecified, undetermined, refused, missing, none, dk, dont know, don't know, not stated, "
    "no answer, not known, not available, unbekannt, keine angabe, ohne angabe, weiß nicht, weiss nicht, inconnu, "
    "inconnue, non renseigné, non communiqué, desconocido, no sabe, ns/nc, sin dato, sconosciuto, non noto, "
    "non disponibile, onbekend, geen antwoord, desconhecido, não sabe, não informado, okänd, ukjent, ukendt, "
    "tuntematon, nieznany, brak danych, neznámý, bilinmiyor"
)
"""Words that may mean missing, or be an answer."""
SEXES = _listed(
    "male, female, m, f, man, woman, men, women, boy, girl, masc, fem, non-binary, nonbinary, diverse, divers, x, "
    "maennlich, männlich, weiblich, w, d, homme, femme, h, masculin, féminin, hombre, mujer, masculino, femenino, "
    "vrouw, v, maschio, femmina, uomo, donna, homem, mulher, feminino, mr, mrs, ms, miss, mr., mrs., ms., herr, frau, "
    "m., mme, mlle, mme., monsieur, madame, sr, sra, sr., sra., srta, don, doña, sig, sig., sig.ra, dhr, mevr, dhr., "
    "mevr., mann, kvinne, kvinna, mand, kvinde, k, nainen, mies, mężczyzna, kobieta, masculine, feminine, "
    "transgender, herren, damen"
)
ORIGINS = _listed(
    "white, black, asian, hispanic, latino, latina, caucasian, cauc, afam, african american, african-american, "
    "native american, american indian, indian, pacific islander, hawaiian, mixed, multiracial, two or more, "
    "aboriginal, maori, european, african, east african, arab, chinese, japanese, malay, non-hispanic, non-white, "
    "nonwhite, black or african american, american indian or alaska native, asian or pacific islander, "
    "white non-hispanic, ladino, indigenous, non-indigenous, foreign, native, immigrant, coloured, colored, "
    "amer-indian-eskimo, asian-pac-islander"
)
MARITAL = _listed(
    "married, single, divorced, widowed, separated, never married, never-married, never_married, cohabiting, partner, "
    "unmarried, widow, living together, civil partnership, ledig, verheiratet, geschieden, verwitwet, célibataire, "
    "marié, divorcé, veuf, soltero, casado, divorciado, viudo, gehuwd, ongehuwd, gescheiden, weduwe, celibe, nubile, "
    "coniugato, divorziato, vedovo, solteiro, viúvo, married-civ-spouse, married-spouse-absent, not married"
)
REGIONS = _listed(
    "north, south, east, west, northeast, northwest, southeast, southwest, midwest, north central, central, urban, "
    "rural, suburban, city, town, village, farm, metro, metropolitan, stadt, land, urbain, urbano, nord, sued, süd, "
    "ost, sud, est, ouest, norte, sur, este, oeste, noord, zuid, oost, northern, southern, eastern, western, other"
)
CALENDAR = _listed(
    "january, february, march, april, may, june, july, august, september, october, november, december, jan, feb, mar, "
    "apr, jun, jul, aug, sep, sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, "
    "mon, tue, wed, thu, fri, sat, sun, januar, februar, märz, mai, juni, juli, oktober, dezember, montag, dienstag, "
    "mittwoch, donnerstag, freitag, samstag, sonntag, janvier, février, mars, avril, juin, juillet, août, septembre, "
    "octobre, novembre, décembre, enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, "
    "noviembre, diciembre, spring, summer, fall, autumn, winter"
)
EMPLOYMENT = _listed(
    "employed, unemployed, retired, student, homemaker, self-employed, self employed, full-time, part-time, "
    "full time, part time, fulltime, parttime, ft, pt, disabled, not in labor force, housewife, keeping house, "
    "military, private, government, public, state-gov, local-gov, federal-gov, self-emp-inc, self-emp-not-inc, "
    "without-pay, never-worked, blue collar, white collar, skilled, unskilled, semi-skilled, manual, professional, "
    "managerial, clerical, farmer, worker, technical, services, sales, management, erwerbstätig, arbeitslos, rentner, "
    "hausfrau, selbständig, angestellt, arbeiter, beamter, retraité, chômeur, jubilado, empleado, desempleado, "
    "werkloos, works"
)
DEGREES = _listed(
    "primary, secondary, tertiary, high school, college, bachelor, bachelors, bachelor's, master, masters, master's, "
    "phd, doctorate, graduate, university, some college, less than high school, lt high school, hs, hs-grad, "
    "some-college, assoc-voc, assoc-acdm, prof-school, elementary, no formal education, vocational, hauptschule, "
    "realschule, gymnasium, abitur, lehre, studium, primaire, secondaire, supérieur, primaria, secundaria, "
    "universidad, laurea, mbo, hbo, wo, vmbo, havo, vwo, junior college, postgraduate, undergraduate, diploma, none, "
    "p, s, ps, dr., dr, prof., prof, prof. dr., dipl.-ing., mag., ing., msc, bsc, mba, md"
)
ARMS = _listed(
    "placebo, control, treatment, treated, untreated, intervention, active, sham, standard, usual care, "
    "standard care, experimental, ctrl, trt, drug, active drug, verum, kontrolle, intervention group, control group, "
    "treatment group, placebogruppe, témoin, traitement, tratamiento, controllo, trattamento, controle, combination, "
    "patchonly"
)
FINDINGS = _listed(
    "positive, negative, indeterminate, invalid, detected, not detected, abnormal, normal, mild, moderate, severe, "
    "benign, malignant, present, absent, improved, unchanged, worse, died, dead, alive, survived, deceased, censored, "
    "relapse, remission, recovered, positiv, negativ, leicht, mittel, schwer, positif, négatif, positivo, negativo, "
    "lebt, gestorben, vivant, décédé, vivo, muerto, morto, resistant, sensitive, susceptible, intermediate"
)
POINTS = _listed(
    "never, rarely, seldom, sometimes, often, always, occasionally, frequently, daily, weekly, monthly, yearly, low, "
    "medium, high, very low, very high, poor, fair, good, very good, excellent, bad, very bad, average, nie, selten, "
    "manchmal, oft, immer, jamais, parfois, souvent, toujours, nunca, a veces, siempre, nooit, soms, vaak, altijd, "
    "mai, qualche volta, spesso, sempre, not at all, a little, somewhat, very much, extremely, some, heavy, regul, "
    "occas"
)
OPINION_WORDS = _listed(
    "agree, disagree, satisfied, favor, oppose, approve, support, important, likely, too much, too little, "
    "about right, trust, stimme, einverstanden, zufrieden, d'accord, de acuerdo, satisfecho, eens, tevreden, accordo, "
    "soddisfatto, concordo, discordo"
)
DEGREE_WORDS = _listed(
    "high school, college, bachelor, master, phd, degree, grade, schule, abitur, lycée, bachillerato, diplom, "
    "university"
)
ILLNESS_WORDS = _listed(
    "cancer, carcinoma, disease, disorder, syndrome, infection, fracture, injur, itis, deterioration, improvement, "
    "resistan, hepat, cardi, pulmon, nephr, diabet, neoplasm, abuse, haemophilia, hemophilia, blood, hetero, homosex"
)
COUNTRIES = _listed(
    "afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bangladesh, belarus, belgium, "
    "bolivia, bosnia, brazil, bulgaria, cambodia, cameroon, canada, chile, china, colombia, columbia, costa rica, "
    "croatia, cuba, cyprus, czech republic, czechia, denmark, dominican-republic, dominican republic, ecuador, egypt, "
    "el salvador, el-salvador, england, estonia, ethiopia, finland, france, georgia, germany, ghana, great britain, "
    "greece, guatemala, haiti, honduras, hong kong, hong, hungary, iceland, india, indonesia, iran, iraq, ireland, "
    "israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea, laos, latvia, lebanon, lithuania, luxembourg, "
    "malaysia, mali, malta, mexico, moldova, morocco, nepal, netherlands, holland-netherlands, new zealand, "
    "nicaragua, niger, nigeria, norway, pakistan, panama, paraguay, peru, philippines, poland, portugal, puerto-rico, "
    "puerto rico, romania, russia, rwanda, saudi arabia, scotland, senegal, serbia, singapore, slovakia, slovenia, "
    "south africa, south korea, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan, tanzania, thailand, "
    "trinadad&tobago, tunisia, turkey, uganda, ukraine, united kingdom, united states, united-states, uk, usa, u.s., "
    "uruguay, venezuela, vietnam, wales, yemen, yugoslavia, zambia, zimbabwe, deutschland, österreich, schweiz, "
    "frankreich, italien, spanien, allemagne, espagne, italie, suisse, belgique, autriche, alemania, francia, italia, "
    "españa, portogallo, germania, spagna, duitsland, belgië, frankrijk, nederland, brasil"
)
COUNTRY_CODES = _listed(
    "ad, ae, af, al, am, ao, ar, at, au, az, ba, bd, be, bg, bo, br, by, ca, ch, cl, cn, co, cr, cu, cy, cz, de, dk, "
    "do, dz, ec, ee, eg, es, et, fi, fr, gb, ge, gh, gr, gt, hk, hn, hr, hu, id, ie, il, in, iq, ir, is, it, jm, jo, "
    "jp, ke, kr, kz, lb, li, lk, lt, lu, lv, ma, md, me, mk, mt, mx, my, ng, ni, nl, no, np, nz, pa, pe, ph, pk, pl, "
    "pr, pt, py, ro, rs, ru, sa, se, sg, si, sk, sn, sv, sy, th, tn, tr, tw, tz, ua, ug, uk, us, uy, ve, vn, xk, za, "
    "arg, aus, aut, bel, bgr, bra, can, che, chl, chn, col, cze, deu, dnk, esp, est, fin, fra, gbr, grc, hrv, hun, "
    "ind, irl, isl, isr, ita, jpn, kor, ltu, lux, lva, mex, nld, nor, nzl, pol, prt, rou, rus, svk, svn, swe, tur, "
    "ukr, usa, zaf"
)
STATES = _listed(
    "alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, "
    "idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, "
    "minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico, new york, "
    "north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, "
    "tennessee, texas, utah, vermont, virginia, washington, west virginia, wisconsin, wyoming, district of columbia, "
    "al, ak, az, ar, ca, co, ct, de, fl, ga, hi, id, il, in, ia, ks, ky, la, me, md, ma, mi, mn, ms, mo, mt, ne, nv, "
    "nh, nj, nm, ny, nc, nd, oh, ok, or, pa, ri, sc, sd, tn, tx, ut, vt, va, wa, wv, wi, wy, dc, ontario, quebec, "
    "british columbia, alberta, manitoba, saskatchewan, nova scotia, new brunswick, newfoundland, bayern, hessen, "
    "sachsen, thüringen, berlin, hamburg, bremen, saarland, brandenburg, niedersachsen, nordrhein-westfalen, "
    "baden-württemberg, rheinland-pfalz, schleswig-holstein, sachsen-anhalt, mecklenburg-vorpommern, bavaria, saxony, "
    "nsw, vic, qld, wien, tirol, steiermark, kärnten, salzburg, vorarlberg, burgenland, niederösterreich, "
    "oberösterreich"
)


def is_no_answer(word: str) -> bool:
    """Return whether a value says that there is none, or none of the usual ones."""
    return word in NO_ANSWER
