"""The text of a report on risk, before and after."""

from collections.abc import Iterator

from incrowd.reports.blocks import Block, Cell, Grid, Share, Words
from incrowd.reports.risk_facts import NOT_GIVEN, RiskFacts, Risks
from incrowd.text import number, percent


def risk_blocks(risks: Risks, is_apart: bool, wildcards: str = "") -> Iterator[Block]:
    """Yield the attackers and their risk of re-identification."""
    yield Words(
        "Each attacker knows all quasi-identifiers of a person. The prosecutor also knows that the person is in the "
        "table. The journalist does not, and looks for the person in the population. The marketer matches the whole "
        "table with a register of the same people and needs to be right for many, not for all."
    )
    if is_apart:
        yield Words(
            "Quasi-identifiers are published unchanged: anyone who knows those of a person can see whether the person "
            "is in the table.",
            warns=True,
        )
    if wildcards:
        yield Words(f"{wildcards} count as values of their own here.")
    before, after = risks.before, risks.after
    both = [("before", before), ("published", after)] if before is not None else [("published", after)]
    tables = [(name, each) for name, each in both if each is not None]
    rows = tuple((name, each.records if each.people is None else each.people, each.unique) for name, each in tables)
    yield Grid(f"Unique {after.unit}", ("table", after.unit, f"unique {after.unit}"), rows)
    yield Grid(
        "Re-identification risk",
        ("attacker", "table", "highest risk", "average risk", f"{after.unit} above {percent(after.threshold)}"),
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
            f"Journalist risk cannot be computed {why}. It never exceeds prosecutor risk: records that are alike in "
            "the table are also alike in the population, which may have more of them."
        )
    people = number(after.population or 0)
    if after.estimated:
        return (
            f"The population has {people} people. Only this number is known, so journalist risk is an estimate that "
            "assumes the table is a random sample."
        )
    return f"The population for journalist risk has {people} people."
