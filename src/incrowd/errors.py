"""Every error that Incrowd raises on purpose.

    IncrowdError            exit code
    ├── UsageError          2   what was asked for makes no sense; nothing was read or written
    │   ├── HierarchyError  2   a ladder of values that is none, or does not fit the column
    │   ├── JobError        2   a description of a run that makes no sense, with all its faults
    │   └── Refused         2   the service does not do what it was asked
    │       ├── NotThere        there is no such file or run, or it is another's
    │       ├── InUse           it cannot go while a run needs it
    │       ├── TooLarge        more than the service takes
    │       └── QueueFull       not now: too many runs are waiting
    ├── SourceError         2   what should be read cannot be read
    ├── NotVerified         1   a release was made that does not keep its promises
    ├── Infeasible          3   no answer exists under the given limits
    └── Interrupted         130 stopped by the user before anything was known

Each message says what is wrong with what was given, what exists, and what to do. None holds a record's value.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple


class Unconfirmed(tuple[str, ...]):
    """Names of columns that may be the cells of a record, because nothing shows that the first line is a header."""

    __slots__ = ()


class IncrowdError(Exception):
    """The root of all errors raised on purpose."""

    exit_code = 4


class UsageError(IncrowdError):
    """What was asked for makes no sense."""

    exit_code = 2

    @classmethod
    def unknown_columns(cls, wanted: Iterable[str], existing: Sequence[str]) -> "UsageError":
        """Columns that the table lacks."""
        wanted = list(wanted)
        missing = [name for name in wanted if name not in existing]
        hints = [] if unseen(wanted, existing) else [close_to(str(name), existing) for name in missing]
        words = "no column" if len(missing) == 1 else "no columns"
        return cls(f"{words} {listed(missing)}; {columns_are(wanted, existing)}" + "".join(hints))

    @classmethod
    def repeated_columns(cls, names: Iterable[str]) -> "UsageError":
        """A column named twice where each may come once."""
        return cls(f"named more than once: {listed(sorted(names))}; name each column once")

    @classmethod
    def no_columns(cls, where: str) -> "UsageError":
        """An empty list of columns."""
        return cls(f"{where} names no column; name at least one, or leave it out to ask over all columns")

    @classmethod
    def bad_k(cls, k: object, name: str = "k") -> "UsageError":
        """k, or another number, that is not a whole number of at least 1."""
        return cls(f"{name} is {k!r}; it must be a whole number, 1 or more")

    @classmethod
    def bad_share(cls, share: object) -> "UsageError":
        """A share of records outside 0..1."""
        return cls(f"suppress is {share!r}; it must be a share of the records from 0 to 1 (0.1 for a tenth), or 'find'")

    @classmethod
    def not_one_of(cls, what: str, given: object, allowed: Iterable[str]) -> "UsageError":
        """A word outside a fixed list."""
        return cls(f"{what} is {given!r}; it may be {', '.join(allowed)}")

    @classmethod
    def exists(cls, what: str) -> "UsageError":
        """Something that would have to be replaced."""
        return cls(f"writing to {what}: it exists; choose another name, or say that it may be replaced")

    @classmethod
    def read_there(cls, place: object, what: str) -> "UsageError":
        """An output that would overwrite what the run reads; `what` is plural or singular with its verb."""
        return cls(f"writing to {place}: {what} read from there; choose another name")

    @classmethod
    def shared_place(cls, place: object, one: str, other: str) -> "UsageError":
        """Two outputs of a run with one place."""
        return cls(f"writing to {place}: {one} and {other} would both go there; choose another name for one of them")

    @classmethod
    def not_on_this_system(cls) -> "UsageError":
        """A service on a system without file locks and without limits for processes."""
        return cls(
            "serving: this system has no file locks and no limits for processes, as Windows; run it on Linux or macOS, "
            "or in a container; all other commands work here"
        )

    @classmethod
    def senseless(cls, what: str, why: str, instead: str) -> "UsageError":
        """A combination of settings that has no meaning."""
        return cls(f"{what}: {why}; {instead}")


class HierarchyError(UsageError):
    """A ladder of values that is none, or does not fit the column."""

    offending: tuple[str, ...] = ()
    """The values at fault, for those who ask to see them; never in the message."""

    @classmethod
    def _with(cls, offending: Iterable[str], words: str) -> "HierarchyError":
        error = cls(words)
        error.offending = tuple(offending)
        return error

    @classmethod
    def lacks(cls, column: str, values: Sequence[str], distinct: int) -> "HierarchyError":
        """Values of the data that the hierarchy has no row for."""
        return cls._with(
            values,
            f"the hierarchy of column {column!r} lacks {len(values)} of its {distinct} different values; "
            "add them to the hierarchy, or name the text that stands for missing",
        )

    @classmethod
    def not_read(cls, column: str, kind: str, values: Sequence[str], distinct: int) -> "HierarchyError":
        """Values of the data that are not what the builder builds from."""
        return cls._with(
            values,
            f"{len(values)} of the {distinct} different values of column {column!r} are no {kind}; "
            "correct them, name the text that stands for missing, or build the hierarchy in another way",
        )

    @classmethod
    def two_parents(cls, name: str, level: int, values: Sequence[str]) -> "HierarchyError":
        """Values, or labels of a level, that lead to two labels on the next one."""
        distinct = len(set(values))
        return cls._with(
            dict.fromkeys(values),
            f"{name}: {distinct} {'value has' if distinct == 1 else 'values have'} two parents: equal on level "
            f"{level}, not on level {level + 1}; a level may join what the one below tells apart, never the reverse",
        )

    @classmethod
    def no_top(cls, name: str, labels: Sequence[str]) -> "HierarchyError":
        """More than one label on the last level."""
        return cls._with(
            labels,
            f"{name}: its last level has {len(labels)} labels; add a level on which all values are the same, as '*'",
        )

    @classmethod
    def ragged(cls, name: str, row: int, width: int) -> "HierarchyError":
        """A row that is too short or too long, or that has an empty label."""
        return cls(
            f"{name}: row {row} does not have {width} cells, all filled; give every value a label on every level"
        )

    @classmethod
    def empty(cls, name: str) -> "HierarchyError":
        """No base value."""
        return cls(f"{name}: it has no value; give at least one")

    @classmethod
    def no_levels(cls, name: str) -> "HierarchyError":
        """Base values alone."""
        return cls(
            f"{name}: it has values but no level above them; add a level on which all values are the same, such as '*'"
        )

    @classmethod
    def bad_losses(cls, name: str, wrong: str, right: str) -> "HierarchyError":
        """Losses per level that are no ladder."""
        return cls(f"{name}: losses of the levels: {wrong}; they must be {right}")


class Fault(NamedTuple):
    """One thing that is wrong with a job."""

    line: int | None
    """Where it is written, counted from 1; None where it is not in a file."""
    where: str
    """The key or option, as `columns.age.priority`; empty where it is the whole job."""
    what: str

    def __str__(self) -> str:
        at = [f"line {self.line}"] if self.line is not None else []
        return ": ".join([*at, *([self.where] if self.where else []), self.what])


class JobError(UsageError):
    """A description of a run that makes no sense."""

    faults: tuple[Fault, ...] = ()
    """All of them, in the order of their lines."""

    @classmethod
    def of(cls, name: str, faults: Iterable[Fault]) -> "JobError":
        """Everything that is wrong with the job of that name, one fault a line."""
        known = sorted(dict.fromkeys(faults), key=lambda fault: fault.line or 0)
        error = cls(f"{name} cannot run, for {_counted(len(known))}:\n" + "\n".join(map(str, known)))
        error.faults = tuple(known)
        return error


class Refused(UsageError):
    """The service does not do what it was asked."""


class NotThere(Refused):
    """There is no such file or run, or it is another's: whoever asks is not told which."""

    @classmethod
    def of(cls, what: str, instead: str = "look at the list of what there is") -> "NotThere":
        """Something that is asked for by its number or name."""
        return cls(f"there is no such {what}; {instead}")


class InUse(Refused):
    """It cannot go while a run needs it."""


class TooLarge(Refused):
    """More than the service takes."""

    @classmethod
    def beyond(cls, what: str, most: str, instead: str) -> "TooLarge":
        """A limit that was passed."""
        return cls(f"{what}: the service takes at most {most}; {instead}")


class QueueFull(Refused):
    """Not now: too many runs are waiting."""

    seconds = 5
    """When to ask again."""


class SourceError(IncrowdError):
    """What should be read cannot be read."""

    exit_code = 2

    @classmethod
    def of(cls, source: object, wrong: str, remedy: str) -> "SourceError":
        """Something wrong with one named source."""
        return cls(f"{source}: {wrong}; {remedy}")

    @classmethod
    def cannot_write(cls, place: object, error: OSError) -> "SourceError":
        """A place that the system does not let be written to."""
        return cls(f"{place}: it cannot be written ({error.strerror}); check the folder, your rights and the disk")

    @classmethod
    def of_system(cls, error: OSError) -> "SourceError":
        """What the system refused, wherever that was: a disk that is full, a folder that may not be written."""
        what = error.strerror if error.errno is not None and error.strerror else "reading or writing failed"
        place = error.filename if isinstance(error.filename, str) else "a file"
        return cls.of(place, what, "check the path, your permissions and the disk")

    @classmethod
    def not_a_path(cls, location: str) -> "SourceError":
        """A name that no file can have."""
        return cls.of(ascii(location), "no file can have this name", "rename it, without control characters")

    @classmethod
    def header_looks_like_record(cls, source: object) -> "SourceError":
        """A first line that is probably a person and not the names of columns, so none of it is shown."""
        return cls(
            f"{source}: its first line looks like a record, not like a header; if it is a record, read the file with "
            "--no-header and --names (header: false and names in a job, or in Python), or put a header before it; "
            "if it is the header, with --header (header: true)"
        )

    @classmethod
    def not_a_select(cls, source: object, line: int | None = None) -> "SourceError":
        """A query that is not one statement, or that may change data; `line` is where it cannot be parsed."""
        where = "" if line is None else f" (syntax error in line {line})"
        return cls(
            f"{source}: the query was not sent{where}; it must be a single SELECT statement that changes nothing"
        )

    @classmethod
    def reaches_out(cls, source: object, what: str) -> "SourceError":
        """A table or query of a DuckDB file that reads more than the file."""
        return cls(
            f"{source}: {what} reads other files or addresses, or needs an extension; "
            "load the data into a table of the DuckDB file, or read the other file itself"
        )

    @classmethod
    def needs_extra(cls, source: object, library: str, extra: str) -> "SourceError":
        """An optional library is absent."""
        return cls(f"{source}: reading it needs {library}, which is not installed; run: pip install 'incrowd[{extra}]'")


class NotVerified(IncrowdError):
    """A release was made that does not keep its promises."""

    exit_code = 1

    def __init__(self, failed: Iterable[str], verdict: object = None) -> None:
        super().__init__(
            f"the release was made, read again and found wanting ({', '.join(failed)}), so it was not kept; "
            "please report this"
        )
        self.verdict = verdict
        """What verification found."""


class Infeasible(IncrowdError):
    """No answer exists under the given limits."""

    exit_code = 3

    @classmethod
    def gives_away(cls, cells: int, to_contributors: int, sensitive: int, remedy: str) -> "Infeasible":
        """A table from which sensitive cells could be computed, or nearly so, if only by contributors."""
        only = f" ({to_contributors} only to contributors, who know their own records)" if to_contributors else ""
        return cls(
            f"the table would give away {cells + to_contributors} of its {sensitive} sensitive cells{only}: they can "
            f"be computed, or lie in too narrow a range; nothing is published; {remedy}"
        )


class Interrupted(IncrowdError):
    """Stopped by the user before anything was known."""

    exit_code = 130


def close_to(given: str, existing: Iterable[str]) -> str:
    """A hint at the existing name that was perhaps meant, to be put behind a message."""
    match = get_close_matches(given, list(existing), n=1, cutoff=0.6)
    return f"; did you mean {match[0]!r}?" if match else ""


def unseen(wanted: Iterable[object], existing: Sequence[str]) -> bool:
    """Return whether a message must not quote the existing columns; one that was asked for confirms the header."""
    return isinstance(existing, Unconfirmed) and not set(wanted) & set(existing)


def columns_are(wanted: Iterable[object], existing: Sequence[str]) -> str:
    """The columns that a table has, or how to see them where they may be a record."""
    if not unseen(wanted, existing):
        return f"the columns are {listed(existing)}"
    return (
        f"the {len(existing)} names in the first line are not shown, because it may be a record; look at them with "
        "incrowd inspect, or confirm that it is a header with --header (header: true)"
    )


def _counted(faults: int) -> str:
    return "one fault" if faults == 1 else f"{faults} faults"


def listed(names: Iterable[str], most: int = 30) -> str:
    """Names as a readable list, cut when very long."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
