"""The text of a report on a release: settings, results, guarantees and their limits."""

from collections.abc import Iterator
from functools import partial

from incrowd.attacks import Exposure
from incrowd.core.schema import WILDCARDS
from incrowd.models.consistent_k import ConsistentK, not_alike
from incrowd.release import People
from incrowd.reports import charts
from incrowd.reports.blocks import Block, Cell, Grid, Listing, Picture, Points, Section, Share, Words, several
from incrowd.reports.column_words import column_blocks
from incrowd.reports.release_facts import ModelFacts, ReleaseFacts, SensitiveFacts
from incrowd.reports.risk_facts import Risks
from incrowd.reports.risk_words import risk_blocks
from incrowd.reports.sizes import Bin
from incrowd.searches import minimized_by
from incrowd.text import attributes, count, number, percent
from incrowd.verification import WORDS, verdict_word

_DISCLOSURE = "Attribute disclosure"

GUARANTEES = {
    "optimal": "no release of this recoding type within the limits scores better",
    "minimal": "no release within the limits generalizes less and nowhere more; another one may score better",
    "heuristic": "a better release may exist",
}

_NULLS = {
    "extended": "A missing value counts as a value of its own",
    "basic": "A record with a missing value is set aside",
    "maybe": "A missing value matches everything",
    "right_maybe": "A missing value of the record being matched matches everything",
}


def release_sections(facts: ReleaseFacts) -> tuple[Section, ...]:
    """Return the sections of a report on a release."""
    found = [
        Section("Summary", tuple(_short(facts))),
        Section("Settings", tuple(_settings(facts))),
        Section("Published columns", tuple(column_blocks(facts))),
        Section("Class sizes", tuple(_sizes(facts))),
        Section("What is and is not guaranteed", tuple(_guarantees(facts))),
        Section(_DISCLOSURE, tuple(_attacks(facts))),
        Section("Re-identification risk", tuple(_risks(facts))),
        Section("Information loss", tuple(_scores(facts))),
        Section("Verification", tuple(_verification(facts))),
    ]
    return tuple(section for section in found if section.blocks)


def _short(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records:
        suppressed = f" {_suppressed(facts)}" if facts.input_records else ""
        yield Words(f"Nothing is published: the release has no records.{suppressed}", warns=True)
        return
    yield Points(tuple(_sentences(facts)))
    yield from (Words(_disclosed(column, facts), warns=True) for column in facts.sensitive if _homogeneous(column))
    if facts.verdict not in (None, "holds"):
        yield Words(not_verified(facts.verdict), warns=True)
    yield from (Words(f"Warning: {warning}", warns=True) for warning in facts.warnings)


def _sentences(facts: ReleaseFacts) -> Iterator[str]:
    yield facts.summary
    yield _suppressed(facts)
    yield from facts.people_words.splitlines()
    yield _detail(facts)
    one = "group" if facts.apart else "class"
    yield from (
        f"No {one} has a single value of {attributes([column.name])}; see {_DISCLOSURE}."
        for column in facts.sensitive
        if not _homogeneous(column)
    )
    if facts.risk_before is not None:
        yield (
            f"Unique records: {number(facts.risk_before.unique)} before, {number(facts.risk_after.unique)} published."
        )
    if facts.verdict == "holds":
        yield "Verified: the release was re-read, and every check against its manifest passed."


def _wildcards(facts: ReleaseFacts) -> str:
    """Return which cells match everything, or an empty text."""
    return "missing values" if facts.nulls in WILDCARDS else "suppressed cells" if facts.wiped else ""


def _detail(facts: ReleaseFacts) -> str:
    """Return how many columns have less detail, and the information loss over all of them."""
    changed = [column for column in facts.columns if column.level != 0 and column.form != "value"]
    of = (
        f"{number(len(changed))} of {count(len(facts.columns), 'quasi-identifier')}"
        if changed
        else "No quasi-identifier"
    )
    less = f"{of} {'are' if len(changed) > 1 else 'is'} published with less detail."
    loss = next((score.value for score in facts.scores if score.name == "loss"), None)
    return less if loss is None else f"{less} Information loss: {percent(loss)}."


def _consistent(facts: ReleaseFacts) -> ConsistentK | None:
    """Return the model that hides records whose classes are smaller than k, if any."""
    return not_alike(({model.name: model.parameters} for model in facts.models), facts.smallest)


def not_verified(verdict: str | None) -> str:
    """Return what a verdict other than "holds" means."""
    if verdict == "does not hold":
        return "Verification failed: do not rely on what this release claims."
    return "Verification incomplete: some claims could not be checked here."


def _suppressed(facts: ReleaseFacts) -> str:
    aside = f" {number(facts.set_aside)} more set aside because of missing values." if facts.set_aside else ""
    of = f"{number(facts.suppressed)} of {count(facts.input_records, 'record')} suppressed"
    share = f" ({percent(facts.suppressed / facts.input_records)})" if facts.suppressed else ""
    return f"{of}{share}.{aside}"


def _homogeneous(column: SensitiveFacts) -> int:
    """Return the number of records whose class has a single value."""
    return column.exposures[0].records or 0


def _disclosed(column: SensitiveFacts, facts: ReleaseFacts) -> str:
    records, one = _homogeneous(column), "group" if facts.apart else "class"
    return (
        f"{count(records, 'record')} ({percent(records / facts.records)}) {'is' if records == 1 else 'are'} in "
        f"{'groups' if facts.apart else 'classes'} with a single value of "
        f"{attributes([column.name])}: anyone who knows that a person is in such a {one} learns the value."
    )


def _limit(facts: ReleaseFacts) -> str:
    """Return the suppression limit in what it counts."""
    limit = None if facts.people is None else facts.people.limit
    return count(facts.suppress_limit, "record") if limit is None else f"{count(limit, 'person')} who lose a record"


def _unit(facts: ReleaseFacts) -> str:
    """Return that people are counted and, in an internal report, by which columns."""
    return f"People are counted{f', identified by {several(facts.person)}' if facts.person else ''}."


def _settings(facts: ReleaseFacts) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = [(model.name, parameters_of(model)) for model in facts.models]
    one = "Every group" if facts.apart else "Every class"
    yield Words(f"{'The released records together' if _consistent(facts) else one} must satisfy:")
    yield Grid("Privacy models", ("model", "parameters"), tuple(rows))
    sensitive = [column.name for column in facts.sensitive]
    lines = [f"Quasi-identifiers (an attacker may know them): {several([each.name for each in facts.columns])}."]
    lines += [f"Sensitive (to be protected from disclosure): {several(sensitive)}."] if sensitive else []
    lines += [f"Kept (published as they are, covered by no model): {several(facts.kept)}."] if facts.kept else []
    lines += [f"Not published: {several(facts.not_published)}."] if facts.not_published else []
    lines += [_unit(facts)] if facts.people is not None else []
    lines.append(f"Suppression limit: {_limit(facts)}.")
    lines.append(missing_cells(facts.nulls))
    lines += [f"A suppressed cell matches anything: {several(facts.wiped)}."] if facts.wiped else []
    yield Points(tuple(lines))
    yield Words(_chosen(facts))
    if facts.job is not None:
        from incrowd.jobs import yaml_file

        yield Listing("Job (makes the same release again)", yaml_file.write(facts.job))
    yield from (Words(note) for note in facts.notes)


def _chosen(facts: ReleaseFacts) -> str:
    """Return the search and, in an internal report, what it proved: that follows from the original table."""
    search = facts.search
    chosen = f"Search: {search['name']}"
    if "guarantee" not in search:
        return f"{chosen}."
    how = GUARANTEES.get(str(search["guarantee"] if search["stopped"] is None else "heuristic"), "")
    if search["optimal"] and search["name"] == "fewest_cells":
        how = "no release of this recoding type within the limits costs less, counting suppressed cells as lost"
    own = minimized_by(str(search["name"]))
    score = next((score.value for score in facts.scores if score.name == own), None)
    if score is not None and search["stopped"] is None:
        how = f"no release within the limits has a lower {own} ({score:.6g})"
    stopped = f" Stopped early ({search['stopped']})." if search["stopped"] else ""
    return f"{chosen} ({how}).{stopped}"


def missing_cells(nulls: str) -> str:
    """Return a sentence on what a missing value matches."""
    return f"{_NULLS.get(nulls, 'Missing values')} (nulls: {nulls})."


def _sizes(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records:
        return
    wild = _wildcards(facts)
    smallest = "" if wild else f" The smallest has {count(facts.smallest, 'record')}."
    if facts.people is not None:
        smallest += (
            f" The one with the fewest people has {count(facts.people.smallest, 'person')}; sizes below are records."
        )
    yield Words(
        f"A group is a set of records whose sensitive values are published together.{smallest}"
        if facts.apart
        else f"A class is a set of records with the same values in all quasi-identifiers.{smallest}"
    )
    if _consistent(facts) is not None:
        yield Words(
            "A person is hidden among all records that are consistent with the person, not only those of one class. "
            "Classes may be smaller."
        )
    if wild:
        fewest = f"classes may have fewer than the {number(facts.smallest)} records that match each"
        yield Words(f"These sizes count {wild} as values of their own: {fewest}.", warns=True)
    yield sizes_picture(facts.sizes, required_k(facts))


def required_k(facts: ReleaseFacts) -> int | None:
    """Return the largest k of the models, if any has one."""
    found = [model.parameters["k"] for model in facts.models if isinstance(model.parameters.get("k"), int)]
    return max(found, default=None)


def sizes_picture(sizes: tuple[Bin, ...], k: int | None = None, size: str = "class size") -> Picture:
    """Return a picture of the number of records by class size."""
    filled = [at for at, each in enumerate(sizes) if each.classes]
    drawn = sizes[filled[0] if filled[0] > 3 else 0 : filled[-1] + 1] if filled else ()
    rows = tuple((each.label, each.classes, each.records) for each in sizes if each.classes)
    return Picture(
        partial(charts.class_sizes, [(each.label, each.records) for each in drawn], k, size),
        Grid("Class sizes", (size, "classes", "records"), rows),
    )


def _guarantees(facts: ReleaseFacts) -> Iterator[Block]:
    rows = tuple((model.name, model.promise, model.not_promised) for model in facts.models)
    yield Grid("Privacy models", ("model", "guarantees", "does not guarantee"), rows)
    yield from (Words(text) for text in facts.further)
    if facts.kept:
        yield Words(
            f"No model covers {several(facts.kept)}: anyone who learns these of a person from another source can "
            "re-identify the person.",
            warns=True,
        )
    yield Words(
        "No model protects against everything. An attacker who already knows a sensitive value of a person can use "
        "it. Several releases of the same people can be compared. What the release shows of a large group applies to "
        "each of its members."
    )


def _attacks(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.wildcards is not None and facts.records:
        yield _of_missing(facts.wildcards, facts.records)
    if not facts.sensitive:
        yield Words("No column is declared sensitive, so attribute disclosure is not assessed.")
        return
    if not facts.records:
        return
    yield Words(
        "An attacker may learn a person's sensitive value without re-identifying the person's record. The tables count "
        "the exposed records of this release. The attacker has the release, knows that a person is in it, and knows "
        "the person's quasi-identifiers; with background_knowledge also one value, or two, that the person does not "
        "have. A missing value counts as one value."
    )
    one, many = ("group", "groups") if facts.apart else ("class", "classes")
    headers = ("attack", "description", "records", "share", many, f"worst {one}", "prevented by")
    for column in facts.sensitive:
        rows = tuple(
            (
                each.attack,
                each.story,
                each.records,
                _share(each.records, facts.records),
                each.classes,
                None if each.worst is None else f"{number(each.worst.number)}: {each.worst.told}",
                each.stopped_by or None,
            )
            for each in column.exposures
            if each.records is not None
        )
        yield Grid(f"{column.name}: {count(column.values, 'value')}", headers, rows).without_empty()
        unknown = [f"{each.attack} ({each.why})" for each in column.exposures if each.why]
        if unknown:
            yield Words(f"Not assessed for {attributes([column.name])}: {'; '.join(unknown)}.")
    yield Words(
        f"{many.capitalize()} are numbered by their published cells, sorted as text. To include an outside table, "
        "another release or further knowledge of the attacker, run incrowd attack."
    )


def _of_missing(exposure: Exposure, records: int) -> Words:
    found = exposure.records or 0
    return Words(
        f"Missing values match everything here. {exposure.story} Exposed: {number(found)} of "
        f"{count(records, 'record')} ({percent(found / records)}). Prevented by: {exposure.stopped_by}.",
        warns=bool(found),
    )


def _share(records: int | None, of: int) -> Share | None:
    return None if records is None else Share(records / max(1, of))


def _risks(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records and facts.risk_before is None:
        return
    model = _consistent(facts)
    if model is not None:
        yield Words(
            "These figures treat only published records that are exactly equal as indistinguishable. "
            + (
                f"But every original record is consistent with at least {number(model.k)} records: an attacker who "
                "knows one person, and does not distinguish these records by how general they are, picks the right "
                f"one with a probability of at most {percent(1 / model.k)}."
                if model.of_people
                else "The number of records that are consistent with a person is not guaranteed."
            ),
            warns=True,
        )
    if facts.people is not None and facts.records:
        yield Words(
            "These figures count records, as the published data show them. Counting people, the highest risk of the "
            f"release is {percent(1 / max(1, facts.people.smallest))}: a class has at least "
            f"{count(facts.people.smallest, 'person')}.{_if_several_are_known(facts.people)}",
            warns=True,
        )
    risks = Risks(facts.risk_after, facts.risk_before, facts.no_population)
    yield from risk_blocks(risks, facts.apart, _wildcards(facts).capitalize())


def _if_several_are_known(people: People) -> str:
    """Return the highest risk if more than one record of a person is known."""
    if people.alike is None:
        return ""
    what = "all records" if people.knows == "history" else f"any {people.knows} records"
    return f" If {what} of a person are known, it is {percent(1 / max(1, people.alike))}."


def _scores(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.scores:
        rows = tuple((score.name, score.value, score.meaning) for score in facts.scores)
        yield Words("Lower is better for all of these metrics.")
        yield Grid("Scores", ("metric", "value", "meaning"), rows)


def _verification(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.verdict is None:
        return
    checks = "" if facts.checks is None else f" ({count(facts.checks, 'check')})"
    yield Words(
        f"Verdict: {verdict_word(facts.verdict)}{checks}. The published data were re-read and checked against the "
        "definitions by independent code. Anyone with the data and the manifest can repeat this: incrowd verify."
    )
    if facts.details:
        rows = tuple((check.name, WORDS[check.holds], check.detail) for check in facts.details)
        yield Grid("Checks", ("check", "result", "detail"), rows)


def parameters_of(model: ModelFacts) -> str:
    """Return the parameters of a model as text."""
    texts = []
    for key, value in model.parameters.items():
        text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        texts.append(f"{key} = {text}")
    return ", ".join(texts)
