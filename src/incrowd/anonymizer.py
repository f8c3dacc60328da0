"""An estimator in the style of scikit-learn over `anonymize` and `apply`; scikit-learn itself is not needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from incrowd.api.releases import anonymize, apply
from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.anonymization import AnonymizationResult
    from incrowd.release import Record


class Anonymizer:
    """Anonymize frames in a pipeline: `fit` finds a recoding, `transform` publishes further frames with it.

    The parameters are those of `anonymize`, without output. `fit_transform(X)` returns the release of X, and
    `transform(X)` other records with the same recoding, as `apply` does: each release is verified by itself, and
    refused if it does not satisfy the models within the limits. Suppressed records have no row. Nothing is promised
    about several releases together. Only searches that choose one level for each column, such as optimal, have a
    recoding for other records.

    After `fit`, `release_` is the release of the fitted frame and `record_` its private record. A pickle leaves out the
    record, so it cannot transform.
    """

    def __init__(
        self,
        *,
        k: int | None = None,
        quasi: Sequence[str] | Mapping[str, Any] | str = (),
        sensitive: Sequence[str] | Mapping[str, Any] | str = (),
        identifier: Sequence[str] | str = (),
        person: Sequence[str] | str = (),
        keep: Sequence[str] | str = (),
        drop: Sequence[str] | str = (),
        model: Sequence[Any] | str = (),
        knows: int | str | None = None,
        suppress: float | str | Mapping[str, Any] | None = None,
        search: Any = "optimal",
        metric: Any = None,
        population: Any = None,
        time: float | None = None,
        seed: int | None = None,
    ) -> None:
        self.k = k
        self.quasi = quasi
        self.sensitive = sensitive
        self.identifier = identifier
        self.person = person
        self.keep = keep
        self.drop = drop
        self.model = model
        self.knows = knows
        self.suppress = suppress
        self.search = search
        self.metric = metric
        self.population = population
        self.time = time
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Anonymizer:  # noqa: N803 - the name that estimators use
        """Anonymize a frame, and keep the recoding; `y` is ignored."""
        self.release_: AnonymizationResult = anonymize(X, **self.get_params())
        self.record_: Record = self.release_.record
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Publish a frame with the recoding that was fitted, as a verified release of its own."""
        if not hasattr(self, "release_"):
            raise UsageError.invalid("transform", "nothing was fitted", "call fit(X) first")
        if not hasattr(self, "record_"):
            raise UsageError.invalid(
                "transform", "a pickle leaves out the private record", "use incrowd.apply(record, X), or fit again"
            )
        return apply(self.record_, X).frame

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        """Anonymize a frame, and return its release; `y` is ignored."""
        return self.fit(X).release_.frame

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` makes no difference."""
        return {name: getattr(self, name) for name in _PARAMETERS}

    def set_params(self, **params: Any) -> Anonymizer:
        """Change some parameters by name."""
        for name, value in params.items():
            if name not in _PARAMETERS:
                raise UsageError.not_one_of("parameter of the anonymizer", name, _PARAMETERS)
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn asks of an estimator; called by nothing else."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        inputs = InputTags(string=True, categorical=True, allow_nan=True)
        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=inputs,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "record_"}

    def __repr__(self) -> str:
        return f"<Anonymizer: {self._given()}; {'fitted' if hasattr(self, 'release_') else 'not fitted'}>"

    def _repr_html_(self) -> str:
        from incrowd.notebook import as_html

        fitted = self.release_.look() if hasattr(self, "release_") else ["Not fitted: call fit(X)."]
        return as_html([f"Anonymizer: {self._given()}", *fitted])

    def _given(self) -> str:
        """Return the names of the parameters that are given; their values may be frames."""
        given = [name for name, value in self.get_params().items() if value is not None and not _is_empty(value)]
        return f"given {', '.join(given)}" if given else "no parameters are given"


def _is_empty(value: Any) -> bool:
    return isinstance(value, str | list | tuple | Mapping) and not value


_PARAMETERS = (
    *("k", "quasi", "sensitive", "identifier", "person", "keep", "drop", "model", "knows", "suppress", "search"),
    *("metric", "population", "time", "seed"),
)
