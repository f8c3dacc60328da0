"""One value, two spellings: 1 and 1.0, a day with and without its midnight, true and True."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal, InvalidOperation

from incrowd.verification._tally import Tally


def respelled(tally: Tally, known: Mapping[str, Collection[str]]) -> Tally:
    """The values of some columns as manifest and record spell them, where those know them under another spelling."""
    texts = [
        _respelled(texts, known[column]) if column in known else texts
        for column, texts in zip(tally.columns, tally.texts, strict=True)
    ]
    return replace(tally, texts=tuple(texts))


def _respelled(texts: Sequence[str | None], known: Collection[str]) -> list[str | None]:
    """Texts that are known stay; two texts never become one."""
    there = set(texts)
    free: dict[object, list[str]] = {}
    for text in set(known) - there:
        free.setdefault(_meaning(text), []).append(text)
    strange = [text for text in texts if text is not None and text not in known]
    meanings = [_meaning(text) for text in strange]
    changed = {
        text: free[meaning][0]
        for text, meaning in zip(strange, meanings, strict=True)
        if len(free.get(meaning, ())) == 1 and meanings.count(meaning) == 1
    }
    return [text if text is None else changed.get(text, text) for text in texts]


def _meaning(text: str) -> object:
    try:
        number = Decimal(text)
    except InvalidOperation:
        pass
    else:
        return number if number.is_finite() else text
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text
