"""Ordered scales: the words for each of their points, from the least to the most."""


def _points(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word.strip() for word in point.split(",")) for point in text.split("<"))


SCALES: tuple[tuple[frozenset[str], ...], ...] = tuple(
    map(
        _points,
        (
            "none, no, keine, keiner, aucun, ninguno, geen, nessuno, nenhum"
            "< minimal, very low, very small, sehr niedrig, sehr gering, sehr klein, très faible, muy bajo, zeer laag, "
            "molto basso, muito baixo"
            "< low, small, little, mild, slight, light, minor, niedrig, gering, klein, leicht, faible, petit, léger, "
            "bajo, "
            "pequeño, leve, laag, licht, basso, lieve, baixo, pequeno"
            "< lower middle, lower medium, low medium, low-medium"
            "< medium, middle, moderate, intermediate, average, mid, mittel, mäßig, maessig, moyen, modéré, medio, "
            "moderado, "
            "middel, matig, moderato, médio"
            "< upper middle, upper medium, high medium, high-medium"
            "< high, large, big, strong, severe, serious, major, hoch, groß, gross, stark, schwer, élevé, grand, "
            "fort, grave, "
            "alto, grande, fuerte, hoog, groot, ernstig, forte"
            "< very high, very large, very strong, very severe, extreme, critical, sehr hoch, sehr groß, sehr stark, "
            "sehr schwer, très élevé, très fort, muy alto, zeer hoog, molto alto, muito alto"
            "< fatal, tödlich, mortel, mortal, dodelijk, fatale",
            "strongly disagree, disagree strongly, completely disagree, totally disagree, stimme überhaupt nicht zu, "
            "stimme gar nicht zu, lehne stark ab, pas du tout d'accord, totalmente en desacuerdo, helemaal mee oneens, "
            "per niente d'accordo, discordo totalmente"
            "< disagree, tend to disagree, somewhat disagree, stimme nicht zu, stimme eher nicht zu, pas d'accord, "
            "plutôt pas d'accord, en desacuerdo, oneens, mee oneens, in disaccordo, discordo"
            "< slightly disagree, mildly disagree"
            "< neutral, neither agree nor disagree, neither, undecided, teils teils, teils/teils, weder noch, "
            "ni d'accord ni pas d'accord, ni de acuerdo ni en desacuerdo, neutraal, né d'accordo né in disaccordo, "
            "neutro"
            "< slightly agree, mildly agree"
            "< agree, tend to agree, somewhat agree, stimme zu, stimme eher zu, d'accord, plutôt d'accord, "
            "de acuerdo, eens, "
            "mee eens, d'accordo, concordo"
            "< strongly agree, agree strongly, completely agree, totally agree, stimme voll zu, "
            "stimme voll und ganz zu, "
            "tout à fait d'accord, totalmente de acuerdo, helemaal mee eens, completamente d'accordo, "
            "concordo totalmente",
            "never, not at all, nie, niemals, jamais, nunca, nooit, mai"
            "< almost never, very rarely, fast nie, casi nunca, presque jamais"
            "< rarely, seldom, selten, rarement, raramente, rara vez, zelden"
            "< occasionally, gelegentlich, parfois, occasionnellement, ocasionalmente, af en toe"
            "< sometimes, several days, manchmal, quelquefois, a veces, soms, qualche volta, às vezes"
            "< often, frequently, häufig, oft, souvent, a menudo, vaak, spesso, frequentemente"
            "< very often, usually, mostly, more than half the days, meistens, sehr oft, très souvent, muy a menudo, "
            "meestal, di solito"
            "< almost always, nearly every day, fast immer, presque toujours, casi siempre"
            "< always, immer, toujours, siempre, altijd, sempre",
            "less than monthly, less than once a month, seltener als monatlich"
            "< monthly, monatlich, mensuel, mensual, maandelijks, mensile"
            "< weekly, wöchentlich, hebdomadaire, semanal, wekelijks, settimanale"
            "< several times a week, mehrmals pro woche"
            "< daily, täglich, quotidien, diario, dagelijks, giornaliero"
            "< several times a day, mehrmals täglich",
            "very poor, very bad, terrible, sehr schlecht, très mauvais, muy malo, zeer slecht, pessimo, muito ruim"
            "< poor, bad, schlecht, mauvais, malo, slecht, scarso, cattivo, ruim"
            "< fair, so-so, mäßig gut, teils gut, passable, regular, redelijk, discreto"
            "< good, gut, bon, bueno, goed, buono, bom"
            "< very good, sehr gut, très bon, muy bueno, zeer goed, ottimo, muito bom"
            "< excellent, outstanding, ausgezeichnet, hervorragend, excelente, uitstekend, eccellente",
            "very dissatisfied, sehr unzufrieden, très insatisfait, muy insatisfecho, zeer ontevreden"
            "< dissatisfied, unsatisfied, somewhat dissatisfied, unzufrieden, insatisfait, insatisfecho, ontevreden"
            "< neither satisfied nor dissatisfied, weder zufrieden noch unzufrieden"
            "< satisfied, somewhat satisfied, zufrieden, satisfait, satisfecho, tevreden"
            "< very satisfied, sehr zufrieden, très satisfait, muy satisfecho, zeer tevreden",
            "unimportant, not important, not at all important, unwichtig, pas important, sin importancia, onbelangrijk"
            "< slightly important, somewhat important, weniger wichtig, peu important, poco importante"
            "< important, moderately important, wichtig, importante, belangrijk"
            "< very important, extremely important, sehr wichtig, très important, muy importante, zeer belangrijk",
            "f, fail, failed, nicht bestanden, ungenügend, mangelhaft, insuffisant, insuficiente, onvoldoende, "
            "insufficiente"
            "< e < d, sufficient, ausreichend"
            "< c, satisfactory, befriedigend"
            "< b"
            "< a, pass with distinction",
            "illiterate, iliterate, no education, no schooling, no formal education, uneducated, ohne schulabschluss, "
            "kein abschluss, sans diplôme, sin estudios, geen opleiding, preschool"
            "< primary, elementary, primary school, primary education, grundschule, primaire, primaria, basisschool, "
            "elementare, hauptschule, hauptschulabschluss, volksschule"
            "< lower secondary, middle school, junior high school, some high school, less than high school, "
            "lt high school, "
            "realschule, realschulabschluss, mittlere reife, collège, vmbo, licenza media"
            "< secondary, secondary+, secondary school, high school, hs, hs-grad, high school graduate, "
            "upper secondary, "
            "gymnasium, abitur, matura, lycée, baccalauréat, secundaria, bachillerato, havo, vwo, diploma"
            "< some college, some-college, vocational, associate, assoc-voc, assoc-acdm, associate degree, "
            "junior college, "
            "post-secondary, lehre, mbo"
            "< tertiary, college, bachelor, bachelors, bachelor's, university, undergraduate, college graduate, "
            "universität, "
            "studium, hochschule, supérieur, licence, universidad, hbo, laurea"
            "< graduate, postgraduate, master, masters, master's, graduate school, prof-school, maestría, wo"
            "< doctorate, phd, ph.d., doctor, promotion, doctorat, doctorado",
            "1st, first, first class, upper < 2nd, second, second class, middle < 3rd, third, third class, lower"
            "< 4th, fourth < 5th, fifth < 6th, sixth < 7th, seventh < 8th, eighth < 9th, ninth < 10th, tenth"
            "< 11th, eleventh < 12th, twelfth",
            "i < ii < iii < iv < v < vi < vii < viii < ix < x",
            "unskilled < semi-skilled, semiskilled < skilled",
            "none < parttime, part-time, part time, teilzeit < fulltime, full-time, full time, vollzeit",
            "infant, baby < toddler < child, children, kind < adolescent, teen, teenager, jugendlicher "
            "< young adult, young < adult, adults, erwachsener < middle aged, middle-aged < elderly, senior, old, "
            "older adult",
            "january, jan, januar, janvier, enero < february, feb, februar, février, febrero"
            "< march, mar, märz, mars, marzo < april, apr, avril, abril < may, mai, mayo < june, jun, juni, juin, junio"
            "< july, jul, juli, juillet, julio < august, aug, août, agosto < september, sep, sept, septembre, "
            "septiembre"
            "< october, oct, oktober, octobre, octubre < november, nov, novembre, noviembre"
            "< december, dec, dezember, décembre, diciembre",
            "monday, mon, montag, lundi, lunes < tuesday, tue, dienstag, mardi, martes"
            "< wednesday, wed, mittwoch, mercredi, miércoles < thursday, thu, donnerstag, jeudi, jueves"
            "< friday, fri, freitag, vendredi, viernes < saturday, sat, samstag, samedi, sábado"
            "< sunday, sun, sonntag, dimanche, domingo",
            "xs, extra small < s < m < l < xl, extra large < xxl",
        ),
    )
)
