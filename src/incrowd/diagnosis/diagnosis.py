"""The Diagnosis Centre: a table that answers any of the twelve questions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.people import number_of_people, with_person
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.histogram_counters import profiles_for
from incrowd.diagnosis.lattice import Lattice
from incrowd.diagnosis.measures import Measure, Number, chosen_measure, whole
from incrowd.diagnosis.profiles import Profile
from incrowd.diagnosis.query import DiagnosisQuery, refuse_senseless
from incrowd.diagnosis.questions import FIND, Find, Suppression, question_for
from incrowd.diagnosis.rows import rows_below
from incrowd.diagnosis.suppression import Given, parse
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import Interrupted, UsageError
from incrowd.hierarchies import Spec, build
from incrowd.models.of_people import records_are_people
from incrowd.results import Result
from incrowd.text import attributes
from incrowd.text import count as counted_words
from incrowd.watch import Show, Watch


@dataclass(frozen=True, eq=False)
class _Counted:
    """The counts for a question."""

    asked: DiagnosisQuery
    """By people only if some have several records: otherwise the answer is the same, and records are counted faster."""
    frequencies: FrequencySet
    """The columns in question, then the sensitive one, then the one that numbers people."""
    hierarchy: Hierarchy | None
    people: int | None


class Diagnosis(Result):
    """A table, and queries about the columns that single out its records.

    `ask` takes any of k (or l, or t), quasi and suppress; whatever is omitted is computed. If `person` names the
    columns that together tell the person of a record, all sizes are numbers of different people.
    """

    def __init__(
        self,
        source: Source,
        among: Sequence[str] | None = None,
        nulls: Nulls | str = Nulls.EXTENDED,
        person: Sequence[str] = (),
    ) -> None:
        if nulls not in tuple(Nulls):
            raise UsageError.not_one_of("nulls", str(nulls), tuple(Nulls))
        self.source = source
        self.nulls = Nulls(nulls)
        self.person = chosen_columns(person, source.columns, "person") if person else ()
        known = tuple(name for name in source.columns if name not in self.person)
        self.among = known if among is None else chosen_columns(among, source.columns, "among")
        self.among_is_given = among is not None
        self._counted: dict[tuple[str, ...], FrequencySet] = {}

    def ask(
        self,
        *,
        k: int | None = None,
        l: int | float | None = None,  # noqa: E741 - the name that the parameter has in every paper
        t: float | None = None,
        quasi: Sequence[str] | None = None,
        suppress: float | str | Find | None = None,
        sensitive: str | None = None,
        measure: str | None = None,
        hierarchy: Spec = None,
        at_most: bool = False,
        at_least: bool = False,
        max_size: int | None = None,
        up_to: int = 50,
        time: float | None = None,
        progress: Show | None = None,
    ) -> Answer:
        """Answer the question that these make: Q1 to Q12 by what is given; suppress=FIND asks for the suppression.

        With a `sensitive` column the question is about l-diversity (`l`) or t-closeness (`t`) instead of k. `measure`
        says which of the models is meant: distinct_l, frequency_l, entropy_l or t_closeness, the last one also with its
        distance, as in t_closeness:distance=ordered; `hierarchy` is the column's, for distance=hierarchical.
        `at_most` and `at_least` say on which side of the given number; by default on the one that protects, at least
        for k and l, at most for t. `max_size` limits the size of the sets looked at; `up_to` the k or l listed when
        suppression is asked for every one; `time` the seconds it may take.
        """
        chosen, value = chosen_measure(measure, sensitive, {"k": k, "l": l, "t": t})
        asked = self._asked(chosen, value, quasi, suppress, (at_most, at_least), max_size, up_to)
        refuse_senseless(asked, hierarchy is not None)
        with Watch(time, progress) as watch:
            counted = self._count_for(asked, hierarchy, watch)
            return self._answer_set(counted) if asked.quasi else self._answer_lattice(counted, watch)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each column of the table: whether it is among those that questions are about."""
        return [
            {"column": name, "among": name in self.among, "person": name in self.person} for name in self.source.columns
        ]

    def parts(self) -> list[str]:
        """Return what is open, and how to ask; nothing is counted for that."""
        known = f"{self.source.name}: open for questions about {counted_words(len(self.among), 'column')}."
        how = (
            "Ask for example:\n  diagnosis.ask(k=5)                     the largest sets of columns with that k\n"
            "  diagnosis.ask(quasi=['age', 'sex'])    the k of a set of columns"
        )
        return [f"{known}\n{attributes(self.among)}", how]

    def k(self, quasi: Sequence[str]) -> int:
        """Return the size of the smallest class of the columns (Q2)."""
        answer = self.ask(quasi=quasi).answer
        assert isinstance(answer, int)
        return answer

    def safe_sets(self, k: int) -> list[list[str]]:
        """Return the largest sets of columns that are k-anonymous (Q3)."""
        return self._sets(self.ask(k=k))

    def threats(self, k: int = 1) -> list[list[str]]:
        """Return the smallest sets of columns that, known to an attacker, lower k to this value (Q3, at most)."""
        return self._sets(self.ask(k=k, at_most=True))

    def least_suppression(self, k: int, quasi: Sequence[str]) -> Answer:
        """Return how many records must be suppressed (Q9)."""
        return self.ask(k=k, quasi=quasi, suppress=FIND)

    def frequencies(self, columns: Sequence[str], watch: Watch | None = None) -> FrequencySet:
        """Return the frequency set of some columns, counted once."""
        wanted = tuple(columns)
        if wanted not in self._counted:
            whole = self._counted.get(self.everything)
            if whole is not None and set(wanted) <= set(self.everything):
                self._counted[wanted] = whole.project(wanted)
            else:
                self._counted[wanted] = count(self.source, wanted, watch or Watch())
        return self._counted[wanted]

    @property
    def everything(self) -> tuple[str, ...]:
        """Return the columns among which sets are diagnosed and those of the person: what is counted at once."""
        return tuple(dict.fromkeys((*self.among, *self.person)))

    def counted(self, columns: Sequence[str], sensitive: str | None = None) -> FrequencySet:
        """Return the frequency set of some columns; if people repeat, with a last column that numbers them."""
        names = (*columns, *(() if sensitive is None else (sensitive,)))
        found = self.frequencies(tuple(dict.fromkeys((*names, *self.person))))
        return with_person(found, names, self.person) if self._people_repeat(found) else found.project(names)

    def counts_people(self) -> bool:
        """Return whether people have several records, so that people are counted."""
        return bool(self.person) and self._people_repeat(self.frequencies(self.everything))

    def _people_repeat(self, counted: FrequencySet) -> bool:
        return bool(self.person) and not records_are_people(counted, self.person)

    def within(self, among: Sequence[str]) -> "Diagnosis":
        """Return the diagnosis among other columns, reusing counts if they cover them."""
        other = Diagnosis(self.source, among, self.nulls, self.person)
        other._counted[other.everything] = self.frequencies(other.everything)
        return other

    @staticmethod
    def _sets(answer: Answer) -> list[list[str]]:
        if not answer.complete:
            raise Interrupted(f"{answer.sentence} Use ask(...) for the partial result")
        sets: list[list[str]] = answer.answer
        return sets

    def _asked(
        self,
        measure: Measure,
        value: Number | None,
        quasi: Sequence[str] | None,
        suppress: object,
        sides: tuple[bool, bool],
        max_size: int | None,
        up_to: int,
    ) -> DiagnosisQuery:
        share = FIND if suppress is FIND or suppress == "find" else None if suppress is None else parse(suppress)
        kind = Suppression.ASKED if share is FIND else Suppression.NONE if share is None else Suppression.GIVEN
        columns = None if quasi is None else chosen_columns(quasi, self.source.columns, "quasi")
        return DiagnosisQuery(
            question_for(value is not None, columns is not None, kind),
            self._among(measure),
            measure,
            value,
            columns,
            share,
            *sides,
            self.nulls,
            None if max_size is None else whole("max_size", max_size),
            whole("up_to", up_to),
            self.person,
        )

    def _among(self, measure: Measure) -> tuple[str, ...]:
        """Return the columns whose sets are diagnosed (default: all but the sensitive one)."""
        if measure.column is None:
            return self.among
        chosen_columns([measure.column], self.source.columns, "sensitive")
        if self.among_is_given:
            return self.among
        return tuple(name for name in self.among if name != measure.column)

    def _count_for(self, asked: DiagnosisQuery, hierarchy: Spec, watch: Watch) -> _Counted:
        """Return what a question needs: the frequency set, and the hierarchy of its sensitive column."""
        sensitive = asked.measure.column
        names = (*(asked.quasi or asked.among), *(() if sensitive is None else (sensitive,)))
        frequencies = self.frequencies(tuple(dict.fromkeys((*names, *self.person))), watch)
        people = number_of_people(frequencies, self.person) if self.person else None
        if self._people_repeat(frequencies):
            asked = replace(asked, measure=replace(asked.measure, person=self.person))
            refuse_senseless(asked, hierarchy is not None)
            frequencies = with_person(frequencies, names, self.person)
        elif self.person:
            frequencies = frequencies.project(names)
        if sensitive is None or not asked.measure.needs_hierarchy or hierarchy is None:
            return _Counted(asked, frequencies, None, people)
        values = frequencies.values[len(names) - 1]
        return _Counted(asked, frequencies, build(hierarchy, values, sensitive), people)

    # One set of columns: Q1, Q2, Q5, Q6, Q9, Q11.

    def _answer_set(self, counted: _Counted) -> Answer:
        asked, frequencies, hierarchy = counted.asked, counted.frequencies, counted.hierarchy
        assert asked.quasi is not None
        profile = profiles_for(frequencies, self.nulls, asked.measure, hierarchy).profile(
            tuple(range(len(asked.quasi) - 1, -1, -1))
        )
        basic, of_k = self.nulls is Nulls.BASIC, asked.measure.column is None
        judged = profile.records if basic else frequencies.records
        answer = _answer_for(asked, profile, judged)
        goal = _to_reach(asked, answer, profile, judged)
        return Answer(
            asked,
            lambda: answer,
            frequencies.records,
            evaluations=1,
            unique=profile.unique if of_k else None,
            homogeneous=None if of_k else profile.homogeneous,
            below=None if asked.value is None or self.nulls in WILDCARDS else profile.needed(asked.value),
            below_people=None if asked.value is None else profile.people_below(asked.value),
            set_aside=frequencies.records - judged if basic else None,
            people=counted.people,
            rows=None if goal is None else lambda: self._rows_below(asked, goal, hierarchy),
        )

    def _rows_below(self, asked: DiagnosisQuery, goal: Number, hierarchy: Hierarchy | None) -> list[int]:
        """Return the rows in classes that do not satisfy the goal, from the records themselves."""
        assert asked.quasi is not None
        columns = asked.quasi if asked.measure.column is None else (*asked.quasi, asked.measure.column)
        with Watch() as watch:
            table = self.source.table(tuple(dict.fromkeys((*columns, *asked.measure.person))), watch)
        return rows_below(table, asked, goal, hierarchy)

    # The lattice of sets: Q3, Q4, Q7, Q8, Q10, Q12.

    def _answer_lattice(self, counted: _Counted, watch: Watch) -> Answer:
        asked = counted.asked
        lattice = Lattice(asked, counted.frequencies, counted.hierarchy, watch)
        of_borders = asked.value is not None and asked.suppress is not FIND
        return replace(lattice.borders() if of_borders else lattice.every_set(), people=counted.people)


def _answer_for(asked: DiagnosisQuery, profile: Profile, judged: int) -> Any:
    if asked.suppress is FIND:
        if asked.value is None:
            return profile.needed_for_each(asked.up_to)
        return {**profile.suppression(asked.value, judged), "remaining": judged - profile.needed(asked.value)}
    reached = profile.reached(asked.budget(judged))
    return reached if asked.value is None else asked.holds_for(reached)


def _to_reach(asked: DiagnosisQuery, answer: Any, profile: Profile, judged: int) -> Number | None:
    """Return the value below which records are suppressed; None if the answer suppresses nothing or not enough."""
    if asked.suppress is FIND:
        return asked.value
    if not isinstance(asked.suppress, Given) or asked.is_threat:
        return None
    if asked.value is None:
        return profile.reached(asked.budget(judged))
    return asked.value if answer else None
