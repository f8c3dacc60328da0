"""Risk before and after, in words."""

from collections.abc import Iterator

from incrowd.reports.blocks import Block, Cell, Grid, Share, Words
from incrowd.reports.risk_facts import NOT_GIVEN, RiskFacts, Risks
from incrowd.text import number, percent


def risk_blocks(risks: Risks, is_apart: bool, wildcards: str = "") -> Iterator[Block]:
    """Who is looking, and what they find."""
    yield Words(
        "An attacker who knows all quasi-identifiers of a person may know besides that the person is in the table "
        "(prosecutor), or look for the person among all people without knowing it (journalist); or match the whole "
        "table with a register of the same people and be content to be right for many (marketer)."
    )
    if is_apart:
        yield Words("Quasi-identifiers are published as they are: who is in the table can be seen.", warns=True)
    if wildcards:
        yield Words(f"{wildcards} cells count as a value of their own here.")
    before, after = risks.before, risks.after
    told = [("before", before), ("published", after)] if before is not None else [("published", after)]
    tables = [(name, each) for name, each in told if each is not None]
    rows = tuple((name, each.records, each.unique) for name, each in tables)
    yield Grid("Who is alone", ("table", "records", "only ones of their kind"), rows)
    yield Grid(
        "Risk of being found",
        ("attacker", "table", "highest risk", "average risk", f"records above {percent(after.threshold)}"),
        tuple(row for attacker in (_prosecutor, _journalist, _marketer) for name, each in tables
              for row in attacker(name, each)),
    )  # fmt: skip
    yield Words(_about_population(risks))


def _prosecutor(name: str, found: RiskFacts) -> Iterator[tuple[Cell, ...]]:
    yield "prosecutor", name, Share(found.highest), Share(found.average), found.at_risk


def _journalist(name: str, found: RiskFacts) -> Iterator[tuple[Cell, ...]]:
    attack = found.journalist
    if attack is not None:
        yield "journalist", name, Share(attack.highest), Share(attack.average), attack.at_risk


def _marketer(name: str, found: RiskFacts) -> Iterator[tuple[Cell, ...]]:
    yield "marketer", name, None, Share(found.marketer), None


def _about_population(risks: Risks) -> str:
    after = risks.after
    if after.journalist is None:
        why = "without a population" if risks.without in (None, NOT_GIVEN) else f"here ({risks.without})"
        return (
            f"What the journalist finds cannot be told {why}. It is never more than what the prosecutor finds: whoever "
            "looks alike in the table does so among all people, and there may be others."
        )
    people = number(after.population or 0)
    if after.estimated:
        return (
            f"The journalist looks among {people} people. Of them only the number is known, so that the figures are "
            "estimates: they take the table for a random sample."
        )
    return f"The journalist looks among the {people} people of the population that was given."
