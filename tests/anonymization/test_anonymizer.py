"""The estimator over `anonymize` and `apply`."""

import pickle
from typing import Any

import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import incrowd
from incrowd import anonymizer
from incrowd.anonymization.infeasible import NoRelease
from incrowd.errors import UsageError
from incrowd.jobs.shorthand import Shorthand

AGES = {"age": "intervals:widths=10/20,domain=0/120"}
OLD = pd.DataFrame({"age": [31, 33, 38, 52, 55, 57], "visits": [1, 2, 3, 1, 2, 3]})
NEW = pd.DataFrame({"age": [30, 36, 39, 51, 58, 59], "visits": [7, 8, 9, 7, 8, 9]})


def made(**changed: Any) -> incrowd.Anonymizer:
    return incrowd.Anonymizer(**{"k": 3, "quasi": AGES, "keep": "visits", **changed})


def test_it_publishes_what_the_verbs_publish() -> None:
    estimator = made()
    released = estimator.fit_transform(OLD)
    run = incrowd.anonymize(OLD, quasi=AGES, keep="visits", k=3, search="optimal")
    assert released.equals(run.frame)
    assert estimator.transform(NEW).equals(incrowd.apply(run.record, NEW).frame)
    assert estimator.transform(NEW)["age"].tolist() == ["30-39"] * 3 + ["50-59"] * 3
    assert isinstance(made().fit(pl.DataFrame(OLD)).transform(pl.DataFrame(NEW)), pl.DataFrame)


def test_new_data_that_do_not_fit_are_refused() -> None:
    estimator = made().fit(OLD)
    with pytest.raises(NoRelease, match="does not fit the new data"):
        estimator.transform(NEW[:5])


def test_before_it_is_fitted() -> None:
    with pytest.raises(UsageError, match=r"call fit\(X\) first"):
        made().transform(NEW)
    with pytest.raises(UsageError, match="is 'qasi'; it may be k, quasi"):
        made().set_params(qasi=["age"])
    with pytest.raises(UsageError, match="no such column"):
        made(quasi=["size"]).fit(OLD)


def test_a_local_recoding_has_no_levels_for_new_data() -> None:
    estimator = made(search="k_members", quasi=["age"]).fit(OLD)
    with pytest.raises(UsageError, match="cannot be"):
        estimator.transform(NEW)


def test_scikit_learn_takes_it() -> None:
    estimator = made()
    assert clone(estimator).get_params() == estimator.get_params()
    pipeline = make_pipeline(FunctionTransformer(lambda frame: frame.assign(visits=0)), estimator)
    assert pipeline.fit(OLD).transform(NEW)["visits"].tolist() == [0] * 6
    assert pipeline.set_params(anonymizer__k=2).get_params()["anonymizer__k"] == 2


def test_parameters_are_those_of_the_verb() -> None:
    assert set(made().get_params()) == {*Shorthand.__dataclass_fields__} - {"output"}
    assert tuple(made().get_params()) == anonymizer._PARAMETERS


def test_a_pickle_leaves_out_the_record() -> None:
    estimator = made().fit(OLD)
    stored = pickle.dumps(estimator)
    assert b"RecodedQuasi" not in stored
    again = pickle.loads(stored)
    assert again.release_.frame.equals(estimator.release_.frame)
    with pytest.raises(UsageError, match="leaves out the private record"):
        again.transform(NEW)
    assert again.fit(OLD).transform(NEW).equals(estimator.transform(NEW))


def test_what_it_shows() -> None:
    assert repr(made()) == "<Anonymizer: given k, quasi, keep, search; not fitted>"
    assert "Not fitted" in made()._repr_html_()
    assert "Verified: 6 records" in made().fit(OLD)._repr_html_()
