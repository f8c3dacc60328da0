"""The axes of a search without levels, and what a group or part publishes in each column."""

from dataclasses import replace

import pyarrow as pa

from incrowd.anonymization.preparation import Preparation
from incrowd.core.axes import Axis, Bounds, Kind, numbers_of
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, plain, text_forms
from incrowd.core.numbers import exact
from incrowd.core.schema import Role
from incrowd.errors import Fault, JobError, UsageError
from incrowd.hierarchies import lists_values
from incrowd.jobs import Column, Job
from incrowd.recodings import Form
from incrowd.searches import PartsSearch

MOST_LISTED = 5
"""Sets of up to so many values read well."""


def axes_of(
    preparation: Preparation, job: Job, frequencies: FrequencySet
) -> tuple[tuple[Axis, ...], tuple[Form, ...], dict[str, Axis]]:
    """Return the axes of the quasi-identifiers and what is published in them, and the axes of the sensitive columns
    counted.

    All faults are raised at once.
    """
    axes: dict[str, Axis] = {}
    forms: dict[str, Form] = {}
    faults: list[Fault] = []
    for name, values in zip(frequencies.names, frequencies.values, strict=True):
        try:
            if job.columns[name].role == Role.QUASI:
                if isinstance(job.search, PartsSearch):
                    axes[name], forms[name] = _parted(preparation, job, job.search.forms, name, values)
                else:
                    axes[name], forms[name] = _quasi(preparation, job, name, values)
            elif job.columns[name].role != Role.PERSON:
                axes[name] = _sensitive(preparation, job, name, values)
        except UsageError as error:
            faults.append(Fault(None, f"columns.{name}", str(error)))
    if faults:
        raise JobError.of("the job", faults)
    quasi = job.having(Role.QUASI)
    sensitive = {name: axis for name, axis in axes.items() if name not in forms}
    return tuple(axes[name] for name in quasi), tuple(forms[name] for name in quasi), sensitive


def _quasi(preparation: Preparation, job: Job, name: str, values: pa.Array) -> tuple[Axis, Form]:
    column = job.columns[name]
    wanted = column.form
    if wanted in (None, Form.RANGE, Form.ENDS, Form.MEAN, Form.MEDIAN, Form.MODE):
        axis = _along_a_line(preparation, job, name, values)
        if axis is not None:
            if wanted == Form.ENDS and not _has_ends(axis):
                raise _no_ends()
            return _bounded(axis, column), wanted or Form.RANGE
        if wanted in (Form.RANGE, Form.ENDS, Form.MEAN, Form.MEDIAN):
            raise _no_line(wanted, "ancestor, set or mode")
    if column.bounds is not None:
        raise _no_ranges()
    if wanted in (Form.ANCESTOR, Form.SET_OR_ANCESTOR) or (wanted != Form.SET and column.hierarchy is not None):
        axis = Axis.of_tree(_ladder(preparation, job, name, values))
        # Labels that follow a rule say what they mean; those of a tree name groups of values.
        usual = Form.SET_OR_ANCESTOR if lists_values(preparation.spec(job, name), name) else Form.ANCESTOR
        return replace(axis, listed=MOST_LISTED * ((wanted or usual) == Form.SET_OR_ANCESTOR)), wanted or usual
    return Axis.of_set(name, values), wanted or Form.SET


def _has_ends(axis: Axis) -> bool:
    """Return whether the values are numbers or days, of which two columns can be."""
    return axis.kind == Kind.NUMBERS and not pa.types.is_timestamp(axis.values.type)


def _no_ends() -> UsageError:
    return UsageError.invalid(
        f"form: {Form.ENDS}", "the values are neither numbers nor days", f"choose form: {Form.RANGE}"
    )


def _bounded(axis: Axis, column: Column) -> Axis:
    """Return the axis with the ends that ranges may have, as the job says."""
    if column.bounds is None:
        return axis
    step = exact(column.bounds)
    numbers = [exact(value) for value in plain(axis.values)]
    if axis.kind != Kind.NUMBERS or None in numbers or column.form not in (None, Form.RANGE, Form.ENDS):
        raise _no_ranges()
    low, high = (None, None) if column.domain is None else map(exact, column.domain)
    assert step is not None
    return replace(axis, bounds=Bounds(step, None if low is None or high is None else (low, high)))


def _no_ranges() -> UsageError:
    return UsageError.invalid(
        "bounds",
        "the column is not published as ranges of numbers",
        "omit it, or publish numbers with form: range",
    )


def _parted(
    preparation: Preparation, job: Job, forms: tuple[Form, ...], name: str, values: pa.Array
) -> tuple[Axis, Form]:
    """Return the order of values that are to be parted: that of numbers, dates or the scale, of the hierarchy, or by
    name."""
    column = job.columns[name]
    if column.form not in (None, *forms):
        raise UsageError.invalid(
            f"form: {column.form}", f"the search publishes a part as {' or '.join(forms)}", "omit it"
        )
    axis = _along_a_line(preparation, job, name, values)
    if axis is not None:
        return axis, column.form or forms[0]
    if column.form == Form.RANGE:
        raise _no_line(column.form, "set")
    axis = (
        Axis.of_set(name, values) if column.hierarchy is None else Axis.of_tree(_ladder(preparation, job, name, values))
    )
    return axis, Form.SET


def _no_line(form: Form, instead: str) -> UsageError:
    return UsageError.invalid(
        f"form: {form}",
        "not all values are numbers or dates, and no scale is given",
        f"give their order (scale: [low, middle, high]), or choose {instead}",
    )


def _sensitive(preparation: Preparation, job: Job, name: str, values: pa.Array) -> Axis:
    if job.columns[name].hierarchy is not None:
        return Axis.of_tree(_ladder(preparation, job, name, values))
    return _along_a_line(preparation, job, name, values) or Axis.of_set(name, values)


def _along_a_line(preparation: Preparation, job: Job, name: str, values: pa.Array) -> Axis | None:
    """Return an axis of numbers, dates or values with a given order; None if they are none of these."""
    column = job.columns[name]
    if column.scale is not None:
        lacking = [value for value in plain(values) if not set(text_forms(value)) & set(column.scale)]
        if lacking:
            raise UsageError.invalid(
                "order",
                f"it lacks {len(lacking)} of the column's {len(values)} values",
                "list all of them, lowest first",
            )
        return Axis.of_order(name, values, column.scale)
    axis = Axis.of_numbers(name, values, column.domain)
    if axis is None or column.domain is not None or column.hierarchy is None:
        return None if axis is None else _inside(axis, column.domain)
    spans = preparation.hierarchy(job, name, values).spans
    if spans is None:
        # A hierarchy that knows no numbers, such as a mask, says that these are names: postcodes, not quantities.
        return None if column.form is None else axis
    # Undeclared, the domain is what the hierarchy covers (Loukides takes the leaves of the tree).
    return Axis.of_numbers(name, values, spans[-1][0])


def _inside(axis: Axis, domain: tuple[float, float] | None) -> Axis:
    numbers = numbers_of(axis.values)
    if domain is not None and numbers and not domain[0] <= min(numbers) <= max(numbers) <= domain[1]:
        raise UsageError.invalid("domain", "some values lie outside it", "widen it, or omit it")
    return axis


def _ladder(preparation: Preparation, job: Job, name: str, values: pa.Array) -> EncodedHierarchy:
    return preparation.hierarchy(job, name, values).along(name, values)
