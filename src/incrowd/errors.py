"""Every error that Incrowd raises on purpose.

    IncrowdError            exit code
    ├── UsageError          2   the request is invalid; nothing was read or written
    │   ├── HierarchyError  2   the hierarchy is invalid, or does not fit the column
    │   ├── JobError        2   the job is invalid; all its errors are listed
    │   └── Refused         2   the service refuses the request
    │       ├── NotThere        no such file or run, or not this user's
    │       ├── InUse           it cannot be deleted while a run needs it
    │       ├── TooLarge        a limit of the service is exceeded
    │       └── QueueFull       too many runs are waiting; try again later
    ├── SourceError         2   the data cannot be read or written
    ├── NotVerified         1   the release failed verification
    ├── Infeasible          3   no answer exists within the limits
    └── Interrupted         130 stopped before there was a result

Each message says what is wrong with the input, what exists, and what to do. None contains a value of a record.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

AMOUNTS = "a share of the records, as 0.02 or 2% (1.0 for all), or a number of records, as 1 or 20"
"""The forms of a suppression limit."""


class Unconfirmed(tuple[str, ...]):
    """Column names that may be the cells of a record: nothing shows that the first line is a header."""

    __slots__ = ()


class IncrowdError(Exception):
    """Base class of all errors raised on purpose."""

    exit_code = 4


class UsageError(IncrowdError):
    """The request is invalid."""

    exit_code = 2

    @classmethod
    def unknown_columns(cls, wanted: Iterable[str], existing: Sequence[str]) -> "UsageError":
        """Return the error for columns that the table lacks."""
        wanted = list(wanted)
        missing = [name for name in wanted if name not in existing]
        hints = [] if unseen(wanted, existing) else [close_to(str(name), existing) for name in missing]
        words = "no column" if len(missing) == 1 else "no columns"
        return cls(f"{words} {listed(missing)}; {columns_are(wanted, existing)}" + "".join(hints))

    @classmethod
    def repeated_columns(cls, names: Iterable[str]) -> "UsageError":
        """Return the error for columns named more than once."""
        return cls(f"named more than once: {listed(sorted(names))}; name each column once")

    @classmethod
    def no_columns(cls, where: str) -> "UsageError":
        """Return the error for an empty list of columns."""
        return cls(f"{where} names no column; name at least one, or omit it to use all columns")

    @classmethod
    def bad_k(cls, k: object, name: str = "k") -> "UsageError":
        """Return the error for a number, usually k, that is not a whole number of at least 1."""
        return cls(f"{name} is {k!r}; it must be a whole number, 1 or more")

    @classmethod
    def bad_amount(cls, amount: object) -> "UsageError":
        """Return the error for what is neither a share of the records nor a number of them."""
        return cls(f"suppress is {amount!r}; it must be {AMOUNTS}, or 'find'")

    @classmethod
    def not_one_of(cls, what: str, given: object, allowed: Iterable[str]) -> "UsageError":
        """Return the error for a word outside a fixed list."""
        return cls(f"{what} is {given!r}; it may be {', '.join(allowed)}")

    @classmethod
    def exists(cls, what: str) -> "UsageError":
        """Return the error for an output that exists."""
        return cls(f"writing to {what}: it already exists; choose another name, or set replace to overwrite it")

    @classmethod
    def read_there(cls, place: object, what: str) -> "UsageError":
        """Return the error for an output that would overwrite an input; `what` includes its verb."""
        return cls(f"writing to {place}: {what} read from there; choose another name")

    @classmethod
    def shared_place(cls, place: object, one: str, other: str) -> "UsageError":
        """Return the error for two outputs with the same path."""
        return cls(f"writing to {place}: {one} and {other} would both go there; choose another name for one of them")

    @classmethod
    def not_on_this_system(cls) -> "UsageError":
        """Return the error for a service on a system without file locks and process limits."""
        return cls(
            "serve: this system (such as Windows) lacks file locks and process limits; run it on Linux or macOS, or in "
            "a container; all other commands work here"
        )

    @classmethod
    def no_such(cls, one: str, name: str, known: Sequence[str]) -> "UsageError":
        """Return the error for an unknown member of a family."""
        return cls(f"there is no {one} {name!r}; there are {', '.join(known)}{close_to(name, known)}")

    @classmethod
    def no_option(cls, name: str, unknown: Sequence[str], has: Sequence[str]) -> "UsageError":
        """Return the error for unknown options of a member."""
        words = f"{name} has no option {', '.join(map(repr, unknown))}; it has {', '.join(has) or 'none'}"
        return cls(words + close_to(unknown[0], has))

    @classmethod
    def invalid(cls, what: str, why: str, instead: str) -> "UsageError":
        """Return the error for an invalid setting or combination of settings."""
        return cls(f"{what}: {why}; {instead}")


class HierarchyError(UsageError):
    """The hierarchy is invalid, or does not fit the column."""

    offending: tuple[str, ...] = ()
    """The values at fault, shown only on request; never in the message."""

    @classmethod
    def _with(cls, offending: Iterable[str], words: str) -> "HierarchyError":
        error = cls(words)
        error.offending = tuple(offending)
        return error

    @classmethod
    def lacks(cls, column: str, values: Sequence[str], distinct: int) -> "HierarchyError":
        """Return the error for values of the data that the hierarchy has no row for."""
        return cls._with(
            values,
            f"the hierarchy of column {column!r} lacks {len(values)} of its {distinct} different values; "
            "add them to the hierarchy, or declare the missing-value marker",
        )

    @classmethod
    def not_read(cls, column: str, kind: str, values: Sequence[str], distinct: int) -> "HierarchyError":
        """Return the error for values that the builder cannot use, such as texts that are not dates."""
        return cls._with(
            values,
            f"{len(values)} of the {distinct} different values of column {column!r} are not {kind}; "
            "correct them, declare the missing-value marker, or build the hierarchy in another way",
        )

    @classmethod
    def two_parents(cls, name: str, level: int, values: Sequence[str]) -> "HierarchyError":
        """Return the error for values, or labels, that have two labels on the next level."""
        distinct = len(set(values))
        return cls._with(
            dict.fromkeys(values),
            f"{name}: {distinct} {'value has' if distinct == 1 else 'values have'} two parents: equal on level "
            f"{level}, not on level {level + 1}; a level may merge labels of the level below, never split them",
        )

    @classmethod
    def no_top(cls, name: str, labels: Sequence[str]) -> "HierarchyError":
        """Return the error for more than one label on the last level."""
        return cls._with(
            labels,
            f"{name}: the last level has {len(labels)} labels; add a level with a single label, such as '*'",
        )

    @classmethod
    def ragged(cls, name: str, row: int, width: int) -> "HierarchyError":
        """Return the error for a row that is too short or too long, or has an empty label."""
        return cls(f"{name}: row {row} must have {width} non-empty cells: the value and its label on every level")

    @classmethod
    def empty(cls, name: str) -> "HierarchyError":
        """Return the error for a hierarchy without base values."""
        return cls(f"{name}: it has no values; give at least one")

    @classmethod
    def no_levels(cls, name: str) -> "HierarchyError":
        """Return the error for a hierarchy without a level above its base values."""
        return cls(f"{name}: it has values but no level above them; add a level with a single label, such as '*'")

    @classmethod
    def bad_losses(cls, name: str, wrong: str, right: str) -> "HierarchyError":
        """Return the error for invalid losses of the levels."""
        return cls(f"{name}: losses of the levels: {wrong}; they must be {right}")


class Fault(NamedTuple):
    """One error in a job."""

    line: int | None
    """The line in the file, counted from 1; None if there is no file."""
    where: str
    """The key or option, such as `columns.age.priority`; empty for the whole job."""
    what: str

    def __str__(self) -> str:
        at = [f"line {self.line}"] if self.line is not None else []
        return ": ".join([*at, *([self.where] if self.where else []), self.what])


class JobError(UsageError):
    """The job is invalid."""

    faults: tuple[Fault, ...] = ()
    """All errors, in the order of their lines."""

    @classmethod
    def of(cls, name: str, faults: Iterable[Fault]) -> "JobError":
        """Return the error that lists all errors of the named job, one per line."""
        known = sorted(dict.fromkeys(faults), key=lambda fault: fault.line or 0)
        error = cls(f"{name} has {_counted(len(known))}:\n" + "\n".join(map(str, known)))
        error.faults = tuple(known)
        return error


class Refused(UsageError):
    """The service refuses the request."""


class NotThere(Refused):
    """No such file or run, or not this user's; the error hides which."""

    @classmethod
    def of(cls, what: str, instead: str = "see the list of existing ones") -> "NotThere":
        """Return the error for something requested by its number or name."""
        return cls(f"there is no such {what}; {instead}")


class InUse(Refused):
    """It cannot be deleted while a run needs it."""


class TooLarge(Refused):
    """A limit of the service is exceeded."""

    @classmethod
    def beyond(cls, what: str, most: str, instead: str) -> "TooLarge":
        """Return the error for a limit that is exceeded."""
        return cls(f"{what}: the limit of {most} is exceeded; {instead}")


class QueueFull(Refused):
    """Too many runs are waiting; try again later."""

    seconds = 5
    """Seconds to wait before the next try."""


class SourceError(IncrowdError):
    """The data cannot be read or written."""

    exit_code = 2

    @classmethod
    def of(cls, source: object, wrong: str, remedy: str) -> "SourceError":
        """Return the error for one named source."""
        return cls(f"{source}: {wrong}; {remedy}")

    @classmethod
    def cannot_write(cls, place: object, error: OSError) -> "SourceError":
        """Return the error for a path that the system refuses to write."""
        return cls(f"{place}: cannot be written ({error.strerror}); check the folder, your permissions and the disk")

    @classmethod
    def of_system(cls, error: OSError) -> "SourceError":
        """Return the error for anything the system refused, such as a full disk or a protected folder."""
        what = error.strerror if error.errno is not None and error.strerror else "reading or writing failed"
        place = error.filename if isinstance(error.filename, str) else "a file"
        return cls.of(place, what, "check the path, your permissions and the disk")

    @classmethod
    def not_a_path(cls, location: str) -> "SourceError":
        """Return the error for a name that no file can have."""
        return cls.of(ascii(location), "not a valid file name", "rename it without control characters")

    @classmethod
    def header_looks_like_record(cls, source: object) -> "SourceError":
        """Return the error for a first line that is probably a record; none of it is shown."""
        return cls(
            f"{source}: the first line looks like a record, not a header; if it is a record, read the file with "
            "--no-header and --names (header: false and names in a job or in Python), or add a header; "
            "if it is the header, use --header (header: true)"
        )

    @classmethod
    def not_a_select(cls, source: object, line: int | None = None) -> "SourceError":
        """Return the error for a query that is not one SELECT statement; `line` is where parsing failed."""
        where = "" if line is None else f" (syntax error in line {line})"
        return cls(
            f"{source}: the query was not sent{where}; it must be a single SELECT statement that changes nothing"
        )

    @classmethod
    def reaches_out(cls, source: object, what: str) -> "SourceError":
        """Return the error for a table or query of a DuckDB file that reads more than the file."""
        return cls(
            f"{source}: {what} reads other files or addresses, or needs an extension; "
            "load the data into a table of the DuckDB file, or read the other file itself"
        )

    @classmethod
    def needs_extra(cls, source: object, library: str, extra: str) -> "SourceError":
        """Return the error for an optional library that is not installed."""
        return cls(f"{source}: reading it needs {library}, which is not installed; run: pip install 'incrowd[{extra}]'")


class TooManyCombinations(SourceError):
    """An engine has more distinct combinations than may be held here."""

    most = 0

    @classmethod
    def of_columns(cls, source: object, most: int, columns: Sequence[str]) -> "TooManyCombinations":
        """Return the error for columns of a source, with the limit."""
        error = cls(
            f"{source}: there are more than {most:,} combinations of {listed(columns)}, the limit (most_combinations); "
            "name fewer columns, or raise most_combinations"
        )
        error.most = most
        return error


class NotVerified(IncrowdError):
    """The release failed verification."""

    exit_code = 1

    def __init__(self, failed: Iterable[str], verdict: object = None) -> None:
        super().__init__(f"the release failed verification and was discarded ({', '.join(failed)}); please report this")
        self.verdict = verdict
        """The verdict of the verification."""


class Infeasible(IncrowdError):
    """No answer exists within the limits."""

    exit_code = 3

    @classmethod
    def gives_away(cls, cells: int, to_contributors: int, sensitive: int, remedy: str) -> "Infeasible":
        """Return the error for a table that discloses sensitive cells, exactly or nearly, if only to contributors."""
        only = f" ({to_contributors} only to contributors, who know their own records)" if to_contributors else ""
        return cls(
            f"the table would disclose {cells + to_contributors} of its {sensitive} sensitive cells{only}: they can be "
            f"derived, or bounded too narrowly; nothing is published; {remedy}"
        )


class Interrupted(IncrowdError):
    """Stopped before there was a result."""

    exit_code = 130


def close_to(given: str, existing: Iterable[str]) -> str:
    """Return a hint at the closest existing name, to append to a message; empty if none is close."""
    match = get_close_matches(given, list(existing), n=1, cutoff=0.6)
    return f"; did you mean {match[0]!r}?" if match else ""


def unseen(wanted: Iterable[object], existing: Sequence[str]) -> bool:
    """Return whether a message must not quote the existing columns; a requested one confirms the header."""
    return isinstance(existing, Unconfirmed) and not set(wanted) & set(existing)


def columns_are(wanted: Iterable[object], existing: Sequence[str]) -> str:
    """Return a list of the table's columns, or how to see them if they may be a record."""
    if not unseen(wanted, existing):
        return f"the columns are {listed(existing)}"
    return (
        f"the {len(existing)} names in the first line are not shown, because it may be a record; see them with "
        "incrowd inspect, or confirm that it is a header with --header (header: true)"
    )


def _counted(faults: int) -> str:
    return "1 error" if faults == 1 else f"{faults} errors"


def listed(names: Iterable[str], most: int = 30) -> str:
    """Return names as a readable list, truncated after `most`."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
