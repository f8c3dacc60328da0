"""Job: the frozen description of a run, to and from YAML, JSON, XML, a command line and a Python script."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    PrivateAttr,
    StrictInt,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    model_validator,
)

from incrowd.core.grid import Allowed, Generalize, Limit, Suppress, Suppression, Unit, allowed_by
from incrowd.core.knowledge import Known, Knows
from incrowd.core.schema import Nulls, Order, Role, WipedAs
from incrowd.errors import Fault, JobError, SourceError, UsageError, close_to, columns_are, unseen
from incrowd.jobs import checks, families, faults, json_file, variables
from incrowd.jobs.changes import Changes
from incrowd.jobs.document import Written, spelled
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.frozen import FrozenMapping, plain
from incrowd.jobs.grid import usual_search
from incrowd.jobs.metric import usual_metric
from incrowd.jobs.parts import Column, Data, Number, Origin, Output, Part, Population
from incrowd.jobs.suppression import known, plain_suppression, suppression
from incrowd.metrics import Metric
from incrowd.models import PrivacyModel, to_dict
from incrowd.models.paths import beginning_at
from incrowd.searches import Search

_FILE_SCHEMES = ("sqlite", "duckdb")
"""Schemes of URLs that name a file: a relative path after three slashes, an absolute one after four."""

_FORMS = {".yaml": "yaml_file", ".yml": "yaml_file", ".json": "json_file", ".xml": "xml_file"}
"""By the ending of a job file the module that reads it, loaded when it is needed."""


def as_data(given: Any) -> Any:
    """Return data that are given by their sources alone with their key."""
    return {"source": given} if isinstance(given, str | PathLike | list | tuple) else given


def _target(given: Any) -> Any:
    return {"to": given} if isinstance(given, str | PathLike) else given


def as_column(given: Any) -> Any:
    """Return a column that is given by its role alone with its key."""
    return {"role": given} if isinstance(given, str) else given


_Data = Annotated[Data | None, BeforeValidator(as_data, json_schema_input_type=str | list[str | Origin] | Data)]
_Output = Annotated[Output | None, BeforeValidator(_target, json_schema_input_type=str | Output)]
_Population = Annotated[
    Population | None, BeforeValidator(as_data, json_schema_input_type=str | list[str] | Population)
]
_Column = Annotated[Column, BeforeValidator(as_column, json_schema_input_type=Role | Column)]
_Model = Annotated[PrivacyModel, PlainValidator(families.model, json_schema_input_type=Any)]
_Knows = Annotated[Knows, PlainValidator(known, json_schema_input_type=Any)]
_Suppression = Annotated[Suppression, PlainValidator(suppression, json_schema_input_type=Any)]
_Search = Annotated[Search, PlainValidator(SEARCHES.member, json_schema_input_type=Any)]
# YAML and JSON have a word for it that is not a text.
_Wiped = Annotated[
    WipedAs | None,
    BeforeValidator(lambda given: WipedAs.NULL if given is None else given, json_schema_input_type=WipedAs | None),
]
_Metric = Annotated[Metric, PlainValidator(METRICS.member, json_schema_input_type=Any)]


class Job(Part):
    """The description of a run. Identifiers and columns that it does not mention are not published."""

    data: _Data = None
    """The data to read: a file or a database URL, a list of them, or `source` with options."""
    output: _Output = None
    """Output file or database URL, or `to` with options."""
    population: _Population = None
    """The population that the table was drawn from, for models that compare with it and for reports."""
    nulls: Nulls = Nulls.EXTENDED
    """Rule for matching cells with missing values."""
    order: Order = Order.SORTED
    """Order of the records in the release: sorted by their published values, or as in the source."""
    wiped: _Wiped = None
    """Content of a suppressed cell: `label`, the top of the hierarchy, or `null`, a missing value. By default null in
    columns of numbers, dates, times and booleans, which then keep their type (frames, Parquet, JSON lines, Excel,
    databases)."""
    columns: Annotated[Mapping[str, _Column], AfterValidator(FrozenMapping)]
    """The columns by name, each with its role, or with `role` and options."""
    models: tuple[_Model, ...]
    """The privacy models that every class must satisfy."""
    knows: _Knows = Known.RECORD
    """How much an attacker knows of a person, if a column tells the person: any one record (record), any m records (a
    number), or all of them (history). Under the last two, people are left out with all of their records."""
    generalize: Generalize | None = None
    """Generalize whole columns (column), single cells (cell) or nothing (none); by default as the search does."""
    suppress: _Suppression = 0
    """Suppression limit: a share of the records (0.02, 2%) or a number of records (1). Or what may be suppressed: row
    (without limit), column, cell or none. If a column tells the person, also `share` or `number` with `of` (records, or
    people: those who lose a record) and `whole` (true: a person who loses a record loses all of them)."""
    search: _Search = Field(default_factory=usual_search)
    """The search; by default auto, which runs several and takes the release that keeps most, or one that supports
    generalize and suppress."""
    metric: _Metric = Field(default_factory=usual_metric)
    """Metric to minimize; by default loss, or weighted_loss if a column declares losses."""
    time: Annotated[Number | None, Field(ge=0)] = None
    """Time limit (seconds); the search then stops with the best release so far."""
    seed: Annotated[StrictInt, Field(ge=0)] = 0
    """Random seed: the same job with the same seed gives the same release."""

    _base: Path = PrivateAttr(default_factory=Path)
    _file: Path | None = PrivateAttr(default=None)
    _unresolved: variables.Unresolved = PrivateAttr(default_factory=dict)
    _notes: tuple[str, ...] = PrivateAttr(default=())

    @model_validator(mode="wrap")
    @classmethod
    def _with_all_faults(cls, given: Any, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Job:
        """Return the job, or raise JobError with every fault: of reading, of single keys and of their combination."""
        if isinstance(given, Job):
            return given
        written = info.context if isinstance(info.context, Written) else Written("the job")
        job: Job | None = None
        try:
            job = validate(given)
        except ValidationError as error:
            faults.note(error, written, list(cls.model_fields))
        if isinstance(given, Mapping):
            checks.note(given, written)
        if job is None or written.faults:
            raise JobError.of(written.name, written.faults)
        renamed = SEARCHES.renamed(given["search"]) if isinstance(given, Mapping) and "search" in given else None
        job._notes = () if renamed is None else (renamed,)
        return job

    def __eq__(self, other: object) -> bool:
        """Return whether the descriptions are equal, whatever the origin of the jobs."""
        return isinstance(other, Job) and all(getattr(self, key) == getattr(other, key) for key in Job.model_fields)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], changes: Changes | None = None) -> Job:
        """Return the job that a YAML, JSON or XML file describes; paths in it begin at its folder.

        `${NAME}` under data, output and population is an environment variable. `changes` override the
        file.
        """
        path = Path(path)
        form = _FORMS.get(path.suffix.lower())
        if form is None:
            raise UsageError.not_one_of("the ending of a job file", path.suffix, _FORMS)
        job = cls._resolved(_written(form, read_text(path), str(path)), path.parent, changes or Changes())
        job._file = path
        return job

    @classmethod
    def from_text(cls, text: str, name: str = "the job", changes: Changes | None = None) -> Job:
        """Return the job that a YAML, JSON or XML text describes, as `from_file`, from the present folder."""
        form = {"{": "json_file", "<": "xml_file"}.get(text.lstrip()[:1], "yaml_file")
        return cls._resolved(_written(form, text, name), Path(), changes or Changes())

    @classmethod
    def _resolved(cls, written: Written, base: Path, changes: Changes) -> Job:
        unresolved = variables.resolved(written)
        changes.put_into(written, _at_present)
        job = cls.from_written(written, base)
        job._unresolved = changes.still_unresolved(unresolved)
        return job

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], base: str | os.PathLike[str] = "") -> Job:
        """Return the job that plain data describe; paths in it begin at the folder `base`."""
        return cls.from_written(Written("the job", plain), Path(base))

    @classmethod
    def from_written(cls, written: Written, base: Path) -> Job:
        """Return the job that a reader found."""
        with beginning_at(base):
            job = cls.model_validate(written.plain, context=written)
        job._base = base
        return job

    def changed(
        self,
        output: str | None = None,
        replace: bool = False,
        time: float | None = None,
        search: Any = None,
        drop: Sequence[str] = (),
    ) -> Job:
        """Return the job with another output, seen from the present folder, with `replace`, less time, another search,
        or without some columns."""
        changes = Changes(output, replace, time, search, drop)
        if changes == Changes():
            return self
        written = Written("the job", self.to_dict())
        changes.put_into(written, _at_present)
        # No option of a command line is at fault here.
        written.names.clear()
        job = Job.from_written(written, self._base)
        job._file, job._notes = self._file, self._notes
        job._unresolved = changes.still_unresolved(self._unresolved)
        return job

    def with_search(self, search: Search) -> Job:
        """Return the job with another search; raise JobError with all settings that this one does not understand."""
        job = Job.from_dict({**self.to_dict(), "search": search}, self._base)
        job._file, job._notes, job._unresolved = self._file, self._notes, self._unresolved
        return job

    def without_output(self) -> Job:
        """Return the job for a run that writes nothing."""
        return self.model_copy(update={"output": None})

    @property
    def unresolved(self) -> variables.Unresolved:
        """Texts with environment variables as they were written, by their place in the job."""
        return self._unresolved

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about earlier names in the job, which still work."""
        return self._notes

    @property
    def file(self) -> Path | None:
        """The file that the job was read from."""
        return self._file

    @property
    def base(self) -> Path:
        """The folder at which paths begin."""
        return self._base

    def located(self, location: str, absolute: bool = False) -> str:
        """Return a path or URL of the job, seen from the present folder or absolute."""
        return _below(Path.cwd() / self._base if absolute else self._base, location)

    def having(self, role: Role) -> tuple[str, ...]:
        """Return the columns with a role, in the order of the job."""
        return tuple(name for name, column in self.columns.items() if column.role == role)

    @property
    def person(self) -> tuple[str, ...]:
        """The columns that together tell which person a record is about; none if records are counted."""
        return tuple(name for name, column in self.columns.items() if column.role == Role.PERSON or column.person)

    @property
    def missing(self) -> tuple[str, ...]:
        """The missing-value markers of the data."""
        return () if self.data is None else self.data.missing

    @property
    def normalizing(self) -> dict[str, tuple[str, ...]]:
        """By column how its cells are read, as steps to their normal form, where it has any."""
        return {name: column.steps for name, column in self.columns.items() if column.steps}

    def budget(self, existing: int) -> int:
        """Return how many of the records, or of the people if the limit counts them, may go; a share is rounded
        down."""
        match self.allowed:
            case Suppress() as what:
                return existing if what == Suppress.ROW else 0
            case Decimal() as share:
                return int(Fraction(share) * existing)
            case number:
                return min(number, existing)

    @property
    def counts_lost_people(self) -> bool:
        """Whether the suppression limit counts people who lose a record, not records."""
        return isinstance(self.suppress, Limit) and self.suppress.of == Unit.PEOPLE

    @property
    def takes_whole_people(self) -> bool:
        """Whether a person who loses a record loses all of them."""
        return self.knows != Known.RECORD or (isinstance(self.suppress, Limit) and self.suppress.whole)

    @property
    def allowed(self) -> Allowed:
        """Return what may be suppressed: as the job says, or rows if the search's options drop records."""
        unsaid = "suppress" not in self.model_fields_set
        return Suppress.ROW if unsaid and self.search.drops_records else allowed_by(self.suppress)

    def check_columns(self, existing: Sequence[str]) -> None:
        """Raise JobError with all columns of the job that a table lacks."""
        lacking = [name for name in self.columns if name not in existing]
        exist = f"; {columns_are(self.columns, existing)}"
        quoted = () if unseen(self.columns, existing) else existing
        hints = [close_to(name, quoted) or exist for name in lacking]
        unknown = [
            Fault(None, spelled(("columns", name)), f"the data have no such column{hint}")
            for name, hint in zip(lacking, hints, strict=True)
        ]
        if unknown:
            raise JobError.of("the job", unknown)

    def to_dict(self) -> dict[str, Any]:
        """Return the job as plain data, without defaults; `from_dict` returns an equal job."""
        return {key: _IN_SHORT.get(key, str)(getattr(self, key)) for key in self._unusual()}

    def to_yaml(self, notes: Mapping[str, str] | None = None) -> str:
        """Return the job as YAML; notes on keys, and on columns as `columns.age`, become comments."""
        from incrowd.jobs import yaml_file

        return yaml_file.write(self.to_dict(), notes)

    def to_json(self) -> str:
        """Return the job as JSON."""
        return json_file.write(self.to_dict())

    def to_xml(self) -> str:
        """Return the job as XML, after ANON's definition file."""
        from incrowd.jobs.xml_writing import write

        return write(self)

    def to_command(self) -> str:
        """Return the command line that does the same, from the present folder."""
        from incrowd.jobs.command import to_command

        return to_command(self)

    def to_script(self) -> str:
        """Return the Python script that does the same, from the present folder."""
        from incrowd.jobs.script import to_script

        return to_script(self)


def _at_present(location: str) -> str:
    return _below(Path.cwd(), location)


def _below(folder: Path, location: str) -> str:
    """Return a path, or the path in a file's URL, from a folder; other URLs and absolute paths stay."""
    scheme, separator, rest = location.partition("://")
    if not separator:
        return str(folder / location)
    if scheme in _FILE_SCHEMES and rest.startswith("/") and not rest.startswith("//"):
        return f"{scheme}:///{folder / rest[1:]}"
    return location


def _in_short(key: str) -> Callable[[Part], Any]:
    """Return a function that shortens a part to the value of one key, if the part has no other."""

    def shortened(part: Part) -> Any:
        plain = part.to_dict()
        return plain[key] if list(plain) == [key] else plain

    return shortened


_IN_SHORT: dict[str, Callable[[Any], Any]] = {
    "data": _in_short("source"),
    "output": _in_short("to"),
    "population": _in_short("source"),
    "columns": lambda columns: {name: column.to_dict() for name, column in columns.items()},
    "models": lambda models: [to_dict(model) for model in models],
    "knows": lambda knows: str(knows) if isinstance(knows, Known) else knows,
    "suppress": plain_suppression,
    "search": SEARCHES.to_plain,
    "metric": METRICS.to_plain,
    "time": plain,
    "seed": plain,
}


def _written(form: str, text: str, name: str) -> Written:
    found: Written = import_module(f"incrowd.jobs.{form}").read(text, name)
    return found


def read_text(path: Path) -> str:
    """Return the text of a job file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path, or write one with: incrowd init") from None
    except UnicodeDecodeError:
        raise SourceError.of(path, "it is not in UTF-8", "save it in that encoding") from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path") from None
