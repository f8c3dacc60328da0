"""People judged by definition: views as multisets, people left out one round after another, in plain Python."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.frequencies import aligned
from incrowd.core.knowledge import Known, Knows
from incrowd.core.people import TableOfPeople
from incrowd.metrics import Cells, Levels, Metric
from incrowd.metrics import Columns as MetricColumns
from incrowd.metrics.loss import Loss
from incrowd.models import Block, PrivacyModel, Reference
from incrowd.models.of_people import OfPeople
from incrowd.searches import LinkedTable, People, Problem
from searches.problems import DISEASE, METRICS, MODELS, PRIORITIES, frequency_set
from strategies_lattice import hierarchies

PERSON = "person"
KNOWLEDGES: SearchStrategy[Knows] = st.sampled_from([Known.RECORD, 2, 3, Known.HISTORY])


class Row(NamedTuple):
    """One record: its person, its original codes, its class and its sensitive values."""

    person: object
    codes: tuple[int, ...]
    of: tuple[int, ...]
    values: Mapping[tuple[str, ...], tuple[str | None, ...]]


Tables = list[list[Row]]
Known_ = tuple[tuple[tuple[int, ...], ...], ...]
"""Per table the classes of the records that are known."""


def rows_of(table: LinkedTable, levels: Levels, needs: Sequence[tuple[str, ...]], at: int) -> list[Row]:
    """Every record of a table on some levels."""
    frequencies = table.people.frequencies
    names = frequencies.names

    def text(name: str, code: int) -> str | None:
        return None if code == 0 else str(frequencies.values[names.index(name)][code - 1])

    found = []
    for codes, count in zip(frequencies.codes.T.tolist(), frequencies.counts.tolist(), strict=True):
        by_name = dict(zip(names, codes, strict=True))
        who = tuple(text(name, by_name[name]) for name in table.people.columns)
        own = tuple(by_name[ladder.name] for ladder in table.ladders)
        of = tuple(int(ladder.up[level][code]) for ladder, level, code in zip(table.ladders, levels, own, strict=True))
        values = {
            columns: tuple(text(name, by_name[name]) for name in columns)
            for columns in needs
            if set(columns) <= set(names)
        }
        for number in range(count):
            nobody = all(cell is None for cell in who)
            found.append(Row(("own", at, own, codes, number).__repr__() if nobody else who, own, of, values))
    return found


def known_of(mine: Sequence[Sequence[tuple[int, ...]]], knows: Knows) -> set[Known_]:
    """All that may be known of a person, from the classes of the person's records in each table."""
    choices: list[set[tuple[tuple[int, ...], ...]]] = []
    for at, classes in enumerate(mine):
        records = sorted(classes)
        if knows == Known.HISTORY:
            choices.append({tuple(records)})
            continue
        most = 1 if knows == Known.RECORD else int(knows)
        parts = {part for size in range(1, most + 1) for part in combinations(records, size)}
        choices.append(parts | {()} if at or not parts else parts)
    return set(product(*choices))


def true_of(known: Known_, theirs: Sequence[Sequence[tuple[int, ...]]], knows: Knows) -> bool:
    """Whether something known is true of a person."""
    for at, (part, classes) in enumerate(zip(known, theirs, strict=True)):
        exact = knows == Known.HISTORY or (at == 0 and not part)
        if not (Counter(part) == Counter(classes) if exact else Counter(part) <= Counter(classes)):
            return False
    return True


@dataclass
class ByHand:
    """A problem with people, by definition."""

    problem: Problem

    def tables(self, levels: Levels) -> Tables:
        assert self.problem.people is not None
        found, begin = [], 0
        needs = self.model.needs
        for at, table in enumerate(self.problem.people.tables):
            end = begin + len(table.ladders)
            found.append(rows_of(table, levels[begin:end], needs, at))
            begin = end
        return found

    @property
    def model(self) -> PrivacyModel:
        return self.problem.model.model if isinstance(self.problem.model, OfPeople) else self.problem.model

    def judged(self, levels: Levels) -> tuple[int, int, bool, list[list[bool]]]:
        """The people who lose a record, the records left out, whether that is allowed, and what stays."""
        people = self.problem.people
        assert people is not None
        tables = self.tables(levels)
        if people.whole:
            gone = self._gone(tables)
            kept = [[row.person not in gone for row in rows] for rows in tables]
        else:
            bad = {known for known, who in self._views(tables).items() if not self._safe(known, who, tables)}
            kept = [[((row.of,),) not in bad for row in tables[0]]]
        lost = [
            row.person
            for rows, stays in zip(tables, kept, strict=True)
            for row, stay in zip(rows, stays, strict=True)
            if not stay
        ]
        used = len(set(lost)) if people.of_people else len(lost)
        return len(set(lost)), len(lost), used <= self.problem.budget, kept

    def _gone(self, tables: Tables) -> set[object]:
        gone: set[object] = set()
        while True:
            rest = [[row for row in rows if row.person not in gone] for rows in tables]
            exposed = {
                person for known, who in self._views(rest).items() if not self._safe(known, who, rest) for person in who
            }
            exposed |= self._in_bad_classes(rest)
            if not exposed:
                return gone
            gone |= exposed

    def _in_bad_classes(self, tables: Tables) -> set[object]:
        """Who is in a class whose values violate the model."""
        found: set[object] = set()
        for rows in tables:
            if not any(set(self.model.needs) & set(row.values) for row in rows):
                continue
            for of in {row.of for row in rows}:
                behind = {row.person for row in rows if row.of == of}
                if not self._safe(((of,),), behind, tables, rows):
                    found |= behind
        return found

    def _views(self, tables: Tables) -> dict[Known_, set[object]]:
        assert self.problem.people is not None
        knows = self.problem.people.knows
        everybody = {row.person for rows in tables for row in rows}
        held = {person: [[row.of for row in rows if row.person == person] for rows in tables] for person in everybody}
        every = {known for mine in held.values() for known in known_of(mine, knows)}
        return {known: {who for who, theirs in held.items() if true_of(known, theirs, knows)} for known in every}

    def _safe(self, known: Known_, who: set[object], tables: Tables, judged: list[Row] | None = None) -> bool:
        assert self.problem.people is not None
        if self.problem.people.knows == Known.RECORD and len(tables) == 1:
            [judged] = tables

        def counted(columns: tuple[str, ...]) -> "Counter[tuple[str | None, ...]]":
            pairs = {
                (row.person, row.values[columns])
                for rows in tables
                for row in rows
                if row.person in who and columns in row.values and (rows is not judged or (row.of,) == known[0])
            }
            if len(tables) > 1:
                # Who has no record in a table has missing values there.
                having = {row.person for rows in tables for row in rows if columns in row.values}
                pairs |= {(person, (None,) * len(columns)) for person in who - having}
            return Counter(value for _, value in pairs)

        whole = {
            columns: Counter(
                value
                for _, value in {
                    (row.person, row.values[columns])
                    for rows in self.tables((0,) * len(self.problem.ladders))
                    for row in rows
                    if columns in row.values
                }
            )
            for columns in self.model.needs
        }
        block = Block(len(who), {columns: counted(columns) for columns in self.model.needs})
        return self.model.textbook(block, Reference(whole, {}))

    def score(self, levels: Levels, kept: list[list[bool]]) -> float:
        """The metric by definition, of a single table."""
        assert self.problem.people is not None
        [table] = self.problem.people.tables
        columns = MetricColumns(
            table.people.frequencies.project([ladder.name for ladder in table.ladders]),
            table.ladders,
            table.priorities or (1.0,) * len(table.ladders),
        )
        [rows], [stays] = self.tables(levels), kept
        records = [Cells(row.codes, not stay) for row, stay in zip(rows, stays, strict=True)]
        return self.problem.metric.textbook(records, levels, columns)


@st.composite
def people_problems(
    draw: st.DrawFn,
    models: SearchStrategy[PrivacyModel] = MODELS,
    metrics: SearchStrategy[Metric] = METRICS,
    most_columns: int = 2,
) -> Problem:
    """Up to six people with one to six records each, and records of which nobody knows the person."""
    columns = ("a", "b", "c")[: draw(st.integers(1, most_columns))]
    ladders = {name: draw(hierarchies(most_values=3)) for name in columns}
    cells = {name: st.sampled_from(ladder.values) | st.none() for name, ladder in ladders.items()}
    record = st.fixed_dictionaries({**cells, DISEASE: st.sampled_from("xyz")})
    people = draw(
        st.lists(st.lists(record, min_size=1, max_size=draw(st.sampled_from([1, 3, 6]))), min_size=1, max_size=6)
    )
    rows = [{**each, PERSON: f"p{at}"} for at, own in enumerate(people) for each in own]
    rows += [{**each, PERSON: None} for each in draw(st.lists(record, max_size=2))]
    model = OfPeople(draw(models), (PERSON,))
    needed = dict.fromkeys(name for needs in model.needs for name in needs)
    frequencies = frequency_set(rows, [*columns, *needed])
    laid = tuple(ladders[name].along(name, values) for name, values in zip(columns, frequencies.values, strict=False))
    knows = draw(KNOWLEDGES)
    of_people = draw(st.booleans())
    whole = knows != Known.RECORD or draw(st.booleans()) or not of_people
    priorities = draw(st.just(()) | st.tuples(*[PRIORITIES] * len(columns)).filter(any))
    table = LinkedTable(TableOfPeople.of(frequencies, (PERSON,)), laid, priorities)
    budget = draw(st.integers(0, (table.people.people if of_people else len(rows)) // 2))
    return Problem(
        frequencies,
        laid,
        model,
        draw(metrics),
        budget,
        priorities=priorities,
        people=People((table,), knows, whole, of_people),
    )


ONLY_LOSS: SearchStrategy[Metric] = st.just(Loss())


@st.composite
def linked_problems(draw: st.DrawFn, models: SearchStrategy[PrivacyModel]) -> Problem:
    """People with one record each in a first table, and none to three in a second one."""
    ladders = [draw(hierarchies(most_values=3)) for _ in range(2)]
    cells = [st.sampled_from(ladder.values) for ladder in ladders]
    people = draw(
        st.lists(
            st.tuples(cells[0], st.lists(st.tuples(cells[1], st.sampled_from("xy")), max_size=3)),
            min_size=1,
            max_size=6,
        )
    )
    first = [{"a": cell, PERSON: f"p{at}"} for at, (cell, _) in enumerate(people)]
    second = [{"b": cell, DISEASE: of, PERSON: f"p{at}"} for at, (_, own) in enumerate(people) for cell, of in own]
    model = OfPeople(draw(models), (PERSON,))
    counted = aligned(frequency_set(first, ["a", PERSON]), frequency_set(second, ["b", DISEASE, PERSON]), [PERSON])
    laid = [ladder.along(each.names[0], each.values[0]) for ladder, each in zip(ladders, counted, strict=True)]
    tables = TableOfPeople.several([(each, (PERSON,)) for each in counted])
    linked = tuple(LinkedTable(table, (ladder,)) for table, ladder in zip(tables, laid, strict=True))
    people_of = People(linked, draw(KNOWLEDGES), whole=True, of_people=draw(st.booleans()))
    return Problem(counted[0], tuple(laid), model, Loss(), draw(st.integers(0, 4)), people=people_of)
