"""Job: the frozen description of a run, to and from YAML, JSON, XML, a command line and a Python script."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
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

from incrowd.core.grid import Allowed, Generalize, Suppress
from incrowd.core.schema import Nulls, Order, Role, WipedAs
from incrowd.errors import Fault, JobError, SourceError, UsageError, close_to, columns_are, unseen
from incrowd.jobs import checks, families, faults, json_file, variables, xml_file, yaml_file
from incrowd.jobs.document import Written, spelled
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.frozen import FrozenMapping, plain
from incrowd.jobs.grid import usual_search
from incrowd.jobs.metric import usual_metric
from incrowd.jobs.parts import Column, Data, Number, Origin, Output, Part, Population, suppression
from incrowd.metrics import Metric
from incrowd.models import PrivacyModel, to_dict
from incrowd.models.paths import beginning_at
from incrowd.searches import Search, drops_records

_FILE_SCHEMES = ("sqlite", "duckdb")
"""URLs that name a file: after three slashes by a relative path, after four by an absolute one."""

_READERS: dict[str, Callable[[str, str], Written]] = {
    ".yaml": yaml_file.read,
    ".yml": yaml_file.read,
    ".json": json_file.read,
    ".xml": xml_file.read,
}


def _source(given: Any) -> Any:
    return {"source": given} if isinstance(given, str | list | tuple) else given


def _target(given: Any) -> Any:
    return {"to": given} if isinstance(given, str) else given


_Data = Annotated[Data | None, BeforeValidator(_source, json_schema_input_type=str | list[str | Origin] | Data)]
_Output = Annotated[Output | None, BeforeValidator(_target, json_schema_input_type=str | Output)]
_Population = Annotated[
    Population | None, BeforeValidator(_source, json_schema_input_type=str | list[str] | Population)
]
_Model = Annotated[PrivacyModel, PlainValidator(families.model, json_schema_input_type=Any)]
_Suppression = Annotated[Allowed, PlainValidator(suppression, json_schema_input_type=Any)]
_Search = Annotated[Search, PlainValidator(SEARCHES.member, json_schema_input_type=Any)]
# YAML and JSON have a word for it that is not a text.
_Wiped = Annotated[
    WipedAs | None,
    BeforeValidator(lambda given: WipedAs.NULL if given is None else given, json_schema_input_type=WipedAs | None),
]
_Metric = Annotated[Metric, PlainValidator(METRICS.member, json_schema_input_type=Any)]


class Job(Part):
    """Everything that a run needs. Columns that it does not mention are not published, nor are identifiers."""

    data: _Data = None
    """What is read: a file or a database URL, a list of them, or `source` with more."""
    output: _Output = None
    """Where the release goes: a file or a database URL, or `to` with more."""
    population: _Population = None
    """The population that the table was drawn from, for models that compare with it, and for the report."""
    nulls: Nulls = Nulls.EXTENDED
    """When two cells match although one of them is missing."""
    order: Order = Order.SORTED
    """In what order the records of the release are: by what is published of them, or as the source has them."""
    wiped: _Wiped = None
    """What a suppressed cell shows: `label`, the top of the hierarchy, or `null`, a missing value. When not given, null
    in columns of numbers, dates, moments and truth values, which keep their type with it (frames, Parquet, JSON lines,
    Excel, databases)."""
    columns: Annotated[Mapping[str, Column], AfterValidator(FrozenMapping)]
    """What each column is for."""
    models: tuple[_Model, ...]
    """What every class of the release must fulfil."""
    generalize: Generalize | None = None
    """What goes up its hierarchy: column, cell or none; what the search does when not given."""
    suppress: _Suppression = 0
    """How many records may be left out: a share (0.02), or a whole number of records. Or what may be: row (as many as
    it takes), column, cell or none."""
    search: _Search = Field(default_factory=usual_search)
    """What chooses the recoding; when not given, optimal, or what generalize and suppress ask for."""
    metric: _Metric = Field(default_factory=usual_metric)
    """What the search keeps low; when not given, loss, or weighted_loss where a column declares losses."""
    time: Annotated[Number | None, Field(ge=0)] = None
    """Seconds after which the search stops with the best release found so far."""
    seed: Annotated[StrictInt, Field(ge=0)] = 0
    """What chance starts from: an equal job with an equal seed gives an equal release."""

    _base: Path = PrivateAttr(default_factory=Path)
    _file: Path | None = PrivateAttr(default=None)
    _unresolved: variables.Unresolved = PrivateAttr(default_factory=dict)

    @model_validator(mode="wrap")
    @classmethod
    def _with_all_faults(cls, given: Any, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Job:
        """Every fault at once: those of reading, those of single keys, and what does not fit together."""
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
        return job

    def __eq__(self, other: object) -> bool:
        """Equal in all that is described; where the job came from does not matter."""
        return isinstance(other, Job) and all(getattr(self, key) == getattr(other, key) for key in Job.model_fields)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Job:
        """The job that a YAML, JSON or XML file describes; paths in it begin at its folder.

        `${NAME}` under data, output and population is an environment variable.
        """
        path = Path(path)
        reader = _READERS.get(path.suffix.lower())
        if reader is None:
            raise UsageError.not_one_of("the ending of a job file", path.suffix, _READERS)
        job = cls._resolved(reader(_text(path), str(path)), path.parent)
        job._file = path
        return job

    @classmethod
    def from_text(cls, text: str, name: str = "the job") -> Job:
        """The job that a YAML, JSON or XML text describes, as `from_file`; paths in it begin at the present folder."""
        reader = {"{": json_file.read, "<": xml_file.read}.get(text.lstrip()[:1], yaml_file.read)
        return cls._resolved(reader(text, name), Path())

    @classmethod
    def _resolved(cls, written: Written, base: Path) -> Job:
        unresolved = variables.resolved(written)
        job = cls.from_written(written, base)
        job._unresolved = unresolved
        return job

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], base: str | os.PathLike[str] = "") -> Job:
        """The job that plain data describe; paths in it begin at the folder `base`."""
        return cls.from_written(Written("the job", plain), Path(base))

    @classmethod
    def from_written(cls, written: Written, base: Path) -> Job:
        """The job that a reader found."""
        with beginning_at(base):
            job = cls.model_validate(written.plain, context=written)
        job._base = base
        return job

    def changed(self, output: str | None = None, replace: bool = False, time: float | None = None) -> Job:
        """The job with another place to write to, seen from the present folder, with leave to replace, or less time."""
        plain, to = self.to_dict(), None if output is None else _below(Path.cwd(), output)
        if to is not None or (replace and self.output is not None):
            written = {} if self.output is None else self.output.to_dict()
            plain["output"] = {**written, **({"to": to} if to else {}), **({"replace": True} if replace else {})}
        job = Job.from_dict(plain if time is None else {**plain, "time": time}, self._base)
        job._file = self._file
        job._unresolved = {at: of for at, of in self._unresolved.items() if to is None or at != ("output", "to")}
        return job

    @property
    def unresolved(self) -> variables.Unresolved:
        """Texts with environment variables as they were written, by their place in the job."""
        return self._unresolved

    @property
    def file(self) -> Path | None:
        """The file that the job was read from."""
        return self._file

    @property
    def base(self) -> Path:
        """The folder at which paths begin."""
        return self._base

    def located(self, location: str, absolute: bool = False) -> str:
        """A path or URL of the job as the present folder sees it, or as every folder does."""
        return _below(Path.cwd() / self._base if absolute else self._base, location)

    def having(self, role: Role) -> tuple[str, ...]:
        """The columns with a role, in the order of the job."""
        return tuple(name for name, column in self.columns.items() if column.role == role)

    @property
    def missing(self) -> tuple[str, ...]:
        """The texts that stand for missing in the data."""
        return () if self.data is None else self.data.missing

    @property
    def normalizing(self) -> dict[str, tuple[str, ...]]:
        """By column the steps to the normal form of its cells, where it has any."""
        return {name: column.normalize for name, column in self.columns.items() if column.normalize}

    def budget(self, records: int) -> int:
        """How many of so many records may be left out; of a share the part below one record does not count."""
        match self.allowed:
            case Suppress() as what:
                return records if what == Suppress.ROW else 0
            case Decimal() as share:
                return int(Fraction(share) * records)
            case number:
                return min(number, records)

    @property
    def allowed(self) -> Allowed:
        """What may be left out: as the job says, or where it says nothing the rows that the search's options name."""
        unsaid = "suppress" not in self.model_fields_set
        return Suppress.ROW if unsaid and drops_records(self.search) else self.suppress

    def check_columns(self, existing: Sequence[str]) -> None:
        """Refuse a job that mentions columns which a table lacks, all of them at once."""
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
        """The job as plain data, without what is as usual; `from_dict` gives an equal one."""
        return {key: _IN_SHORT.get(key, str)(getattr(self, key)) for key in self._unusual()}

    def to_yaml(self, notes: Mapping[str, str] | None = None) -> str:
        """The job as YAML; notes on keys, and on columns as `columns.age`, become comments."""
        return yaml_file.write(self.to_dict(), notes)

    def to_json(self) -> str:
        """The job as JSON."""
        return json_file.write(self.to_dict())

    def to_xml(self) -> str:
        """The job as XML, after ANON's definition file."""
        from incrowd.jobs.xml_writing import write

        return write(self)

    def to_command(self) -> str:
        """The command line that does the same, from the present folder."""
        from incrowd.jobs.command import to_command

        return to_command(self)

    def to_script(self) -> str:
        """The Python script that does the same, from the present folder."""
        from incrowd.jobs.script import to_script

        return to_script(self)


def _below(folder: Path, location: str) -> str:
    """A path, or the path in a URL of a file, begun at a folder; other URLs, and what is absolute, as they are."""
    scheme, separator, rest = location.partition("://")
    if not separator:
        return str(folder / location)
    if scheme in _FILE_SCHEMES and rest.startswith("/") and not rest.startswith("//"):
        return f"{scheme}:///{folder / rest[1:]}"
    return location


def _in_short(key: str) -> Callable[[Part], Any]:
    """A part as the value of one of its keys alone, where it says nothing else."""

    def shortened(part: Part) -> Any:
        plain = part.to_dict()
        return plain[key] if list(plain) == [key] else plain

    return shortened


def _suppress(suppress: Allowed) -> int | float | str:
    """As a number where that is exact, else as text."""
    if isinstance(suppress, Suppress):
        return str(suppress)
    if isinstance(suppress, int):
        return suppress
    return float(suppress) if Decimal(repr(float(suppress))) == suppress else str(suppress)


_IN_SHORT: dict[str, Callable[[Any], Any]] = {
    "data": _in_short("source"),
    "output": _in_short("to"),
    "population": _in_short("source"),
    "columns": lambda columns: {name: column.to_dict() for name, column in columns.items()},
    "models": lambda models: [to_dict(model) for model in models],
    "suppress": _suppress,
    "search": SEARCHES.to_plain,
    "metric": METRICS.to_plain,
    "time": plain,
    "seed": plain,
}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SourceError.of(path, "there is no such file", "check the path, or write one with: incrowd init") from None
    except UnicodeDecodeError:
        raise SourceError.of(path, "it is not in UTF-8", "save it in that encoding") from None
    except OSError as error:
        raise SourceError.of(path, f"it cannot be read ({error.strerror})", "check the path") from None
