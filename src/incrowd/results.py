"""The common part of all results: they are printed, shown in a notebook, and become frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import UsageError

if TYPE_CHECKING:
    import pandas
    import polars


class Result:
    """A result: said in paragraphs and tables, which `print` and a notebook show in their own ways."""

    def parts(self) -> Sequence[str]:
        """Return what is said of the result, part by part: paragraphs, and tables that keep their cells."""
        raise NotImplementedError

    def look(self) -> Sequence[str]:
        """Return what a notebook shows unasked: the parts, as far as they hold no value of a record."""
        return self.parts()

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the table of the result, row by row."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table of the result as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.to_rows(), columns=self._columns())

    def to_polars(self) -> polars.DataFrame:
        """Return the table of the result as a Polars frame."""
        import polars

        rows = self.to_rows()
        if not rows:
            return polars.DataFrame(schema=self._columns())
        return polars.DataFrame(rows, infer_schema_length=None, strict=False)

    def _columns(self) -> list[str] | None:
        """Return the columns of the table, if they are known without its rows."""
        return None

    def __str__(self) -> str:
        return "\n\n".join(self.parts())

    def _repr_html_(self) -> str:
        from incrowd.notebook import as_html

        return as_html(self.look())


class Release(Result):
    """A result with a private record, which a pickle leaves out: it can reverse the release, and pickles are passed on.

    What needs the record is left out with it.
    """

    _kept_out: ClassVar[tuple[str, ...]] = ("record", "details")

    @property
    def has_record(self) -> bool:
        """Return whether the private record is here: it is not in what was unpickled."""
        return "record" in vars(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self._kept_out}

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in type(self)._kept_out:
                raise UsageError.invalid(
                    "the private record", "a pickle of a release leaves it out", "keep it with record.write(path)"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without nested mappings: their keys follow their own name."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= {f"{name}_{inner}": of for inner, of in flat(value).items()}
        else:
            found[name] = list(value) if isinstance(value, tuple) else value
    return found
