"""What several models demand, in a sentence that everybody can read."""

import pytest

from incrowd.families import MODELS
from incrowd.models import parse
from incrowd.models.in_words import HasClause, in_words

K, L, T = (parse(text) for text in ("k_anonymity:k=5", "distinct_l:l=3,column=ill", "t_closeness:t=0.2,column=ill"))


def test_one_sentence_of_all_that_say_what_a_class_has() -> None:
    assert in_words([K, L]) == "Each class has at least 5 records, and at least 3 different values of ill."
    assert in_words([K], knows="record") == "Each class has at least 5 people."
    assert in_words([K, L, T]) == (
        "Each class has at least 5 records, at least 3 different values of ill, and values of ill distributed as in "
        "the whole table, up to a distance of 0.2."
    )
    assert "; and " in in_words([T, L])


def test_others_have_a_sentence_of_their_own() -> None:
    beta = parse("enhanced_beta:beta=2,column=ill")
    assert in_words([K, beta]) == f"Each class has at least 5 records. {beta.promise()}"
    assert in_words([beta]) == beta.promise()


@pytest.mark.parametrize(
    ("given", "words"), [({"knows": "history"}, "all records"), ({"is_apart": True}, "Every group")]
)
def test_no_class_is_spoken_of_where_there_are_none(given: dict[str, object], words: str) -> None:
    said = in_words([K, L], **given)  # type: ignore[arg-type]
    assert "Each class has" not in said
    assert words in said


def test_clauses_have_their_numbers() -> None:
    texts = {"alpha_k": "alpha=0.4,k=7", "basic_beta": "beta=1.5", "entropy_l": "l=2.5", "frequency_l": "l=4"}
    texts |= {"p_sensitive": "p=3,k=7", "t_closeness": "t=0.25", "distinct_l": "l=6"}
    for name, options in texts.items():
        model = parse(f"{name}:{options},column=ill")
        assert isinstance(model, HasClause)
        clause = model.clause("people")
        for number in {"alpha_k": ["7 people", "40%"], "basic_beta": ["2.5 times"], "p_sensitive": ["7", "3"]}.get(
            name, [options.partition("=")[2]]
        ):
            assert number in clause
        assert "ill" in clause
    assert MODELS.known().keys() > texts.keys()
