"""FX-DIAG-1: the worked example of the Diagnosis Centre paper (Figures 2 and 3), which several tests use."""

from strategies import Row

CSV = """\
V,W,X,Y,Z
1,A,1,a,*
1,A,1,a,*
2,A,1,b,*
2,B,1,b,+
2,B,1,a,+
3,B,1,a,+
3,A,2,b,*
3,A,2,b,*
3,A,2,a,*
3,B,2,a,+
3,B,2,b,+
3,B,2,b,+
"""

COLUMNS, *_CELLS = [tuple(line.split(",")) for line in CSV.splitlines()]

ROWS: list[Row] = [dict(zip(COLUMNS, cells, strict=True)) for cells in _CELLS]
