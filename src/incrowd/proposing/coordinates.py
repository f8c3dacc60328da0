"""Judge coordinates: by themselves they tell where a person lives or was."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.naming import words_of

_NAMES = frozenset(
    words_of(
        "lat latitude long lon lng longitude gps coord coords coordinate coordinates easting northing utm geom "
        "geometry wkt geohash breitengrad laengengrad breite laenge koordinate koordinaten latitud longitud "
        "coordenada coordenadas coordonnee coordonnees breedtegraad lengtegraad latitudine longitudine coordinata"
    )
)
_PAIR = r"\(?[+-]?[0-9]{1,2}\.[0-9]{2,}\s*[,; ]\s*[+-]?[0-9]{1,3}\.[0-9]{2,}\)?|POINT ?\(.*\)"
_REASON = "coordinates show where a person lives or was"


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of coordinates."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if column.has_form(_PAIR):
        return Opinion(Role.QUASI, _REASON, 0.95)
    named = is_named_coordinate(column.name)
    return Opinion(Role.QUASI, _REASON, 0.93) if named and column.is_number and column.distinct > 2 else None


def is_named_coordinate(name: str) -> bool:
    """Return whether a column is called after a coordinate."""
    return bool(_NAMES & set(words_of(name)))
