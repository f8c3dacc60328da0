"""Make the hospital-admissions example table. Everybody in it is invented.

    python examples/make_hospital.py [--rows 5000] [--seed 7] [OUT.csv]

Equal seed and rows give identical bytes on every machine and Python version. Therefore every draw goes
through `Random.random`, the only method whose sequence Python promises to keep, and only through
arithmetic that does not depend on the platform's mathematical library.
"""

import argparse
import csv
import io
import os
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

Option = TypeVar("Option")

FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2024, 12, 31)
READMISSION_SHARE = 0.08
CHRONIC_RETURN_SHARE = 0.5
FOREIGN_NAME_SHARE = 0.06
HOME_NATIONALITY = "Dutch"


class Admission(NamedTuple):
    """One row of the table; the field names are the column names, in their order."""

    name: str
    birth_date: str
    sex: str
    postcode: str
    marital_status: str
    nationality: str
    occupation: str
    admission_date: str
    diagnosis: str
    income: str


class Region(NamedTuple):
    """Postcodes with their weight (about the rows in 5,000), and how many of 100 people are foreign."""

    postcodes: Sequence[tuple[str, int]]
    foreign_percent: int


class AgeBand(NamedTuple):
    """Ages of patients at their first admission, both ends included."""

    youngest: int
    oldest: int
    weight: int


class Occupation(NamedTuple):
    """Work done from `youngest` to `oldest`; weights differ between city, towns and villages."""

    name: str
    youngest: int
    oldest: int
    lowest_income: int
    highest_income: int
    city_weight: int
    town_weight: int
    village_weight: int


class Diagnosis(NamedTuple):
    """Who can have a diagnosis, how often, and whether people come back to hospital with it."""

    name: str
    youngest: int
    oldest: int
    sexes: str
    weight: int
    chronic: bool


class NameList(NamedTuple):
    """Given and family names used together; the earlier a name stands, the more common it is."""

    female: Sequence[str]
    male: Sequence[str]
    family: Sequence[str]


CITY = Region(
    (
        ("01001", 520), ("01002", 450), ("01003", 400), ("01005", 350), ("01007", 310), ("01009", 270),
        ("01012", 230), ("01014", 190), ("01018", 150), ("01021", 120), ("01024", 90), ("01030", 60),
    ),
    foreign_percent=30,
)  # fmt: skip
TOWNS = Region(
    (
        ("28300", 330), ("28304", 270), ("28311", 220), ("28315", 180), ("28320", 150), ("28326", 120),
        ("28333", 95), ("28340", 75), ("28348", 60), ("28351", 45), ("28357", 35), ("28362", 25),
    ),
    foreign_percent=14,
)  # fmt: skip
VILLAGES = Region(
    (
        ("90701", 42), ("90703", 34), ("90706", 27), ("90710", 22), ("90714", 18), ("90717", 15),
        ("90722", 12), ("90725", 10), ("90729", 8), ("90733", 7), ("90738", 6), ("90741", 5),
        ("90746", 4), ("90752", 4), ("90758", 3), ("90764", 3),
    ),
    foreign_percent=5,
)  # fmt: skip
REGIONS = (CITY, TOWNS, VILLAGES)

AGE_PYRAMID = (
    AgeBand(0, 0, 20),
    AgeBand(1, 5, 30),
    AgeBand(6, 17, 45),
    AgeBand(18, 29, 90),
    AgeBand(30, 44, 135),
    AgeBand(45, 59, 170),
    AgeBand(60, 69, 175),
    AgeBand(70, 79, 190),
    AgeBand(80, 89, 120),
    AgeBand(90, 96, 25),
)

# Keyed by the first age that is too old for the row.
MARITAL_STATUS_BY_AGE: Sequence[tuple[int, Sequence[tuple[str, int]]]] = (
    (18, (("single", 1),)),
    (25, (("single", 90), ("married", 6), ("registered partnership", 4))),
    (35, (("single", 52), ("married", 36), ("registered partnership", 9), ("divorced", 3))),
    (50, (("single", 26), ("married", 53), ("registered partnership", 8), ("divorced", 12), ("widowed", 1))),
    (65, (("single", 14), ("married", 58), ("registered partnership", 5), ("divorced", 18), ("widowed", 5))),
    (80, (("single", 7), ("married", 58), ("registered partnership", 2), ("divorced", 13), ("widowed", 20))),
    (200, (("single", 5), ("married", 33), ("registered partnership", 1), ("divorced", 6), ("widowed", 55))),
)

FOREIGN_NATIONALITIES = (
    ("Polish", 230),
    ("Turkish", 200),
    ("German", 140),
    ("Moroccan", 120),
    ("Syrian", 90),
    ("Belgian", 60),
    ("Ukrainian", 50),
    ("Italian", 36),
    ("Portuguese", 26),
    ("Vietnamese", 18),
    ("French", 12),
    ("Danish", 9),
    ("Ivorian", 5),
    ("Icelandic", 3),
)

WITHOUT_INCOME = ("child", "pupil")
OCCUPATIONS = (
    Occupation("child", 0, 5, 0, 0, 1, 1, 1),
    Occupation("pupil", 6, 15, 0, 0, 1, 1, 1),
    Occupation("pupil", 16, 18, 0, 0, 80, 80, 80),
    Occupation("apprentice", 16, 21, 7_000, 15_000, 20, 30, 40),
    Occupation("student", 18, 29, 0, 14_000, 90, 50, 30),
    Occupation("homemaker", 22, 66, 0, 12_000, 14, 20, 24),
    Occupation("unemployed", 18, 66, 11_000, 21_000, 24, 20, 10),
    Occupation("cleaner", 18, 66, 15_000, 27_000, 20, 14, 4),
    Occupation("shop assistant", 18, 66, 17_000, 31_000, 26, 26, 8),
    Occupation("cook", 18, 66, 19_000, 38_000, 14, 10, 4),
    Occupation("hairdresser", 18, 66, 16_000, 34_000, 8, 8, 3),
    Occupation("warehouse worker", 18, 66, 21_000, 35_000, 20, 22, 8),
    Occupation("lorry driver", 21, 66, 26_000, 43_000, 10, 18, 14),
    Occupation("electrician", 20, 66, 28_000, 52_000, 10, 14, 10),
    Occupation("bricklayer", 18, 66, 25_000, 44_000, 8, 12, 12),
    Occupation("office clerk", 19, 66, 25_000, 48_000, 30, 24, 10),
    Occupation("care worker", 18, 66, 22_000, 37_000, 18, 18, 10),
    Occupation("nurse", 21, 66, 30_000, 54_000, 16, 14, 6),
    Occupation("teacher", 23, 66, 33_000, 66_000, 18, 16, 6),
    Occupation("police officer", 20, 62, 33_000, 61_000, 7, 6, 2),
    Occupation("accountant", 23, 68, 36_000, 88_000, 10, 7, 2),
    Occupation("software developer", 21, 66, 38_000, 105_000, 22, 8, 3),
    Occupation("engineer", 23, 67, 39_000, 98_000, 14, 10, 3),
    Occupation("café owner", 25, 72, 18_000, 92_000, 5, 4, 2),
    Occupation("farmer", 20, 78, 17_000, 96_000, 0, 10, 70),
    Occupation("physician", 27, 70, 62_000, 240_000, 7, 4, 1),
    Occupation("judge", 34, 70, 88_000, 165_000, 4, 0, 0),
    Occupation("retired", 60, 64, 13_000, 62_000, 70, 80, 90),
    Occupation("retired", 65, 67, 12_000, 62_000, 600, 600, 500),
    Occupation("retired", 68, 99, 11_000, 62_000, 300, 300, 300),
)

DIAGNOSES = (
    Diagnosis("bronchiolitis", 0, 1, "FMX", 260, False),
    Diagnosis("febrile seizure", 0, 5, "FMX", 90, False),
    Diagnosis("gastroenteritis", 0, 99, "FMX", 30, False),
    Diagnosis("tonsillitis", 3, 30, "FMX", 70, False),
    Diagnosis("forearm fracture", 3, 75, "FMX", 50, False),
    Diagnosis("concussion", 2, 90, "FMX", 32, False),
    Diagnosis("appendicitis", 5, 65, "FMX", 45, False),
    Diagnosis("asthma", 3, 70, "FMX", 30, True),
    Diagnosis("type 1 diabetes", 4, 45, "FMX", 24, True),
    Diagnosis("childbirth", 18, 44, "F", 260, False),
    Diagnosis("pregnancy complication", 18, 44, "F", 50, True),
    Diagnosis("depression", 14, 85, "FMX", 36, True),
    Diagnosis("alcohol dependence", 18, 75, "FMX", 24, True),
    Diagnosis("HIV infection", 18, 70, "FMX", 5, True),
    Diagnosis("Crohn's disease", 15, 60, "FMX", 14, True),
    Diagnosis("Guillain-Barré syndrome", 12, 80, "FMX", 3, False),
    Diagnosis("Ménière's disease", 30, 75, "FMX", 6, True),
    Diagnosis("gallstones", 25, 85, "FMX", 45, False),
    Diagnosis("kidney stones", 20, 80, "FMX", 34, False),
    Diagnosis("breast cancer", 30, 90, "F", 48, True),
    Diagnosis("prostate cancer", 50, 95, "M", 60, True),
    Diagnosis("colorectal cancer", 45, 95, "FMX", 34, True),
    Diagnosis("type 2 diabetes", 40, 99, "FMX", 52, True),
    Diagnosis("myocardial infarction", 40, 99, "FMX", 62, False),
    Diagnosis("heart failure", 55, 99, "FMX", 78, True),
    Diagnosis("stroke", 50, 99, "FMX", 62, False),
    Diagnosis("chronic bronchitis", 45, 99, "FMX", 48, True),
    Diagnosis("pneumonia", 0, 99, "FMX", 44, False),
    Diagnosis("cataract", 60, 99, "FMX", 60, False),
    Diagnosis("hip fracture", 65, 99, "FMX", 85, False),
)

MISSING_SHARES = (
    ("postcode", 0.003),
    ("marital_status", 0.02),
    ("nationality", 0.015),
    ("occupation", 0.03),
    ("income", 0.035),
)


def words(text: str) -> tuple[str, ...]:
    """Split a comma-separated list, which keeps the long lists of names readable."""
    return tuple(word.strip() for word in text.split(","))


NAMES = {
    "Dutch": NameList(
        words(
            "Maria, Johanna, Anna, Emma, Sophie, Sanne, Lotte, Fleur, Eva, Lisa, Femke, Zoë, Anouk, "
            "Noëlle, Iris, Marijke, Wilhelmina, Cornelia, Hendrika, Margriet, Ingrid, Petra, Saskia, "
            "Marleen, Annelies, Jantje, Trijntje, Geesje, Willemien, Liesbeth, Mirjam, Carla, Ellen, "
            "Renée, Chloë, Danique, Maaike, Nienke, Roos, Tess, Julia, Elin, Hanneke, Ria, Truus, Gerda, "
            "Dorothea, Aaltje, Froukje, Sietske, Joëlle, Merel"
        ),
        words(
            "Johannes, Jan, Pieter, Daan, Sem, Lucas, Bram, Thijs, Ruben, Jasper, Daniël, Michaël, Joël, "
            "Raphaël, Hendrik, Cornelis, Gerrit, Willem, Dirk, Klaas, Jacobus, Maarten, Sander, Jeroen, "
            "Bas, Niels, Wouter, Koen, Stijn, Teun, Gijs, Floris, Casper, Rutger, Sjoerd, Wiebe, Tjeerd, "
            "Fokke, Harm, Arend, Evert, Lammert, Adriaan, René, André, Marcel, Erik, Frank, Rob, Huub, "
            "Tobias, Matthijs"
        ),
        words(
            "de Jong, Jansen, de Vries, van den Berg, Bakker, van Dijk, Visser, Smit, Meijer, de Boer, "
            "Mulder, de Groot, Bos, Vos, Peters, Hendriks, van Leeuwen, Dekker, Brouwer, de Wit, "
            "Dijkstra, Smits, de Graaf, van der Meer, Kuiper, Veenstra, Kramer, van den Heuvel, van der "
            "Veen, Postma, Hoekstra, Prins, Koster, Willems, Schouten, Blom, van Vliet, Huisman, "
            "Verhoeven, Jacobs, Maas, van Beek, Timmermans, Groen, Gerritsen, Bosch, van Wijk, Verbeek, "
            "Kok, Molenaar, Zijlstra, Boonstra, Wagenaar, Sneijders, Hofman, Terpstra, Hoogland, Roelofs, "
            "van Veen, Goossens, Kuijpers, Martens, Coenen, Scholten, Reitsma, Bouwman, Evers, Lammers, "
            "Nijhuis, Oosterveld, Poelman, Rietveld, Schipper, Tuinstra, Uitdehaag, Wildeboer, IJzerman, "
            "Zwart, ten Brink, op den Kamp"
        ),
    ),
    "Polish": NameList(
        words("Agnieszka, Małgorzata, Katarzyna, Zofia, Elżbieta, Joanna, Halina, Bożena, Kinga, Dorota"),
        words("Łukasz, Paweł, Michał, Tomasz, Stanisław, Krzysztof, Grzegorz, Jędrzej, Marek, Wojciech"),
        words(
            "Nowak, Wójcik, Woźniak, Mazur, Krawczyk, Zając, Król, Dudek, Wieczorek, Pająk, Sikora, Bąk, "
            "Szewczyk, Gołąb, Żak, Kołodziej"
        ),
    ),
    "Turkish": NameList(
        words("Ayşe, Fatma, Elif, Zeynep, Gülsüm, Özlem, Şebnem, Emine, Derya, Hülya"),
        words("Mehmet, Mustafa, Ömer, Çağlar, Emre, Gökhan, Hüseyin, Uğur, Kemal, Tuncay"),
        words("Demir, Şahin, Çelik, Öztürk, Aydemir, Özdemir, Arslan, Doğan, Koç, Güneş, Erdoğan, Yavuz, Aksoy, Uçar"),
    ),
    "German": NameList(
        words("Ursula, Käthe, Gisela, Heike, Anneliese, Bärbel, Sabine, Friederike, Mia, Lieselotte"),
        words("Jürgen, Günther, Wolfgang, Jörg, Matthias, Björn, Karl-Heinz, Uwe, Leon, Dietrich"),
        words("Müller, Schröder, Krüger, Weiß, Köhler, Schäfer, Böhm, Jäger, Vogel, Lindner, Groß, Hübner, Kühn"),
    ),
    "Moroccan": NameList(
        words("Fatima, Khadija, Naïma, Samira, Aïcha, Zineb, Laïla, Hafsa, Soukaïna, Malika"),
        words("Mohammed, Youssef, Rachid, Hamza, Driss, Ismaïl, Abdelkader, Noureddine, Karim, Saïd"),
        words("El Amrani, Benali, Bouzid, El Idrissi, Aït Benhaddou, Chakir, Tahiri, Ouazzani, El Fassi, Berrada"),
    ),
    "Syrian": NameList(
        words("Rania, Hala, Nour, Yara, Lubna, Rima, Maysa, Dima"),
        words("Omar, Khaled, Bashir, Tarek, Anas, Firas, Nabil, Wael"),
        words("Al-Hamwi, Haddad, Khoury, Al-Masri, Darwish, Shami, Kassab, Al-Halabi, Najjar, Sabbagh"),
    ),
    "Belgian": NameList(
        words("Amélie, Hélène, Griet, Maïté, Veerle, Goedele, Céline, Lieve"),
        words("Loïc, Benoît, Joris, Stéphane, Wim, Gaëtan, Dries, Bart"),
        words("Peeters, Dubois, Claes, Lambert, Wouters, Dumont, De Smet, Leclercq, Mertens, Vandenbroucke"),
    ),
    "Ukrainian": NameList(
        words("Oksana, Olena, Nadiia, Yuliia, Iryna, Svitlana, Halyna, Kateryna"),
        words("Andrii, Oleksandr, Bohdan, Taras, Serhii, Mykola, Dmytro, Ostap"),
        words("Shevchenko, Bondarenko, Kovalenko, Tkachuk, Melnyk, Savchuk, Lysenko, Moroz, Hrytsenko, Kravets"),
    ),
    "Italian": NameList(
        words("Giulia, Chiara, Francesca, Noemi, Ludovica, Paola, Concetta"),
        words("Niccolò, Marco, Alessandro, Giosuè, Salvatore, Dario, Enzo"),
        words("Rossi, D'Angelo, Esposito, Ferrari, De Nicolò, Bianchi, Dell'Orto, Lo Presti"),
    ),
    "Portuguese": NameList(
        words("Conceição, Inês, Beatriz, Lúcia, Mafalda, Graça"),
        words("João, Tomé, Luís, Sebastião, Rui, Gonçalo"),
        words("Gonçalves, Magalhães, Simões, Araújo, Ferreira, Leitão, Brandão, Vaz"),
    ),
    "Vietnamese": NameList(
        words("Hương, Thảo, Lan, Nguyệt, Mỹ Linh"),
        words("Đức, Quân, Tuấn, Hải, Minh Khôi"),
        words("Nguyễn, Trần, Phạm, Đặng, Vũ, Bùi"),
    ),
    "French": NameList(
        words("Élodie, Geneviève, Aurélie, Maëlys, Solène"),
        words("François, Rémi, Théo, Jérôme, Côme"),
        words("Lefèvre, Moreau, Gauthier, Bérard, Fournier, Chênevert"),
    ),
    "Danish": NameList(
        words("Kirsten, Astrid, Bodil, Mette, Solvej"),
        words("Jørgen, Søren, Rasmus, Åge, Mads"),
        words("Jørgensen, Sørensen, Møller, Østergaard, Kjær, Bæk"),
    ),
    "Ivorian": NameList(
        words("Adjoua, Aya, Mariam, Désirée"),
        words("Kouamé, Yao, Moïse, Ibrahim"),
        words("Kouassi, N'Guessan, Koné, Traoré, Bamba"),
    ),
    "Icelandic": NameList(
        words("Guðrún, Sigríður, Þórdís, Hrafnhildur"),
        words("Þór, Gunnar, Ólafur, Snæbjörn"),
        words("Blöndal, Zoëga, Thorlacius, Hafstein, Briem"),
    ),
}

CENTENARIAN = Admission(
    "Geertruida Oosterwolde", "1920-11-02", "F", "01001", "widowed", "Dutch", "retired",
    "2024-03-12", "hip fracture", "19400",
)  # fmt: skip
YOUNG_WIDOW = Admission(
    "Noëmi Hakvoort", "2006-08-23", "F", "01002", "widowed", "Dutch", "pupil",
    "2024-02-05", "depression", "",
)  # fmt: skip
VILLAGE_JUDGE = Admission(
    "Maximiliaan ter Horst", "1965-04-30", "M", "90741", "married", "Dutch", "judge",
    "2023-09-18", "alcohol dependence", "121300",
)  # fmt: skip
ASTRONOMER = Admission(
    "Søren Kjærgaard", "1979-01-14", "M", "90758", "single", "Danish", "astronomer",
    "2023-05-27", "kidney stones", "68200",
)  # fmt: skip
ONLY_BHUTANESE = Admission(
    "Pema Wangchuk", "1988-07-09", "F", "01003", "married", "Bhutanese", "nurse",
    "2024-08-21", "childbirth", "41700",
)  # fmt: skip
RICH_FARMER = Admission(
    "Wilhelmina Raaijmakers", "1961-12-05", "F", "90729", "divorced", "Dutch", "farmer",
    "2024-06-03", "gallstones", "1840000",
)  # fmt: skip
OLD_STUDENT = Admission(
    "Łukasz Wiśniewski", "1952-10-17", "M", "01001", "married", "Polish", "student",
    "2024-01-29", "pneumonia", "9800",
)  # fmt: skip
MAN_WITH_BREAST_CANCER = Admission(
    "Cornelis Bakker", "1957-02-26", "M", "28300", "married", "Dutch", "retired",
    "2023-11-08", "breast cancer", "27500",
)  # fmt: skip
FREQUENT_PATIENT = Admission(
    "Antje Wiersma", "1944-06-11", "F", "90764", "widowed", "Dutch", "retired",
    "2023-02-20", "heart failure", "16800",
)  # fmt: skip
FREQUENT_PATIENT_RETURNS = (
    ("2023-06-01", "heart failure"),
    ("2023-10-16", "pneumonia"),
    ("2024-02-14", "heart failure"),
    ("2024-07-05", "heart failure"),
    ("2024-11-23", "stroke"),
)
# These rows never vary with the seed and are never readmitted by chance, so that they keep standing out.
PLANTED = (
    CENTENARIAN,
    YOUNG_WIDOW,
    VILLAGE_JUDGE,
    ASTRONOMER,
    ONLY_BHUTANESE,
    RICH_FARMER,
    OLD_STUDENT,
    MAN_WITH_BREAST_CANCER,
    FREQUENT_PATIENT,
    *(
        FREQUENT_PATIENT._replace(admission_date=day, diagnosis=diagnosis)
        for day, diagnosis in FREQUENT_PATIENT_RETURNS
    ),
)


def draw_integer(random: Random, lowest: int, highest: int) -> int:
    """Draw evenly, both ends included; `Random.randint` may change between Python versions."""
    return lowest + int(random.random() * (highest - lowest + 1))


def draw_weighted(random: Random, options: Sequence[tuple[Option, int]]) -> Option:
    """Draw one option in proportion to its weight."""
    remaining = draw_integer(random, 0, sum(weight for _, weight in options) - 1)
    for option, weight in options:
        if remaining < weight:
            return option
        remaining -= weight
    raise ValueError("there is no option with a weight above zero")


def draw_common(random: Random, options: Sequence[str]) -> str:
    """Draw an entry with preference for the early ones: some names are common and most are rare."""
    position = random.random()
    return options[int(len(options) * position * (0.45 + 0.55 * position))]


def age_on(birth: date, day: date) -> int:
    """Whole years lived on that day."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def draw_birth_date(random: Random, admitted: date) -> date:
    """Draw a birth date so that ages on admission follow the pyramid of a hospital, not of a country."""
    band = draw_weighted(random, [(band, band.weight) for band in AGE_PYRAMID])
    years = draw_integer(random, band.youngest, band.oldest)
    return admitted - timedelta(days=int(years * 365.25) + draw_integer(random, 0, 364))


def draw_sex(random: Random, age: int) -> str:
    """Draw a sex; women outlive men, and giving birth brings more young women to hospital."""
    if age >= 75:
        return draw_weighted(random, (("F", 590), ("M", 408), ("X", 2)))
    if 18 <= age < 45:
        return draw_weighted(random, (("F", 570), ("M", 421), ("X", 9)))
    return draw_weighted(random, (("F", 480), ("M", 516), ("X", 4)))


def draw_residence(random: Random) -> tuple[Region, str]:
    """Draw a postcode and the region around it, on which nationality and occupation depend."""
    residences = [((region, code), weight) for region in REGIONS for code, weight in region.postcodes]
    return draw_weighted(random, residences)


def draw_nationality(random: Random, region: Region) -> str:
    """Draw a nationality; the city is mixed, the villages hardly are."""
    if draw_integer(random, 1, 100) > region.foreign_percent:
        return HOME_NATIONALITY
    return draw_weighted(random, FOREIGN_NATIONALITIES)


def draw_name(random: Random, sex: str, nationality: str) -> str:
    """Draw a name that suits the nationality; some families took the home nationality long ago."""
    origin = nationality
    if nationality == HOME_NATIONALITY and random.random() < FOREIGN_NAME_SHARE:
        origin = draw_weighted(random, FOREIGN_NATIONALITIES)
    names = NAMES[origin]
    listed_as = draw_weighted(random, (("F", 1), ("M", 1))) if sex == "X" else sex
    given = draw_common(random, names.female if listed_as == "F" else names.male)
    return f"{given} {draw_common(random, names.family)}"


def draw_marital_status(random: Random, age: int) -> str:
    """Draw a marital status that people of this age have: children are single, many old people widowed."""
    statuses = next(statuses for too_old, statuses in MARITAL_STATUS_BY_AGE if age < too_old)
    return draw_weighted(random, statuses)


def occupation_weight(occupation: Occupation, region: Region) -> int:
    """How common an occupation is in a region: judges live in the city, farmers in the country."""
    if region is CITY:
        return occupation.city_weight
    return occupation.town_weight if region is TOWNS else occupation.village_weight


def draw_occupation(random: Random, age: int, region: Region) -> Occupation:
    """Draw an occupation that is possible at this age."""
    possible = [
        (occupation, occupation_weight(occupation, region))
        for occupation in OCCUPATIONS
        if occupation.youngest <= age <= occupation.oldest
    ]
    return draw_weighted(random, possible)


def draw_income(random: Random, occupation: Occupation) -> str:
    """Draw an income in whole hundreds, most of them near the lower end; children have none."""
    if occupation.name in WITHOUT_INCOME:
        return ""
    span = occupation.highest_income - occupation.lowest_income
    income = occupation.lowest_income + span * random.random() * (0.3 + 0.7 * random.random())
    return str(int(income / 100) * 100)


def draw_diagnosis(random: Random, age: int, sex: str, other_than: str = "") -> str:
    """Draw a diagnosis that is possible at this age and for this sex."""
    possible = [
        (diagnosis.name, diagnosis.weight)
        for diagnosis in DIAGNOSES
        if diagnosis.youngest <= age <= diagnosis.oldest and sex in diagnosis.sexes and diagnosis.name != other_than
    ]
    return draw_weighted(random, possible)


def draw_date_after(random: Random, day: date) -> date:
    """Draw a later day of the period that the table covers."""
    return day + timedelta(days=draw_integer(random, 1, (LAST_DAY - day).days))


def leave_cells_empty(random: Random, admission: Admission) -> Admission:
    """Empty some cells, as on forms that nobody filled in completely."""
    forgotten = {column: "" for column, share in MISSING_SHARES if random.random() < share}
    return admission._replace(**forgotten)


def draw_first_admission(random: Random) -> Admission:
    """Draw a new person together with the first stay in hospital."""
    admitted = FIRST_DAY + timedelta(days=draw_integer(random, 0, (LAST_DAY - FIRST_DAY).days))
    birth = draw_birth_date(random, admitted)
    age = age_on(birth, admitted)
    sex = draw_sex(random, age)
    region, postcode = draw_residence(random)
    nationality = draw_nationality(random, region)
    occupation = draw_occupation(random, age, region)
    complete = Admission(
        name=draw_name(random, sex, nationality),
        birth_date=birth.isoformat(),
        sex=sex,
        postcode=postcode,
        marital_status=draw_marital_status(random, age),
        nationality=nationality,
        occupation=occupation.name,
        admission_date=admitted.isoformat(),
        diagnosis=draw_diagnosis(random, age, sex),
        income=draw_income(random, occupation),
    )
    return leave_cells_empty(random, complete)


def draw_readmission(random: Random, earlier: Admission) -> Admission:
    """Draw another stay of the same person; chronic illness brings people back with the same diagnosis."""
    admitted = draw_date_after(random, date.fromisoformat(earlier.admission_date))
    age = age_on(date.fromisoformat(earlier.birth_date), admitted)
    chronic = any(diagnosis.chronic for diagnosis in DIAGNOSES if diagnosis.name == earlier.diagnosis)
    if chronic and random.random() < CHRONIC_RETURN_SHARE:
        diagnosis = earlier.diagnosis
    else:
        diagnosis = draw_diagnosis(random, age, earlier.sex, other_than=earlier.diagnosis)
    return earlier._replace(admission_date=admitted.isoformat(), diagnosis=diagnosis)


def make_admissions(rows: int, seed: int) -> list[Admission]:
    """Draw the whole table in order of admission; the planted people count towards `rows`."""
    if rows < len(PLANTED):
        raise ValueError(f"at least {len(PLANTED)} rows are needed for the people who stand out")
    random = Random(seed)
    readmissions = max(0, int(rows * READMISSION_SHARE) - len(FREQUENT_PATIENT_RETURNS))
    firsts = [draw_first_admission(random) for _ in range(rows - len(PLANTED) - readmissions)]
    can_return = [first for first in firsts if first.admission_date < LAST_DAY.isoformat()]
    returns = [
        draw_readmission(random, can_return[draw_integer(random, 0, len(can_return) - 1)]) for _ in range(readmissions)
    ]
    admissions = [*PLANTED, *firsts, *returns]
    return sorted(admissions, key=lambda row: (row.admission_date, row.name, row.birth_date))


def table_bytes(admissions: Sequence[Admission]) -> bytes:
    """Write the rows as UTF-8 CSV with the same line ends on every platform."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Admission._fields)
    writer.writerows(admissions)
    return text.getvalue().encode("utf-8")


def replace_file(target: Path, content: bytes) -> None:
    """Put the whole content in place at once, so that nobody ever reads half a table."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def main() -> None:
    """Read the command line and write the table."""
    parser = argparse.ArgumentParser(description="Make the hospital-admissions example table.")
    parser.add_argument("--rows", type=int, default=5000, help="rows below the header (default: 5000)")
    parser.add_argument("--seed", type=int, default=7, help="seed of the random draws (default: 7)")
    parser.add_argument(
        "out",
        metavar="OUT.csv",
        type=Path,
        nargs="?",
        default=Path(__file__).with_name("hospital.csv"),
        help="the file to write (default: hospital.csv beside this script)",
    )
    arguments = parser.parse_args()
    try:
        admissions = make_admissions(arguments.rows, arguments.seed)
    except ValueError as problem:
        parser.error(str(problem))
    replace_file(arguments.out, table_bytes(admissions))


if __name__ == "__main__":
    main()
