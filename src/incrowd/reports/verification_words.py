"""Scores and the verdict of a release in a report, of one table or several."""

from collections.abc import Iterator, Sequence

from incrowd.reports.blocks import Block, Grid, Words
from incrowd.reports.linked_facts import LinkedFacts
from incrowd.reports.release_facts import ReleaseFacts, ScoreFacts
from incrowd.text import count
from incrowd.verification import WORDS, verdict_word


def score_blocks(scores: Sequence[ScoreFacts], about: str) -> Iterator[Block]:
    """Yield the scores of a release, with a sentence on how they are read."""
    if scores:
        yield Words(about)
        yield Grid("Scores", ("metric", "value", "meaning"), tuple((of.name, of.value, of.meaning) for of in scores))


def verification_blocks(facts: ReleaseFacts | LinkedFacts, published: str) -> Iterator[Block]:
    """Yield the verdict and, in an internal report, its checks; `published` are the data or the tables."""
    if facts.verdict is None:
        return
    checks = "" if facts.checks is None else f" ({count(facts.checks, 'check')})"
    yield Words(
        f"Verdict: {verdict_word(facts.verdict)}{checks}. The published {published} were re-read and checked against "
        f"the definitions by independent code. Anyone with the {published} and the manifest can repeat this: incrowd "
        "verify."
    )
    if facts.details:
        rows = tuple((check.name, WORDS[check.holds], check.detail) for check in facts.details)
        yield Grid("Checks", ("check", "result", "detail"), rows)
