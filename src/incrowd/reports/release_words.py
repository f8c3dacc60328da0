"""A release in words: what was asked, what was found, what is promised and what is not."""

from collections.abc import Iterator
from functools import partial

from incrowd.attacks import Exposure
from incrowd.core.schema import WILDCARDS
from incrowd.models.consistent_k import ConsistentK, not_alike
from incrowd.reports import charts
from incrowd.reports.blocks import Block, Cell, Grid, Listing, Picture, Points, Section, Share, Words, several
from incrowd.reports.column_words import column_blocks
from incrowd.reports.release_facts import ModelFacts, ReleaseFacts, SensitiveFacts
from incrowd.reports.risk_facts import Risks
from incrowd.reports.risk_words import risk_blocks
from incrowd.reports.sizes import Bin
from incrowd.searches import minimized_by
from incrowd.text import attributes, count, number, percent
from incrowd.verification import WORDS

_GUARANTEES = {
    "optimal": "no release within the limits scores better",
    "minimal": "no release within the limits lies below it; another one may score better",
    "heuristic": "a better one may exist",
}

_NULLS = {
    "extended": "A missing cell counts as a value of its own",
    "basic": "A record with a missing cell is set aside",
    "maybe": "A missing cell matches everything",
    "right_maybe": "A missing cell of the record looked for matches everything",
}


def release_sections(facts: ReleaseFacts) -> tuple[Section, ...]:
    """All parts of a report on a release."""
    found = [
        Section("In short", tuple(_short(facts))),
        Section("What was asked", tuple(_asked(facts))),
        Section("What is left of each column", tuple(column_blocks(facts))),
        Section("Sizes of the classes", tuple(_hidden(facts))),
        Section("What is promised, and what is not", tuple(_promises(facts))),
        Section("What classes still tell", tuple(_attacks(facts))),
        Section("How likely somebody is found", tuple(_risks(facts))),
        Section("What the data are worth", tuple(_scores(facts))),
        Section("How it was checked", tuple(_checked(facts))),
    ]
    return tuple(section for section in found if section.blocks)


def _short(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records:
        gone = f" {_left_out(facts)}" if facts.input_records else ""
        yield Words(f"Nothing is published: the release has no record.{gone}", warns=True)
        return
    yield Points(tuple(_sentences(facts)))
    yield from (Words(_told_outright(column, facts), warns=True) for column in facts.sensitive if _homogeneous(column))
    if facts.verdict not in (None, "holds"):
        yield Words(f"The release was read again, and what it claims {_not(facts.verdict)}.", warns=True)
    yield from (Words(f"Warning: {warning}", warns=True) for warning in facts.warnings)


def _sentences(facts: ReleaseFacts) -> Iterator[str]:
    yield facts.summary
    yield _left_out(facts)
    yield _detail(facts)
    one = "group" if facts.apart else "class"
    yield from (
        f"No {one} tells anybody's {attributes([column.name])} outright; see what classes still tell."
        for column in facts.sensitive
        if not _homogeneous(column)
    )
    if facts.risk_before is not None:
        yield (
            f"Records that are the only one of their kind: {number(facts.risk_before.unique)} before, "
            f"{number(facts.risk_after.unique)} published."
        )
    if facts.verdict == "holds":
        yield "The release was read again and verified: everything that it claims holds."


def _wildcards(facts: ReleaseFacts) -> str:
    """Which cells match everything, if any."""
    return "missing" if facts.nulls in WILDCARDS else "wiped" if facts.wiped else ""


def _detail(facts: ReleaseFacts) -> str:
    """How many columns are coarser, and what remains of all of them together."""
    changed = [column for column in facts.columns if column.level != 0 and column.form != "value"]
    of = (
        f"{number(len(changed))} of {count(len(facts.columns), 'quasi-identifier')}"
        if changed
        else "No quasi-identifier"
    )
    told = f"{of} {'are' if len(changed) > 1 else 'is'} published with less detail."
    loss = next((score.value for score in facts.scores if score.name == "loss"), None)
    return told if loss is None else f"{told} All in all, {percent(1 - loss)} of the detail is left."


def _loose(facts: ReleaseFacts) -> ConsistentK | None:
    """What hides records that are not alike in groups of k."""
    return not_alike(({model.name: model.parameters} for model in facts.models), facts.smallest)


def _not(verdict: str | None) -> str:
    return "does not hold: do not rely on it" if verdict == "does not hold" else "could not all be checked here"


def _left_out(facts: ReleaseFacts) -> str:
    aside = f" {number(facts.set_aside)} more were set aside for missing cells." if facts.set_aside else ""
    if not facts.suppressed:
        return f"No record was left out, of {number(facts.input_records)}.{aside}"
    share = percent(facts.suppressed / facts.input_records)
    return f"{number(facts.suppressed)} of {count(facts.input_records, 'record')} were left out ({share}).{aside}"


def _homogeneous(column: SensitiveFacts) -> int:
    """Records whose class has a single value."""
    return column.exposures[0].records or 0


def _told_outright(column: SensitiveFacts, facts: ReleaseFacts) -> str:
    records, one = _homogeneous(column), "group" if facts.apart else "class"
    return (
        f"{count(records, 'record')} ({percent(records / facts.records)}) {'is' if records == 1 else 'are'} in "
        f"{'groups' if facts.apart else 'classes'} with a single value of "
        f"{attributes([column.name])}: whoever knows that a person is in such a {one} knows it."
    )


def _asked(facts: ReleaseFacts) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = [(model.name, _parameters(model)) for model in facts.models]
    one = "Every group has" if facts.apart else "Every class of records that look alike has"
    yield Words(f"{'All released records together have' if _loose(facts) else one} to satisfy:")
    yield Grid("Privacy models", ("model", "parameters"), tuple(rows))
    sensitive = [column.name for column in facts.sensitive]
    lines = [
        f"Quasi-identifiers, by which an outsider may know people: {several([each.name for each in facts.columns])}."
    ]
    lines += [f"Sensitive, what nobody may learn: {several(sensitive)}."] if sensitive else []
    lines += [f"Published as they are, and judged by nothing: {several(facts.kept)}."] if facts.kept else []
    lines += [f"Not published: {several(facts.not_published)}."] if facts.not_published else []
    limit = f"At most {count(facts.suppress_limit, 'record')}" if facts.suppress_limit else "No record"
    lines.append(f"{limit} might be left out.")
    lines.append(missing_cells(facts.nulls))
    lines += [f"A wiped cell matches anything: {several(facts.wiped)}."] if facts.wiped else []
    yield Points(tuple(lines))
    yield Words(_chosen(facts))
    if facts.job is not None:
        from incrowd.jobs import yaml_file

        yield Listing("The job, which makes the same release again", yaml_file.write(facts.job))
    yield from (Words(note) for note in facts.notes)


def _chosen(facts: ReleaseFacts) -> str:
    """The search; and in a private report what it proved, which follows from the original table."""
    search = facts.search
    chosen = f"The recoding was chosen by the search {search['name']}"
    if "guarantee" not in search:
        return f"{chosen}."
    how = _GUARANTEES.get(str(search["guarantee"] if search["stopped"] is None else "heuristic"), "")
    if search["optimal"] and search["name"] == "fewest_cells":
        how = "no release of its kind costs less within the limits, wiped cells counted as lost"
    own = minimized_by(str(search["name"]))
    score = next((score.value for score in facts.scores if score.name == own), None)
    if score is not None and search["stopped"] is None:
        how = f"no release within the limits has a lower {own} ({score:.6g})"
    stopped = f" It was stopped early ({search['stopped']})." if search["stopped"] else ""
    return f"{chosen}: {how}.{stopped}"


def missing_cells(nulls: str) -> str:
    """What a missing cell matches."""
    return f"{_NULLS.get(nulls, 'Missing cells')} (nulls: {nulls})."


def _hidden(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records:
        return
    what = "group" if facts.apart else "class"
    wild = _wildcards(facts)
    smallest = "" if wild else f" The smallest has {count(facts.smallest, 'record')}."
    shared = "share a group" if facts.apart else "agree in all quasi-identifiers"
    yield Words(f"A {what} is a set of records that {shared}.{smallest}")
    if _loose(facts) is not None:
        yield Words("People hide among all records that fit them, and not in classes alone, which may be smaller.")
    if wild:
        fewest = f"so that classes may have fewer than the {number(facts.smallest)} records that match each"
        yield Words(f"Here a {wild} cell counts as a value of its own, {fewest}.", warns=True)
    yield sizes_picture(facts.sizes, asked_k(facts))


def asked_k(facts: ReleaseFacts) -> int | None:
    """The k that was asked for, if any was."""
    found = [model.parameters["k"] for model in facts.models if isinstance(model.parameters.get("k"), int)]
    return max(found, default=None)


def sizes_picture(sizes: tuple[Bin, ...], k: int | None = None) -> Picture:
    """How many records are in classes of which size."""
    filled = [at for at, each in enumerate(sizes) if each.classes]
    told = sizes[filled[0] if filled[0] > 3 else 0 : filled[-1] + 1] if filled else ()
    rows = tuple((each.label, each.classes, each.records) for each in sizes if each.classes)
    return Picture(
        partial(charts.class_sizes, [(each.label, each.records) for each in told], k),
        Grid("How large classes are", ("records in a class", "classes", "records in them"), rows),
    )


def _promises(facts: ReleaseFacts) -> Iterator[Block]:
    rows = tuple((model.name, model.promise, model.not_promised) for model in facts.models)
    yield Grid("Privacy models", ("model", "promises", "does not promise"), rows)
    yield from (Words(text) for text in facts.further)
    if facts.kept:
        yield Words(
            f"No model judges {several(facts.kept)}: whoever can learn these of a person by other means finds that "
            "person with them.",
            warns=True,
        )
    yield Words(
        "No model protects against everything. Someone who already knows a sensitive value of a person can still use "
        "it; several releases of the same people can be compared; and what is true of all members of a large group is "
        "true of each."
    )


def _attacks(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.wildcards is not None and facts.records:
        yield _of_missing(facts.wildcards, facts.records)
    if not facts.sensitive:
        yield Words("No column was named as sensitive, so there is none of which to say what classes tell.")
        return
    if not facts.records:
        return
    yield Words(
        "Somebody may learn a person's value without finding the person. This is how many records of this very release "
        "are exposed, counted as anyone can who has the release and knows that a person is in it, and the person's "
        "quasi-identifiers; by background_knowledge also of one value, or of two, that the person does not have it. A "
        "missing value counts as one value."
    )
    one, many = ("group", "groups") if facts.apart else ("class", "classes")
    headers = ("attack", "what happens", "records", "share", many, f"worst {one}", "stopped by")
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
            yield Words(f"Of {attributes([column.name])} cannot be told: {'; '.join(unknown)}.")
    yield Words(
        f"The {many} are numbered by their published cells, sorted as text. What an outside table, another release "
        "or further knowledge tells is shown by incrowd attack."
    )


def _of_missing(exposure: Exposure, records: int) -> Words:
    found = exposure.records or 0
    return Words(
        f"Missing cells match everything here. {exposure.story} This exposes {number(found)} of "
        f"{count(records, 'record')} ({percent(found / records)}), and is stopped by {exposure.stopped_by}.",
        warns=bool(found),
    )


def _share(records: int | None, of: int) -> Share | None:
    return None if records is None else Share(records / max(1, of))


def _risks(facts: ReleaseFacts) -> Iterator[Block]:
    if not facts.records and facts.risk_before is None:
        return
    loose = _loose(facts)
    if loose is not None:
        yield Words(
            "Of what is published, only records that are exactly alike are taken for each other here. "
            + (
                f"But every original record fits at least {number(loose.k)} records: whoever knows one person, and "
                "does not tell these records apart by how general they are, finds the right one with a probability of "
                f"at most {percent(1 / loose.k)}."
                if loose.of_people
                else "How many records fit a person is not promised."
            ),
            warns=True,
        )
    risks = Risks(facts.risk_after, facts.risk_before, facts.no_population)
    yield from risk_blocks(risks, facts.apart, _wildcards(facts).capitalize())


def _scores(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.scores:
        rows = tuple((score.name, score.value, score.meaning) for score in facts.scores)
        yield Words("What the recoding costs; lower is better in all of these.")
        yield Grid("Scores", ("score", "value", "meaning"), rows)


def _checked(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.verdict is None:
        return
    checks = "" if facts.checks is None else f" ({count(facts.checks, 'check')})"
    yield Words(
        f"The published data were read afresh and judged by the plain definitions: {facts.verdict}{checks}. "
        "Whoever has the data and the manifest can repeat it: incrowd verify."
    )
    if facts.details:
        rows = tuple((check.name, WORDS[check.holds], check.detail) for check in facts.details)
        yield Grid("Checks", ("check", "verdict", "found"), rows)


def _parameters(model: ModelFacts) -> str:
    told = []
    for key, value in model.parameters.items():
        text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        told.append(f"{key} = {text}")
    return ", ".join(told)
