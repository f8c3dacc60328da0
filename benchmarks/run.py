"""Speed, each figure beside its reference measured in the same run: python benchmarks/run.py [NAME...]

Every measurement runs in a process of its own; CPU time is the process's, all threads included, after imports; the
least of three runs counts. The targets are ratios to the reference, or seconds where there is none.
"""

import tables
import whole_runs
from harness import Figures, Row, command, measure, run

import anonymization
import engines

# Q2 on ten million rows and nine columns.


def q2_parquet_incrowd() -> Figures:
    from incrowd.api import diagnose

    path = tables.DATA / "ten-million.parquet"
    return measure(lambda: diagnose(str(path)).k(tables.NINE))


def q2_csv_incrowd() -> Figures:
    from incrowd.api import diagnose

    path = tables.DATA / "ten-million.csv"
    return measure(lambda: diagnose(str(path)).k(tables.NINE))


def _duckdb_k(path: str) -> Figures:
    import duckdb

    columns = ", ".join(f'"{name}"' for name in tables.NINE)
    query = f"SELECT min(n) FROM (SELECT count(*) n FROM '{path}' GROUP BY {columns})"
    return measure(lambda: duckdb.connect().sql(query).fetchall()[0][0])


def q2_parquet_duckdb() -> Figures:
    return _duckdb_k(str(tables.DATA / "ten-million.parquet"))


def q2_csv_duckdb() -> Figures:
    return _duckdb_k(str(tables.DATA / "ten-million.csv"))


# Q4: every set of columns.


def q4_eight_incrowd() -> Figures:
    from incrowd.api import diagnose

    counted = diagnose(tables.adult().select(tables.EIGHT))
    counted.frequencies(counted.among)
    return measure(lambda: len(counted.ask().answer))


def q4_eight_with_counting_incrowd() -> Figures:
    from incrowd.api import diagnose

    table = tables.adult().select(tables.EIGHT)
    diagnose(table.slice(0, 1)).ask()  # imports what is imported on first use
    return measure(lambda: diagnose(table).ask().evaluations)


def q4_eight_duckdb() -> Figures:
    import duckdb

    connection = duckdb.connect()
    frame = tables.adult().select(tables.EIGHT)
    connection.register("frame", frame)
    connection.sql("CREATE TABLE adult AS FROM frame")
    columns = ", ".join(f'"{name}"' for name in tables.EIGHT)
    cube = f"SELECT grouping({columns}) g, count(*) n FROM adult GROUP BY CUBE ({columns})"
    query = f"SELECT g, min(n) FROM ({cube}) GROUP BY g"
    return measure(lambda: len(connection.sql(query).fetchall()))


# The same questions about a sensitive column.

SEVEN = tuple(name for name in tables.EIGHT if name != "occupation")


def _about_occupation(**asked: object) -> Figures:
    from incrowd.api import diagnose

    among = (*SEVEN, "salary-class")
    counted = diagnose(tables.adult().select([*among, "occupation"]), among=among)
    counted.ask(**asked)  # counts the records and imports what is imported on first use
    return measure(lambda: counted.ask(**asked).evaluations)


def q8_k_incrowd() -> Figures:
    return _about_occupation(suppress=0.05)


def q8_l_incrowd() -> Figures:
    return _about_occupation(suppress=0.05, sensitive="occupation")


def q8_t_incrowd() -> Figures:
    return _about_occupation(suppress=0.05, sensitive="occupation", measure="t_closeness")


def _fourteen() -> object:
    return tables.adult().drop_columns(["fnlwgt"])


def q4_fourteen_incrowd() -> Figures:
    from incrowd.api import diagnose

    counted = diagnose(_fourteen())
    counted.frequencies(counted.among)
    return measure(lambda: counted.ask().evaluations)


def _counted_sets() -> tuple[list[list[str]], dict[str, object]]:
    """The sets that Incrowd really counts over 14 columns, and the encoded records."""
    from incrowd.api import diagnose

    table = _fourteen()
    answer = diagnose(table).ask()
    sets = [row["quasi"] for row in answer.below_border()] + answer.other_border
    return sets, {name: table.column(name).combine_chunks().dictionary_encode() for name in table.column_names}


def q4_fourteen_numpy() -> Figures:
    """One group-by of the records for each of these sets, as NumPy offers it: distinct rows."""
    import numpy as np

    sets, columns = _counted_sets()
    codes = {name: np.asarray(column.indices) for name, column in columns.items()}
    rows = {name: np.column_stack([codes[each] for each in names]) for names in sets for name in [tuple(names)]}
    return measure(lambda: sum(len(np.unique(each, axis=0, return_counts=True)[1]) for each in rows.values()))


def q4_fourteen_numpy_packed() -> Figures:
    """The same with the columns packed into one integer by hand, which suits NumPy 2.3 and later best."""
    import numpy as np

    sets, columns = _counted_sets()
    codes = {name: np.asarray(column.indices).astype(np.int64) for name, column in columns.items()}

    def group_by() -> int:
        classes = 0
        for first, *others in sets:
            key = codes[first]
            for name in others:
                key = key * len(columns[name].dictionary) + codes[name]
            classes += len(np.unique(key, return_counts=True)[1])
        return classes

    return measure(group_by)


def q4_twenty_incrowd() -> Figures:
    from incrowd.api import diagnose

    path = tables.DATA / "twenty.parquet"
    return measure(lambda: diagnose(str(path)).ask().evaluations)


def q3_forty_incrowd() -> Figures:
    from incrowd.api import diagnose

    table = tables.wide(200_000, 40)

    def ask() -> str:
        answer = diagnose(table).ask(k=5, time=60)
        found = f"{len(answer.answer)} largest, {len(answer.other_border or [])} smallest failing"
        return f"{'complete' if answer.complete else 'stopped'}: {found}, {answer.evaluations} counted"

    return measure(ask)


def q3_uniform_incrowd() -> Figures:
    """No proof counts fewer than 4,147 of the sets."""
    from incrowd.api import diagnose

    counted = diagnose(tables.uniform(1_000_000, 20))
    counted.frequencies(counted.among)

    def ask() -> str:
        answer = counted.ask(k=5)
        return f"{len(answer.answer)} largest, {len(answer.other_border or [])} smallest, {answer.evaluations} counted"

    return measure(ask)


def pairs_of_two_hundred() -> Figures:
    """What a diagnosis of everything decides first, and shows when it is stopped then."""
    return command("diagnose", str(tables.wide_parquet("wide-100k-200", 100_000, 200)), "--max-size", "2")


def forty_counted() -> Figures:
    """The records of 40 columns are nearly all different."""
    from incrowd.api import diagnose

    path = str(tables.wide_parquet("wide-1m-40", 1_000_000, 40))

    def count() -> int:
        counted = diagnose(path)
        return counted.frequencies(counted.among).combinations

    return measure(count)


# Special uniques.


def suda_incrowd() -> Figures:
    from incrowd.api import diagnose
    from incrowd.risks import assess
    from incrowd.watch import Watch

    frequencies = diagnose(tables.adult()).frequencies(tables.EIGHT)
    return measure(lambda: str(assess(frequencies, tables.EIGHT, watch=Watch()))[:0])


# Whole commands, in a new process.


def start_help() -> Figures:
    return command("--help")


def start_diagnose() -> Figures:
    return command("diagnose", str(tables.ADULT), "--missing", "?")


ARX_TITLE = "new process, Adult CSV to verified CSV (ARX, unverified: {:.1f} to {:.1f})".format(*whole_runs.ARX_START)

ROWS = [
    Row(
        "Q2, 10 M rows x 9, Parquet / DuckDB GROUP BY",
        "q2_parquet_incrowd",
        "q2_parquet_duckdb",
        "cpu",
        1 / 3,
        was=1.54,
    ),
    Row("the same, wall time", "q2_parquet_incrowd", "q2_parquet_duckdb", "wall", 1.0, was=1.43),
    Row("Q2, 10 M rows x 9, CSV / DuckDB GROUP BY", "q2_csv_incrowd", "q2_csv_duckdb", "cpu", 1.2, was=6.38),
    Row("the same, wall time", "q2_csv_incrowd", "q2_csv_duckdb", "wall", 1.0, was=5.94),
    Row("Q4, Adult, 8 columns (255 sets) / DuckDB CUBE", "q4_eight_incrowd", "q4_eight_duckdb", "cpu", 0.05),
    Row("the same with counting the records", "q4_eight_with_counting_incrowd", "q4_eight_duckdb", "cpu", 0.05),
    Row("Q8, 5 % suppressed, Adult, 8 columns, l of occupation / k", "q8_l_incrowd", "q8_k_incrowd", "cpu", 6.0),
    Row("the same, t of occupation / k", "q8_t_incrowd", "q8_k_incrowd", "cpu", 15.0),
    Row("Q4, Adult, 14 columns / NumPy distinct rows per set", "q4_fourteen_incrowd", "q4_fourteen_numpy", "cpu", 0.1),
    Row("the same / NumPy on keys packed by hand", "q4_fourteen_incrowd", "q4_fourteen_numpy_packed", "cpu", 1.0),
    Row("Q4, 1 M rows x 20, from Parquet", "q4_twenty_incrowd", None, "wall", 3.0),
    Row("Q3 k=5, 200,000 rows x 40", "q3_forty_incrowd", None, "wall", 60.0),
    Row("Q3 k=5, 1 M rows x 20 uniform columns", "q3_uniform_incrowd", None, "cpu", 5.0, was=15.2),
    Row(
        "Q4, sets of up to 2 of 200 columns, 100,000 rows, new process",
        "pairs_of_two_hundred",
        None,
        "cpu",
        5.0,
        was=117.0,
    ),
    Row("1 M rows x 40 columns, counted: memory in MB", "forty_counted", None, "memory", 1_000.0, was=3_516.0),
    Row("SUDA2, Adult, 8 columns", "suda_incrowd", None, "cpu", 2.0),
    Row("incrowd --help", "start_help", None, "wall", 0.3),
    Row("incrowd diagnose adult-train.csv", "start_diagnose", None, "wall", 1.0),
    Row(ARX_TITLE, "start_anonymize", None, "cpu", 0.45, was=0.90),
    Row("the same / loading the libraries alone", "start_anonymize", "start_libraries", "cpu", 4.0),
    Row("the same, search auto, which runs four", "start_anonymize_auto", None, "cpu", 1.5),
    Row(
        "Adult, optimal, 0 %, count and search (ARX, warm: 0.0346 s)",
        "adult_no_suppression",
        None,
        "cpu",
        0.0346 / 8,
        was=0.0119,
    ),
    Row("Adult, optimal, 2 % (ARX: 0.844 s)", "adult_two_percent", None, "cpu", 0.844 / 60, was=0.0208),
    Row("hard table, 1 M rows, optimal, 2 % (ARX: 29.7 s)", "hard", None, "cpu", 29.7 / 150, was=0.305),
    Row("hard table, 5 M rows, optimal, 2 % (ARX: 61.0 s)", "hard_five_million", None, "cpu", 61.0 / 120, was=0.84),
    Row("5 M rows, CSV to verified CSV", "five_million_csv", None, "wall", 6.0, was=13.2),
    Row("the same / in one thread", "five_million_csv", "five_million_csv_one_thread", "wall", 0.75),
    Row("1 M rows, mondrian, whole process", "million_mondrian", None, "cpu", 3.0, was=9.7),
    Row("1 M rows, layered", "million_layered", None, "cpu", 3.0, was=9.9),
    Row("1 M rows, k_members", "million_k_members", None, "cpu", 8.0, was=27.0),
    Row("loss of mondrian", "million_mondrian", None, "loss", 0.018, was=0.0178),
    Row("loss of layered", "million_layered", None, "loss", 0.0148, was=0.0147),
    Row("loss of k_members", "million_k_members", None, "loss", 0.0142, was=0.0141),
    Row("10 M rows, mondrian, Parquet to verified Parquet", "ten_million_mondrian", None, "cpu", 15.0),
    Row("its memory", "ten_million_mondrian", None, "memory", 1024),
    Row("100 M rows, the same", "hundred_million_mondrian", None, "cpu", 100.0, was=267.0, runs=1),
    Row("its memory", "hundred_million_mondrian", None, "memory", 2048, was=4800, runs=1),
    Row("500,000 rows x 30, loss of mondrian", "wide_mondrian", None, "loss", 0.368, was=0.368),
    Row("the same, layered", "wide_layered", None, "loss", 0.706, was=0.985),
    Row("the same, k_members in blocks of 1,024", "wide_k_members", None, "loss", 0.30),
    Row("the same, what auto takes", "wide_auto", None, "loss", 0.30),
    Row("verify 10 M rows, optimal, Parquet", "verify_ten_million", None, "cpu", 1.5, was=3.7),
    Row("the same / DuckDB GROUP BY of the file", "verify_ten_million", "verify_ten_million_duckdb", "cpu", 3.0),
    Row("verify 1 M rows, mondrian, with its private record", "verify_mondrian", None, "cpu", 2.0, was=13.5),
    Row("report on 1 M rows, mondrian", "report_mondrian", None, "cpu", 3.0, was=16.1),
    Row("measure 1 M rows, optimal", "measure_optimal", None, "cpu", 3.0, was=16.7),
    Row(
        "DuckDB relation, 10 M rows, optimal, as a frame / by hand",
        "duckdb_ten_million",
        "duckdb_ten_million_by_hand",
        "cpu",
        3.0,
        was=28.9,
    ),
    Row(
        "the same with one column kept / by hand",
        "duckdb_ten_million_kept",
        "duckdb_ten_million_kept_by_hand",
        "cpu",
        3.0,
    ),
    Row("DuckDB relation, 1 M rows, mondrian, as a frame", "duckdb_million_mondrian", None, "cpu", 6.0),
    Row("DuckDB relation, 1 M rows, layered, as a frame", "duckdb_million_layered", None, "cpu", 6.0),
    Row(
        "Spark local[2], 10 M rows, optimal, as a frame / by hand",
        "spark_ten_million",
        "spark_ten_million_by_hand",
        "cpu",
        2.0,
        was=140.7,
    ),
    Row("Spark, 1 M rows, one column kept / by hand", "spark_million_kept", "spark_million_kept_by_hand", "cpu", 2.0),
    Row(
        "PostgreSQL, 1 M rows, from table to table / by hand",
        "postgres_million",
        "postgres_million_by_hand",
        "cpu",
        1.3,
        was=23.2,
    ),
]


def prepare() -> None:
    """The large tables, and releases of them."""
    whole_runs.compiled()
    whole_runs.prepare()
    engines.prepare()
    tables.parquet("ten-million", tables.NINE, 10_000_000)
    tables.csv("ten-million", tables.NINE, 10_000_000)
    tables.parquet("one-million-nine", tables.NINE, 1_000_000)
    tables.parquet("five-million", tables.NINE, 5_000_000)
    tables.wide_parquet("wide-100k-200", 100_000, 200)
    tables.wide_parquet("wide-1m-40", 1_000_000, 40)
    tables.wide_parquet("wide-500k-30", 500_000, 30)
    names = tables.adult().column_names
    tables.parquet("twenty", [*names, "age", "education", "occupation", "hours-per-week", "relationship"], 1_000_000)


if __name__ == "__main__":
    found = {**vars(anonymization), **vars(whole_runs), **vars(engines), **globals()}
    run(__file__, found, ROWS, prepare)
