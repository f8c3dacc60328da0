"""The text of a report on a release of several tables."""

from collections.abc import Iterator

from incrowd.linked.counting import RiskOfPeople
from incrowd.reports.blocks import Block, Cell, Grid, Listing, Points, Section, Share, Words, several
from incrowd.reports.column_words import level_words
from incrowd.reports.linked_facts import LinkedFacts, TableFacts
from incrowd.reports.release_words import GUARANTEES, not_verified, parameters_of
from incrowd.reports.verification_words import score_blocks, verification_blocks
from incrowd.text import count, number, percent

_OF_SCORES = "Lower is better. The score is over all tables; incrowd measure has more, for each of them."


def linked_sections(facts: LinkedFacts) -> tuple[Section, ...]:
    """Return the sections of a report on a release of several tables."""
    found = [
        Section("Summary", tuple(_short(facts))),
        Section("Settings", tuple(_settings(facts))),
        Section("Published tables", tuple(_tables(facts))),
        Section("What is and is not guaranteed", tuple(_guarantees(facts))),
        Section("Re-identification risk", tuple(_risks(facts))),
        Section("Information loss", tuple(score_blocks(facts.scores, _OF_SCORES))),
        Section("Verification", tuple(verification_blocks(facts, "tables"))),
    ]
    return tuple(section for section in found if section.blocks)


def _short(facts: LinkedFacts) -> Iterator[Block]:
    if not facts.people:
        yield Words("Nothing is published: all people are suppressed.", warns=True)
        return
    lines = [
        f"{number(facts.people)} people in {count(len(facts.tables), 'table')}; whatever is known of one is true of at "
        f"least {number(facts.smallest)}.",
        f"{number(facts.suppressed)} of {number(facts.input_people)} people suppressed in all tables "
        f"({percent(facts.suppressed / max(1, facts.input_people))}).",
    ]
    if facts.risk_before:
        alone = [f"{number(each.alone)} ({_known(each)})" for each in facts.risk_before]
        left = [f"{number(each.alone)} ({_known(each)})" for each in facts.risk_after]
        lines.append(f"People who are singled out: before {', '.join(alone)}; published {', '.join(left)}.")
    if facts.verdict == "holds":
        lines.append("Verified: the tables were re-read, and every check against their manifest passed.")
    yield Points(tuple(lines))
    if facts.verdict not in (None, "holds"):
        yield Words(not_verified(facts.verdict), warns=True)
    yield from (Words(f"Warning: {warning}", warns=True) for warning in facts.warnings)


def _known(risk: RiskOfPeople) -> str:
    return {"record": "one record of each table known", "history": "all records known"}.get(
        risk.knows, f"{risk.knows} records of each table known"
    )


def _settings(facts: LinkedFacts) -> Iterator[Block]:
    rows: tuple[tuple[Cell, ...], ...] = tuple((model.name, parameters_of(model)) for model in facts.models)
    yield Words("Whatever an attacker may know of a person must satisfy:")
    yield Grid("Privacy models", ("model", "parameters"), rows)
    lines = [
        f"Assumed to be known of a person (knows): {facts.knows}.",
        f"Suppression limit: {count(facts.suppress_limit, 'person')}, with all records.",
        "Keys are replaced by new numbers, the same in all tables.",
        "A missing value counts as a value of its own.",
    ]
    lines += [f"Not published: {several(facts.not_published)}."] if facts.not_published else []
    yield Points(tuple(lines))
    yield Words(_chosen(facts))
    if facts.job is not None:
        from incrowd.jobs import yaml_file

        yield Listing("Job", yaml_file.write(facts.job))
    yield from (Words(note) for note in facts.notes)


def _chosen(facts: LinkedFacts) -> str:
    """Return the search and, in an internal report, what it proved."""
    search = facts.search
    if "guarantee" not in search:
        return f"Search: {search['name']}."
    how = GUARANTEES[str(search["guarantee"] if search["stopped"] is None else "heuristic")]
    stopped = f" Stopped early ({search['stopped']})." if search["stopped"] else ""
    return f"Search: {search['name']} ({how}).{stopped}"


def _tables(facts: LinkedFacts) -> Iterator[Block]:
    headers = ("table", "belongs to", "records before", "records", "people before", "people", "suppressed records")
    yield Grid("Tables", headers, tuple(map(_row, facts.tables))).without_empty()
    columns = tuple(
        (
            f"{table.name}.{column.name}",
            None if column.level is None else level_words(column.level, column.height),
            column.level,
            column.height,
            column.published,
        )
        for table in facts.tables
        for column in table.columns
    )
    of_columns = ("column", "published as", "level", "of", "distinct cells")
    yield Grid("Quasi-identifiers (an attacker may know them)", of_columns, columns).without_empty()
    sensitive = [f"{table.name}.{name}" for table in facts.tables for name in table.sensitive]
    kept = [f"{table.name}.{name}" for table in facts.tables for name in table.kept]
    if sensitive:
        yield Words(f"Sensitive (to be protected from disclosure): {several(sensitive)}.")
    if kept:
        yield Words(f"Kept (published as they are, covered by no model): {several(kept)}.")


def _row(table: TableFacts) -> tuple[Cell, ...]:
    suppressed = None if table.input_records is None else table.input_records - table.records
    belongs = "(one record per person)" if table.of is None else f"{table.of} by {table.on}"
    return table.name, belongs, table.input_records, table.records, table.input_people, table.people, suppressed


def _guarantees(facts: LinkedFacts) -> Iterator[Block]:
    rows = tuple((model.name, model.promise, model.not_promised) for model in facts.models)
    yield Grid("Privacy models", ("model", "guarantees", "does not guarantee"), rows)
    kept = [f"{table.name}.{name}" for table in facts.tables for name in table.kept]
    if kept:
        yield Words(
            f"No model covers {several(kept)}: anyone who learns these of a person from another source can re-identify "
            "the person.",
            warns=True,
        )
    if facts.knows != "history":
        yield Words(
            "An attacker who knows more records of a person than assumed may single the person out; see "
            "Re-identification risk.",
            warns=True,
        )
    yield Words(
        "No model protects against everything. An attacker who already knows a sensitive value of a person can use "
        "it. Several releases of the same people can be compared. What the release shows of a large group applies to "
        "each of its members."
    )


def _risks(facts: LinkedFacts) -> Iterator[Block]:
    if not facts.people and not facts.risk_before:
        return
    yield Words(
        "Each attacker knows that a person is in the tables (prosecutor), the quasi-identifiers of the person's own "
        "record, and those of some records of the person in every other table. The risk of a person is 1 divided by "
        "the number of people of whom the same is true, for whatever may be known that is true of the fewest. People "
        "are counted, not records."
    )
    both = (("before", facts.risk_before), ("published", facts.risk_after))
    rows = tuple(
        (_known(each), name, each.people, each.alone, each.fewest, Share(each.highest), Share(each.average))
        for at in range(len(facts.risk_after))
        for name, risks in both
        for each in risks
        if each.knows == facts.risk_after[at].knows
    )
    headers = ("attacker", "tables", "people", "singled out", "fewest alike", "highest risk", "average risk")
    yield Grid("Re-identification risk of people", headers, rows)
