"""The tables of the papers: Samarati's lecture, and the report on ANON."""

import csv
from io import StringIO

from incrowd.core.hierarchy import Hierarchy
from searches.problems import Row

SAMARATI = """id,Race,DOB,Sex,ZIP,Marital,Disease
t1,asian,64/04/12,F,94142,divorced,hypertension
t2,asian,64/09/13,F,94141,divorced,obesity
t3,asian,64/04/15,F,94139,married,chest pain
t4,asian,63/03/13,M,94139,married,obesity
t5,asian,63/03/18,M,94139,married,short breath
t6,black,64/09/27,F,94138,single,short breath
t7,black,64/09/27,F,94139,single,obesity
t8,white,64/09/27,F,94139,single,chest pain
t9,white,64/09/27,F,94141,widow,short breath
"""

ANON = """Name,ZIP,Age,Sex,Condition
Alice,13053,28,F,Hepatitis
Bob,13068,29,M,Hepatitis
Charlie,13068,21,M,Flu
Daniel,13053,23,M,Flu
Emma,14853,50,F,Cancer
Felix,14853,55,M,Hepatitis
George,14850,47,M,Flu
Harry,14850,49,M,Flu
Isabel,13053,31,F,Cancer
Jenny,13053,37,F,Cancer
Kate,13068,36,F,Cancer
Lara,13068,35,F,Cancer
"""


def rows_of(text: str) -> list[Row]:
    """The records of a table."""
    return list(csv.DictReader(StringIO(text)))


def samarati_rows() -> list[Row]:
    """FX-SAM-1."""
    return rows_of(SAMARATI)


def samarati_hierarchies() -> dict[str, Hierarchy]:
    """Race and ZIP."""
    codes = ("94138", "94139", "94141", "94142")
    return {
        "Race": Hierarchy.from_rows([(race, "person") for race in ("asian", "black", "white")]),
        "ZIP": Hierarchy.from_rows([(code, f"{code[:4]}*", "941**") for code in codes]),
    }


def anon_rows() -> list[Row]:
    """FX-ANON-1."""
    return rows_of(ANON)


def anon_hierarchies() -> dict[str, Hierarchy]:
    """ZIP, Age and Sex; the loss of a level is level / height."""
    codes = ("13053", "13068", "14850", "14853")
    ages = sorted({int(row["Age"] or 0) for row in anon_rows()})
    return {
        "ZIP": Hierarchy.from_rows([(code, f"{code[:4]}*", f"{code[:3]}**", "*****") for code in codes]),
        "Age": Hierarchy.from_rows([(str(age), decade(age), "<=40" if age <= 40 else ">40", "*") for age in ages]),
        "Sex": Hierarchy.from_rows([("F", "*"), ("M", "*")]),
    }


def decade(age: int) -> str:
    """The lower level of ages."""
    if age < 30:
        return "<30"
    return "3*" if age < 40 else ">=40"
