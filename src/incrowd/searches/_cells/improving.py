"""Local improvement: a class is dissolved, and its records find cheaper places, with others who come along.

A record may join a class that is there, or open one with others: with records of classes that can spare them, of its
own old class, or of combinations that need not be wiped but whose neighbor it is. So equal records may part. What
costs less in the end stays; else everything goes back. A class in use never has fewer than k records.
"""

from array import array
from collections import defaultdict

import numpy as np

from incrowd.searches._cells.wiping import Flags, Pattern, WipedPieces, Wiping
from incrowd.watch import Stopped, Watch

Class = tuple[int, int]
"""The number of a pattern, and of what the other columns show."""

Company = tuple[int, Class | None, int]
"""How many records of a combination that come along from a class; from none if they wait for a place themselves."""

Move = tuple[int, Class, int]
"""How many records of a combination (negative: fewer) in a class."""

_NEAR = 1e-9
_ROUNDS = 3
"""So often all classes are tried, as long as it helps."""

_ENTRIES = 10_000_000
"""About how many pairs of a pattern and a combination are kept: larger tables try fewer patterns, small ones first."""

MOST = 100_000
"""How many combinations there may be: beyond that it would take minutes."""

_ASKED = 40
"""How many neighbors are asked to come along."""


class Improving:
    """Which records are in which class, and how to do better."""

    def __init__(self, wiping: Wiping, pieces: WipedPieces) -> None:
        self._wiping = wiping
        patterns = _patterns(wiping, pieces)
        self._patterns = patterns
        # In the order of the texts, so that who counted the table does not matter.
        self._position = np.argsort(wiping.order)
        self._prices: list[array[float] | None] = [None] * len(patterns)
        self._numbers: list[array[int] | None] = [None] * len(patterns)
        self._flags = np.zeros((len(patterns), len(wiping.tops)))
        for number, pattern in enumerate(patterns):
            self._flags[number, list(pattern)] = 1.0
        self._fits = np.empty((len(wiping.counts), len(patterns)), dtype=np.bool_)
        """Combinations x patterns: where there are k records that would be alike; otherwise no record fits there."""
        for number in range(len(patterns)):
            self._fits[:, number] = self._enough(number)
        self._members: list[tuple[array[int], array[int]] | None] = [None] * len(patterns)
        self._held: dict[Class, dict[int, int]] = defaultdict(dict)
        self._size: dict[Class, int] = defaultdict(int)
        self._in: list[dict[Class, int]] = [{} for _ in wiping.counts]
        self._done: list[Move] = []
        self._pieces = pieces
        by_pattern = {pattern: at for at, pattern in enumerate(self._patterns)}
        cheapest = wiping.price((wiping.columns[0],)) if wiping.columns else np.zeros(len(wiping.counts))
        for column in wiping.columns[1:]:
            cheapest = np.minimum(cheapest, wiping.price((column,)))
        self._cheapest = cheapest[wiping.order].tolist()
        for piece in np.flatnonzero(~pieces.left_out).tolist():
            at = int(self._position[pieces.combination[piece]])
            number = by_pattern[tuple(np.flatnonzero(pieces.wiped[:, piece]).tolist())]
            self._move(at, (number, self._number(number)[at]), int(pieces.counts[piece]))
        self._done.clear()
        self.stopped = "done"

    def run(self, watch: Watch) -> WipedPieces:
        """Improve class after class, dear ones first; if stopped, return the pieces as they are."""
        try:
            for turn in range(_ROUNDS):
                if not self._round(turn, watch):
                    break
        except Stopped as stop:
            self.stopped = stop.reason
            self._back(0)
        return self.pieces()

    def _round(self, turn: int, watch: Watch) -> bool:
        """Return whether any class found cheaper places."""
        dear = []
        for one, held in self._held.items():
            prices = self._price(one[0])
            extra = sum(count * (prices[at] - self._cheapest[at]) for at, count in sorted(held.items()))
            if held and self._patterns[one[0]] and (extra > _NEAR or any(map(self._safe, held))):
                dear.append((-extra / self._size[one], one[0], min(held), one))
        improved = False
        for number, (*_, one) in enumerate(sorted(dear)):
            if number % 50 == 0:
                watch.tick(f"round {turn + 1} of improvement: {number:,} of {len(dear):,} classes")
            if self._held[one] and self._dissolve(one):
                improved = True
        return improved

    def _safe(self, at: int) -> bool:
        """Return whether a combination needs no wiping."""
        return bool(self._wiping.counts[self._wiping.order[at]] >= self._wiping.k)

    def _dissolve(self, one: Class) -> bool:
        held = dict(sorted(self._held[one].items()))
        allowed = {at: self._price(one[0])[at] for at in held}
        before = sum(count * allowed[at] for at, count in held.items())
        for at, count in held.items():
            self._move(at, one, -count)
        waiting, spent = dict(held), 0.0
        while waiting:
            at = next(iter(waiting))
            added = self._place(at, waiting, allowed[at], before - spent)
            if added is None:
                break
            spent += added
        if waiting or spent >= before - _NEAR:
            self._back(0)
            return False
        self._done.clear()
        return True

    def _place(self, at: int, waiting: dict[int, int], most: float, left: float) -> float | None:
        """Return the cheapest place for a waiting combination, and what it costs; None if that is more than is left."""
        best = left - _NEAR
        chosen: tuple[Class, list[Company]] | None = None
        for number in self._within(at, min(most, left / waiting[at])):
            price = self._price(number)[at]
            if price > most + _NEAR:
                continue
            one = (number, self._number(number)[at])
            cost = price * waiting[at]
            if cost >= best:
                continue
            if self._size[one]:
                best, chosen = cost, (one, [])
                continue
            company = self._company(one, at, waiting, best - cost)
            if company is not None:
                moves, more = company
                if cost + more < best:
                    best, chosen = cost + more, (one, moves)
        if chosen is None:
            return None
        one, moves = chosen
        self._move(at, one, waiting.pop(at))
        for other, source, count in moves:
            if source is None:
                del waiting[other]
            else:
                self._move(other, source, -count)
            self._move(other, one, count)
        return best

    def _company(self, one: Class, at: int, waiting: dict[int, int], most: float) -> tuple[list[Company], float] | None:
        """Return the records that must join a new class for it to have k, and their cost; None if it is too high."""
        lacking = self._wiping.k - waiting[at]
        if lacking <= 0:
            return [], 0.0
        prices = self._price(one[0])
        offers: list[tuple[float, int, int, Class | None, int]] = []
        for other in self._neighbors(one):
            if other != at and other in waiting:
                # It must find a place anyway, so half of its price is no news.
                offers.append((prices[other] / 2, other, -1, None, waiting[other]))
            for place, count in self._in[other].items():
                if place != one and self._size[place] - count >= self._wiping.k:
                    offers.append((prices[other] - self._price(place[0])[other], other, place[0], place, count))
        offers.sort(key=lambda offer: offer[:3])
        moves, added = list[Company](), 0.0
        taken: dict[Class, int] = defaultdict(int)
        for _, other, _, source, count in offers:
            if source is not None and self._size[source] - taken[source] - count < self._wiping.k:
                continue
            price = prices[other] - (0.0 if source is None else self._price(source[0])[other])
            added += count * price
            if source is not None:
                taken[source] += count
            moves.append((other, source, count))
            lacking -= count
            if added >= most:
                return None
            if lacking <= 0:
                return moves, added
        return None

    def _move(self, at: int, one: Class, count: int) -> None:
        held, inside = self._held[one], self._in[at]
        now = held.get(at, 0) + count
        if now:
            held[at] = inside[one] = now
        else:
            del held[at], inside[one]
        self._size[one] += count
        self._done.append((at, one, count))

    def _back(self, to: int) -> None:
        """Undo the moves since."""
        while len(self._done) > to:
            at, one, count = self._done.pop()
            self._move(at, one, -count)
            self._done.pop()

    def _within(self, at: int, most: float) -> list[int]:
        """Return the patterns in which there are places for a combination, at about this price or less."""
        prices = self._flags @ self._wiping.prices[:, self._wiping.order[at]]
        found: list[int] = np.flatnonzero((prices <= most + 2 * _NEAR) & self._fits[at]).tolist()
        return found

    def _enough(self, number: int) -> Flags:
        """Return which combinations are alike with k records where these columns are wiped."""
        of = np.array(self._number(number))
        sizes = np.bincount(of, self._wiping.counts[self._wiping.order])
        found: Flags = (sizes >= self._wiping.k)[of]
        return found

    def _price(self, number: int) -> "array[float]":
        found = self._prices[number]
        if found is None:
            # Arrays of the standard library: one number at a time they are as quick as lists, and much smaller.
            found = array("d", self._wiping.price(self._patterns[number])[self._wiping.order].tobytes())
            self._prices[number] = found
        return found

    def _number(self, number: int) -> "array[int]":
        found = self._numbers[number]
        if found is None:
            found = array("i", self._wiping.alike(self._patterns[number])[0][self._wiping.order].tobytes())
            self._numbers[number] = found
        return found

    def _neighbors(self, one: Class) -> "array[int]":
        """Return the first combinations that can be in a class."""
        found = self._members[one[0]]
        if found is None:
            of = np.array(self._number(one[0]))
            bounds = np.append(0, np.cumsum(np.bincount(of))).astype(np.int32)
            places = np.argsort(of, kind="stable").astype(np.int32)
            found = array("i", places.tobytes()), array("i", bounds.tobytes())
            self._members[one[0]] = found
        order, ends = found
        return order[ends[one[1]] : min(ends[one[1]] + _ASKED, ends[one[1] + 1])]

    def pieces(self) -> WipedPieces:
        """Return the classes as they are now."""
        wiping, old = self._wiping, self._pieces
        flags = self._flags.T > 0
        found = [(at, number, count) for at, inside in enumerate(self._in) for (number, _), count in inside.items()]
        at, numbers, counts = np.array(found, dtype=np.int64).reshape(-1, 3).T
        out = np.flatnonzero(old.left_out)
        return WipedPieces.of(
            np.concatenate([wiping.order[at], old.combination[out]]),
            np.concatenate([counts, old.counts[out]]),
            np.hstack([flags[:, numbers], np.zeros((len(wiping.tops), len(out)), dtype=np.bool_)]),
            np.arange(len(counts) + len(out)) >= len(counts),
        )


def _patterns(wiping: Wiping, pieces: WipedPieces) -> list[Pattern]:
    """Return those that are there, and those that may be."""
    used = {tuple(np.flatnonzero(wiped).tolist()) for wiped in np.unique(pieces.wiped, axis=1).T}
    room = max(0, _ENTRIES // max(1, len(wiping.counts)) - len(used))
    return sorted(used | set(wiping.patterns()[:room]), key=lambda pattern: (len(pattern), pattern))
