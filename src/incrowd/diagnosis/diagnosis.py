"""The Diagnosis Centre: a table that answers any of the twelve questions."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from incrowd.core._kernels import total
from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.core.table import MISSING
from incrowd.diagnosis.answer import Answer, Asked
from incrowd.diagnosis.counters import Counts, counter_for
from incrowd.diagnosis.lattice import Lattice
from incrowd.diagnosis.questions import FIND, Find, Suppression, question_for
from incrowd.diagnosis.suppression import Share, needed, needed_for_each, reached, suppression_row
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import Interrupted, UsageError
from incrowd.watch import Show, Watch


class Diagnosis:
    """Who stands out in a table, and through which columns.

    `ask` takes any of k, quasi and suppress; whatever is left out is asked for.
    """

    def __init__(self, source: Source, among: Sequence[str] | None = None, nulls: Nulls | str = Nulls.EXTENDED) -> None:
        if nulls not in tuple(Nulls):
            raise UsageError.not_one_of("nulls", str(nulls), tuple(Nulls))
        self.source = source
        self.nulls = Nulls(nulls)
        self.among = source.columns if among is None else chosen_columns(among, source.columns, "among")
        self._counted: dict[tuple[str, ...], FrequencySet] = {}

    def ask(
        self,
        *,
        k: int | None = None,
        quasi: Sequence[str] | None = None,
        suppress: float | str | Find | None = None,
        at_most: bool = False,
        max_size: int | None = None,
        up_to: int = 50,
        time: float | None = None,
        progress: Show | None = None,
    ) -> Answer:
        """Answer the question that these make: Q1 to Q12 by what is given; suppress=FIND asks for the suppression.

        `at_most` asks for k or less instead of k or more; `max_size` limits the size of the sets looked at; `up_to`
        the k listed when suppression is asked for every k; `time` the seconds it may take.
        """
        asked = self._asked(k, quasi, suppress, at_most, max_size, up_to)
        with Watch(time, progress) as watch:
            return self._answer_set(asked, watch) if asked.quasi else self._answer_lattice(asked, watch)

    def k(self, quasi: Sequence[str]) -> int:
        """Q2: the size of the smallest group of records that agree in the columns."""
        answer = self.ask(quasi=quasi).answer
        assert isinstance(answer, int)
        return answer

    def safe_sets(self, k: int) -> list[list[str]]:
        """Q3: the largest sets of columns that are k-anonymous."""
        return self._sets(self.ask(k=k))

    def threats(self, k: int = 1) -> list[list[str]]:
        """Q3 at most: the smallest sets of columns that, known to an outsider, push k to this value or below."""
        return self._sets(self.ask(k=k, at_most=True))

    def least_suppression(self, k: int, quasi: Sequence[str]) -> Answer:
        """Q9: how many records have to go."""
        return self.ask(k=k, quasi=quasi, suppress=FIND)

    def frequencies(self, columns: Sequence[str], watch: Watch | None = None) -> FrequencySet:
        """The frequency set of some columns, counted once."""
        wanted = tuple(columns)
        if wanted not in self._counted:
            whole = self._counted.get(self.among)
            if whole is not None and set(wanted) <= set(self.among):
                self._counted[wanted] = whole.project(wanted)
            else:
                self._counted[wanted] = count(self.source, wanted, watch or Watch())
        return self._counted[wanted]

    def within(self, among: Sequence[str]) -> "Diagnosis":
        """The same table among other columns, counted from what was counted already where that holds them."""
        other = Diagnosis(self.source, among, self.nulls)
        other._counted[other.among] = self.frequencies(other.among)
        return other

    @staticmethod
    def _sets(answer: Answer) -> list[list[str]]:
        if not answer.complete:
            raise Interrupted(f"{answer.sentence} Use ask(...) to get what is known so far")
        sets: list[list[str]] = answer.answer
        return sets

    def _asked(
        self,
        k: int | None,
        quasi: Sequence[str] | None,
        suppress: object,
        at_most: bool,
        max_size: int | None,
        up_to: int,
    ) -> Asked:
        share = FIND if suppress is FIND or suppress == "find" else None if suppress is None else Share.parse(suppress)
        kind = Suppression.ASKED if share is FIND else Suppression.NONE if share is None else Suppression.GIVEN
        columns = None if quasi is None else chosen_columns(quasi, self.source.columns, "quasi")
        question = question_for(k is not None, columns is not None, kind)
        asked = Asked(
            question,
            self.among,
            None if k is None else _whole("k", k),
            columns,
            share,
            at_most,
            self.nulls,
            None if max_size is None else _whole("max_size", max_size),
            _whole("up_to", up_to),
        )
        _refuse_senseless(asked)
        return asked

    # One set of columns: Q1, Q2, Q5, Q6, Q9, Q11.

    def _answer_set(self, asked: Asked, watch: Watch) -> Answer:
        assert asked.quasi is not None
        frequencies = self.frequencies(asked.quasi, watch)
        counter = counter_for(frequencies, self.nulls)
        sizes = counter.sizes(tuple(range(len(asked.quasi) - 1, -1, -1)))
        basic = self.nulls is Nulls.BASIC
        judged = int(sizes.sum()) if basic else frequencies.records
        answer = _answer_for_sizes(asked, sizes, judged)
        goal = _k_to_reach(asked, answer, sizes, judged)
        return Answer(
            asked,
            lambda: answer,
            frequencies.records,
            evaluations=1,
            unique=int(np.count_nonzero(sizes == 1)),
            below=None if asked.k is None or self.nulls in WILDCARDS else needed(sizes, asked.k),
            set_aside=frequencies.records - judged if basic else None,
            rows=None if goal is None else lambda: self._rows_below(asked.quasi or (), goal),
        )

    def _rows_below(self, quasi: Sequence[str], k: int) -> list[int]:
        """The rows in classes smaller than k, from the records themselves."""
        with Watch() as watch:
            table = self.source.table(quasi, watch)
        codes = np.array([column.codes for column in table.columns], dtype=np.int32)
        numbers, n = number_combinations(list(codes), [column.cardinality for column in table.columns])
        kept = np.ones(table.rows, dtype=np.int64)
        if self.nulls is Nulls.BASIC:
            kept = (codes != MISSING).all(axis=0).astype(np.int64)
        sizes = total(numbers, n, kept)
        rows: list[int] = np.flatnonzero((sizes[numbers] < k) | (kept == 0)).tolist()
        return rows

    # The lattice of sets: Q3, Q4, Q7, Q8, Q10, Q12.

    def _answer_lattice(self, asked: Asked, watch: Watch) -> Answer:
        frequencies = self.frequencies(self.among, watch)
        lattice = Lattice(asked, frequencies, watch)
        if asked.k is not None and asked.suppress is not FIND:
            return lattice.borders()
        return lattice.every_set()


def _answer_for_sizes(asked: Asked, sizes: Counts, judged: int) -> Any:
    if asked.suppress is FIND:
        if asked.k is None:
            return [
                {"k": at + 1, **suppression_row(suppressed, judged)}
                for at, suppressed in enumerate(needed_for_each(sizes, asked.up_to))
            ]
        suppressed = needed(sizes, asked.k)
        return {**suppression_row(suppressed, judged), "remaining": judged - suppressed}
    budget = asked.suppress.of(judged) if isinstance(asked.suppress, Share) else 0
    k, _ = reached(sizes, budget)
    if asked.k is None:
        return k
    return k <= asked.k if asked.at_most else k >= asked.k


def _k_to_reach(asked: Asked, answer: Any, sizes: Counts, judged: int) -> int | None:
    """The k below which records go; None where the answer suppresses nothing or not enough."""
    if asked.suppress is FIND:
        return asked.k
    if not isinstance(asked.suppress, Share) or asked.at_most:
        return None
    if asked.k is None:
        return reached(sizes, asked.suppress.of(judged))[0]
    return asked.k if answer else None


def _whole(what: str, value: object) -> int:
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        raise UsageError.bad_k(value) if what == "k" else UsageError(f"{what} is {value!r}; it must be 1 or more")
    return number


def _refuse_senseless(asked: Asked) -> None:
    if asked.nulls in WILDCARDS and asked.suppress is not None:
        raise UsageError.senseless(
            f"suppression with nulls={asked.nulls}",
            "wildcards make no classes that could be removed whole, and each removal changes what matches the others",
            "ask without suppress, or with nulls extended or basic",
        )
    if asked.at_most and asked.k is None:
        raise UsageError.senseless("at most", "it needs a k to compare with", "give k, such as k=1")
    if asked.at_most and asked.suppress is FIND:
        raise UsageError.senseless(
            "at most with suppress=find",
            "suppression only ever raises k",
            "leave at_most out, or give a share to suppress",
        )
    if asked.max_size is not None and asked.quasi is not None:
        raise UsageError.senseless("max_size with quasi", "only one set is counted", "leave one of them out")
