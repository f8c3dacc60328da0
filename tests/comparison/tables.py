"""An original and releases of it, written by hand."""

from pathlib import Path

ORIGINAL = """age,town,income
31,Graz,20
33,Graz,30
34,Leoben,90
47,Linz,20
48,Linz,40
62,Wels,30
"""
REGIONS = "Graz,Styria,*\nLeoben,Styria,*\nLinz,Upper Austria,*\nWels,Upper Austria,*\n"
RANGES = """age,town,income
31-34,Styria,20
31-34,Styria,30
31-34,Styria,90
47-62,Upper Austria,20
47-62,Upper Austria,40
47-62,Upper Austria,30
"""
"""As Incrowd's local recoding writes it."""
OTHERS = """age,town,income
"[31,34]","{Graz, Leoben}",20
"[31,34]","{Graz, Leoben}",30
"[31,34]","{Graz, Leoben}",90
>=47,L*,20
>=47,L*,40
"""
"""As others might; one record is suppressed, and so is part of a town's name."""


def written(folder: Path, **tables: str) -> dict[str, str]:
    """Tables as CSV files, by their names."""
    paths = {}
    for name, text in {"original": ORIGINAL, "regions": REGIONS, **tables}.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        paths[name] = str(path)
    return paths
