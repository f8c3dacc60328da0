"""The Diagnosis Centre: a table that answers any of the twelve questions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.histogram_counters import profiles_for
from incrowd.diagnosis.lattice import Lattice
from incrowd.diagnosis.measures import Measure, Number, chosen_measure, whole
from incrowd.diagnosis.profiles import Profile
from incrowd.diagnosis.query import DiagnosisQuery, refuse_senseless
from incrowd.diagnosis.questions import FIND, Find, Suppression, question_for
from incrowd.diagnosis.rows import rows_below
from incrowd.diagnosis.suppression import Share, suppression_row
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import Interrupted, UsageError
from incrowd.hierarchies import Spec, build
from incrowd.watch import Show, Watch


class Diagnosis:
    """A table, and queries about the columns that single out its records.

    `ask` takes any of k (or l, or t), quasi and suppress; whatever is omitted is computed.
    """

    def __init__(self, source: Source, among: Sequence[str] | None = None, nulls: Nulls | str = Nulls.EXTENDED) -> None:
        if nulls not in tuple(Nulls):
            raise UsageError.not_one_of("nulls", str(nulls), tuple(Nulls))
        self.source = source
        self.nulls = Nulls(nulls)
        self.among = source.columns if among is None else chosen_columns(among, source.columns, "among")
        self._among_is_given = among is not None
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
            return self._answer_set(asked, *counted) if asked.quasi else self._answer_lattice(asked, *counted, watch)

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
            whole = self._counted.get(self.among)
            if whole is not None and set(wanted) <= set(self.among):
                self._counted[wanted] = whole.project(wanted)
            else:
                self._counted[wanted] = count(self.source, wanted, watch or Watch())
        return self._counted[wanted]

    def within(self, among: Sequence[str]) -> "Diagnosis":
        """Return the diagnosis among other columns, reusing counts if they cover them."""
        other = Diagnosis(self.source, among, self.nulls)
        other._counted[other.among] = self.frequencies(other.among)
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
        share = FIND if suppress is FIND or suppress == "find" else None if suppress is None else Share.parse(suppress)
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
        )

    def _among(self, measure: Measure) -> tuple[str, ...]:
        """Return the columns whose sets are diagnosed (default: all but the sensitive one)."""
        if measure.column is None:
            return self.among
        chosen_columns([measure.column], self.source.columns, "sensitive")
        if self._among_is_given:
            return self.among
        return tuple(name for name in self.among if name != measure.column)

    def _count_for(self, asked: DiagnosisQuery, hierarchy: Spec, watch: Watch) -> tuple[FrequencySet, Hierarchy | None]:
        """Return the frequency set that a question needs, its sensitive column last, and that column's hierarchy."""
        columns, sensitive = asked.quasi or asked.among, asked.measure.column
        if sensitive is None:
            return self.frequencies(columns, watch), None
        frequencies = self.frequencies((*columns, sensitive), watch)
        if not asked.measure.needs_hierarchy or hierarchy is None:
            return frequencies, None
        values = frequencies.values[-1]
        return frequencies, build(hierarchy, values, sensitive)

    # One set of columns: Q1, Q2, Q5, Q6, Q9, Q11.

    def _answer_set(self, asked: DiagnosisQuery, frequencies: FrequencySet, hierarchy: Hierarchy | None) -> Answer:
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
            unique=int(np.count_nonzero(profile.sizes == 1)) if of_k else None,
            homogeneous=None if of_k else profile.homogeneous,
            below=None if asked.value is None or self.nulls in WILDCARDS else profile.needed(asked.value),
            set_aside=frequencies.records - judged if basic else None,
            rows=None if goal is None else lambda: self._rows_below(asked, goal, hierarchy),
        )

    def _rows_below(self, asked: DiagnosisQuery, goal: Number, hierarchy: Hierarchy | None) -> list[int]:
        """Return the rows in classes that do not satisfy the goal, from the records themselves."""
        assert asked.quasi is not None
        columns = asked.quasi if asked.measure.column is None else (*asked.quasi, asked.measure.column)
        with Watch() as watch:
            table = self.source.table(columns, watch)
        return rows_below(table, asked, goal, hierarchy)

    # The lattice of sets: Q3, Q4, Q7, Q8, Q10, Q12.

    def _answer_lattice(
        self, asked: DiagnosisQuery, frequencies: FrequencySet, hierarchy: Hierarchy | None, watch: Watch
    ) -> Answer:
        lattice = Lattice(asked, frequencies, hierarchy, watch)
        if asked.value is not None and asked.suppress is not FIND:
            return lattice.borders()
        return lattice.every_set()


def _answer_for(asked: DiagnosisQuery, profile: Profile, judged: int) -> Any:
    if asked.suppress is FIND:
        if asked.value is None:
            return profile.needed_for_each(asked.up_to)
        suppressed = profile.needed(asked.value)
        return {**suppression_row(suppressed, judged), "remaining": judged - suppressed}
    reached = profile.reached(asked.budget(judged))
    return reached if asked.value is None else asked.holds_for(reached)


def _to_reach(asked: DiagnosisQuery, answer: Any, profile: Profile, judged: int) -> Number | None:
    """Return the value below which records are suppressed; None if the answer suppresses nothing or not enough."""
    if asked.suppress is FIND:
        return asked.value
    if not isinstance(asked.suppress, Share) or asked.is_threat:
        return None
    if asked.value is None:
        return profile.reached(asked.budget(judged))
    return asked.value if answer else None
