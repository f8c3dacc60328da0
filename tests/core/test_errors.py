"""Messages say what is wrong, what exists and what to do, on one line."""

import pytest

from incrowd import errors
from incrowd.errors import IncrowdError, Infeasible, Interrupted, NotVerified, SourceError, UsageError, listed

MESSAGES = [
    (
        UsageError.unknown_columns(["zap"], ["sex", "zip"]),
        "no column 'zap'; the columns are 'sex', 'zip'; did you mean 'zip'?",
    ),
    (
        UsageError.unknown_columns(["sex", "qqq", "www"], ["sex", "zip"]),
        "no columns 'qqq', 'www'; the columns are 'sex', 'zip'",
    ),
    (UsageError.repeated_columns({"b", "a"}), "named more than once: 'a', 'b'; name each column once"),
    (
        UsageError.no_columns("quasi"),
        "quasi names no column; name at least one, or omit it to use all columns",
    ),
    (UsageError.bad_k(0), "k is 0; it must be a whole number, 1 or more"),
    (UsageError.bad_k("two"), "k is 'two'; it must be a whole number, 1 or more"),
    (
        UsageError.bad_amount(1.5),
        "suppress is 1.5; it must be a share of the records, as 0.02 or 2% (1.0 for all), or a number of records, as 1 "
        "or 20, or 'find'",
    ),
    (UsageError.not_one_of("nulls", "none", ["basic", "maybe"]), "nulls is 'none'; it may be basic, maybe"),
    (UsageError.invalid("a with b", "c", "leave out b"), "a with b: c; leave out b"),
    (SourceError.of("t.csv", "it is empty", "check the file"), "t.csv: it is empty; check the file"),
    (
        SourceError.cannot_write("out.csv", OSError(28, "No space left on device")),
        "out.csv: cannot be written (No space left on device); check the folder, your permissions and the disk",
    ),
    (
        SourceError.of_system(OSError(13, "Permission denied", "in.csv")),
        "in.csv: Permission denied; check the path, your permissions and the disk",
    ),
    (
        SourceError.not_a_path("a\x00b"),
        "'a\\x00b': not a valid file name; rename it without control characters",
    ),
    (
        SourceError.header_looks_like_record("t.csv"),
        "t.csv: the first line looks like a record, not a header; if it is a record, read the file with "
        "--no-header and --names (header: false and names in a job or in Python), or add a header; "
        "if it is the header, use --header (header: true)",
    ),
    (
        UsageError.exists("out.csv"),
        "writing to out.csv: it already exists; choose another name, or set replace to overwrite it",
    ),
    (
        UsageError.read_there("out.csv", "the data are"),
        "writing to out.csv: the data are read from there; choose another name",
    ),
    (
        UsageError.shared_place("out.csv", "the release", "the mapping"),
        "writing to out.csv: the release and the mapping would both go there; choose another name for one of them",
    ),
    (
        SourceError.not_a_select("sqlite:///t.db", 2),
        "sqlite:///t.db: the query was not sent (syntax error in line 2); "
        "it must be a single SELECT statement that changes nothing",
    ),
    (
        SourceError.reaches_out("duckdb:///t.db", "table 'v'"),
        "duckdb:///t.db: table 'v' reads other files or addresses, or needs an extension; "
        "load the data into a table of the DuckDB file, or read the other file itself",
    ),
    (
        UsageError.no_such("metric", "los", ["loss", "entropy"]),
        "there is no metric 'los'; there are loss, entropy; did you mean 'loss'?",
    ),
    (
        UsageError.no_option("mask", ["step"], ["steps"]),
        "mask has no option 'step'; it has steps; did you mean 'steps'?",
    ),
    (
        UsageError.not_on_this_system(),
        "serve: this system (such as Windows) lacks file locks and process limits; run it on Linux or macOS, or in a "
        "container; all other commands work here",
    ),
    (
        SourceError.needs_extra("t.xlsx", "python-calamine", "excel"),
        "t.xlsx: reading it needs python-calamine, which is not installed; run: pip install 'incrowd[excel]'",
    ),
]


@pytest.mark.parametrize(("error", "message"), MESSAGES, ids=lambda value: type(value).__name__)
def test_messages(error: IncrowdError, message: str) -> None:
    assert str(error) == message
    assert "\n" not in message


def test_every_constructor_is_tested() -> None:
    constructors = {
        f"{kind.__name__}.{name}"
        for kind in (UsageError, SourceError)
        for name, member in vars(kind).items()
        if isinstance(member, classmethod)
    }
    assert constructors == {
        "SourceError.cannot_write",
        "SourceError.header_looks_like_record",
        "SourceError.needs_extra",
        "SourceError.not_a_path",
        "SourceError.not_a_select",
        "SourceError.of",
        "SourceError.of_system",
        "SourceError.reaches_out",
        "UsageError.bad_k",
        "UsageError.bad_amount",
        "UsageError.exists",
        "UsageError.no_columns",
        "UsageError.no_option",
        "UsageError.no_such",
        "UsageError.not_on_this_system",
        "UsageError.not_one_of",
        "UsageError.read_there",
        "UsageError.repeated_columns",
        "UsageError.invalid",
        "UsageError.shared_place",
        "UsageError.unknown_columns",
    }


def test_exit_codes() -> None:
    # The service and its client have errors of their own, which no command leaves with.
    kinds = [kind for kind in IncrowdError.__subclasses__() if kind.__module__ == errors.__name__]
    codes = {kind.__name__: kind.exit_code for kind in [IncrowdError, *kinds]}
    assert codes == {
        "IncrowdError": 4,
        "UsageError": 2,
        "SourceError": 2,
        "NotVerified": 1,
        "Infeasible": 3,
        "Interrupted": 130,
    }


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    for kind in (UsageError, SourceError, NotVerified, Infeasible, Interrupted):
        assert f"── {kind.__name__}" in (errors.__doc__ or "")
        assert f" {kind.exit_code} " in (errors.__doc__ or "")


@pytest.mark.parametrize(
    ("number", "most", "text"),
    [(0, 2, ""), (2, 2, "'0', '1'"), (3, 2, "'0', '1' and 1 more"), (9, 1, "'0' and 8 more")],
)
def test_long_lists_are_cut(number: int, most: int, text: str) -> None:
    assert listed((str(at) for at in range(number)), most) == text
