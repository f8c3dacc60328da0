# Clusters are made better by giving records to each other. Included by compiled.pyx.

cdef enum:
    NOWHERE = -1  # in place of a cluster: none pays
    OUT = -2      # in place of a cluster: left out
    TRIED = 4     # clusters that a piece may change places with


cdef int ascending(const void *one, const void *other) noexcept nogil:
    return (<const int32_t *> one)[0] - (<const int32_t *> other)[0]


cdef class Clusters(Spreads):
    """Clusters of k records or more, and what they cost: their records times what they spread.

    `run` lowers that cost in five turns: clusters are dissolved, single pieces move, what makes a column wide leaves,
    large clusters are cut, and pieces of two clusters change places. A piece, that is all records of a combination in a
    cluster, goes where it costs least, or is left out where that saves the price of it and there is room; whatever does
    not pay in the end is undone. No cluster loses what it needs.
    """

    cdef const int32_t[:, ::1] ranks
    cdef int64_t k
    cdef Py_ssize_t n, turn, place, saved_n
    cdef int32_t[::1] position, following, first, last, chosen, target, saved, stamp, values
    cdef Cell *cells
    cdef uint8_t[::1] leaving
    cdef int64_t[::1] count, sizes, spreads, saved_sizes
    cdef int32_t[:, ::1] saved_states
    cdef int32_t trial, first_out, awaited
    cdef int64_t work, room, price
    cdef Needs needs

    def __init__(self, measure, ranks, k, positions, counts, starts, judged, least, room, price):
        super().__init__(*measure)
        self.needs = Needs(judged, least)
        if len(ranks) != self.columns or not (
                len(positions) == len(counts) == starts[len(starts) - 1] == judged.shape[1]):
            raise ValueError("clusters: lengths differ")
        if k < 1:
            raise ValueError("clusters: no such k")
        self.ranks, self.k, self.n = ranks, k, len(starts) - 1
        self.room, self.price, self.first_out, self.awaited = room, price, -1, -1
        self.cells = <Cell *> calloc(max(1, self.columns), sizeof(Cell))
        if self.cells == NULL:
            raise MemoryError
        cdef Py_ssize_t c
        for c in range(self.columns):
            self.cells[c].column, self.cells[c].kind, self.cells[c].slot = <int32_t> c, self.kinds[c], self.slots[c]
            self.cells[c].full, self.cells[c].ranks_in = self.fulls[c], self.ranks_in[c]
            if self.kinds[c] != VALUES:
                self.cells[c].table = &self.table[self.begins[c]]
        # Room for those that are cut, which have k records each, and for two that are tried.
        cdef Py_ssize_t most = self.n + int(counts.sum()) // k + 2, n = len(counts), b, p
        self.position, self.count = positions.astype(np.int32), counts.copy()
        self.following, self.chosen, self.target, self.values = np.zeros((4, n), dtype=np.int32)
        self.first, self.last = np.full((2, most), -1, dtype=np.int32)
        self.saved, self.stamp = np.zeros((2, most), dtype=np.int32)
        self.leaving = np.zeros(n, dtype=np.uint8)
        self.sizes, self.spreads, self.saved_sizes = np.zeros((3, most), dtype=np.int64)
        self.states, self.saved_states = np.zeros((2, most, self.width), dtype=np.int32)
        cdef const int64_t[::1] begins = starts
        for b in range(self.n):
            self.clear(b)
            for p in range(begins[b], begins[b + 1]):
                self.append(b, <int32_t> p)

    def __dealloc__(self):
        free(self.cells)

    cdef void join(self, Py_ssize_t b, int32_t p) noexcept nogil:
        """Put a piece into a cluster that may have one of the same combination, which it is then added to."""
        cdef int32_t other = self.first[b]
        while other >= 0:
            if self.position[other] == self.position[p]:
                self.enter(b, p)
                self.count[other] += self.count[p]
                return
            other = self.following[other]
        self.append(b, p)

    cdef void append(self, Py_ssize_t b, int32_t p) noexcept nogil:
        """Put a piece into a cluster, as the last one."""
        self.enter(b, p)
        self.following[p] = -1
        if self.first[b] < 0:
            self.first[b] = p
        else:
            self.following[self.last[b]] = p
        self.last[b] = p

    cdef void enter(self, Py_ssize_t b, int32_t p) noexcept nogil:
        """Measure the cluster with a piece more."""
        cdef Py_ssize_t c
        self.sizes[b] += self.count[p]
        self.spreads[b] = 0
        for c in range(self.columns):
            self.put(b, c, self.ranks[c, self.position[p]])
            self.spreads[b] += self.states[b, self.slots[c] + COST]

    cdef void copy(self, int32_t[:, ::1] source, Py_ssize_t one, int32_t[:, ::1] to, Py_ssize_t other) noexcept nogil:
        cdef Py_ssize_t at
        for at in range(self.width):
            to[other, at] = source[one, at]

    cdef Py_ssize_t cheapest(self, Py_ssize_t a, int32_t p, int64_t *least) noexcept nogil:
        """The first other cluster in which a piece costs least, and how much; OUT where it costs less to leave it out,
        NOWHERE if nothing is below `least`."""
        cdef Py_ssize_t b, c, i, best = NOWHERE
        cdef int64_t m = self.count[p], slack, more, delta
        cdef const int64_t *sizes = &self.sizes[0]
        cdef const int64_t *spreads = &self.spreads[0]
        self.work -= self.n * self.columns
        self.look_up(p)
        for b in range(self.n):
            if b == a or sizes[b] == 0:
                continue
            slack = least[0] - m * spreads[b]
            if slack <= 0:
                continue
            more, delta = sizes[b] + m, 0
            for i in range(self.columns):
                delta += self.more_with(b, i)
                if more * delta >= slack:
                    self.sooner(i)
                    break
            else:
                least[0] = m * spreads[b] + more * delta
                best = b
        if m <= self.room and m * self.price < least[0]:
            least[0] = m * self.price
            best = OUT
        return best

    cdef inline void look_up(self, int32_t p) noexcept nogil:
        """Lay the cells of a piece side by side."""
        cdef Py_ssize_t i
        for i in range(self.columns):
            self.cells[i].rank = self.ranks[self.cells[i].column, self.position[p]]

    cdef inline int32_t more_with(self, Py_ssize_t b, Py_ssize_t i) noexcept nogil:
        """How much more a cluster spreads in the column of a cell with this cell."""
        cdef Py_ssize_t c = self.cells[i].column
        if self.cells[i].kind != VALUES:
            return wider(&self.states[b, 0], &self.cells[i])
        return self.widened(b, c, self.cells[i].rank) - self.states[b, self.slots[c] + COST]

    cdef inline void sooner(self, Py_ssize_t i) noexcept nogil:
        """Look earlier at a column that has told enough: no column takes off what another one adds."""
        cdef Cell cell
        if i:
            cell = self.cells[i]
            self.cells[i] = self.cells[i - 1]
            self.cells[i - 1] = cell

    cdef bint give(self, Py_ssize_t a, Py_ssize_t n_chosen) noexcept nogil:
        """Give the chosen pieces of a cluster to others if that pays, else leave all as it is."""
        cdef Py_ssize_t i, b, rest = self.n
        cdef int64_t gain, least, out = 0
        cdef int32_t p, following
        for i in range(n_chosen):
            self.leaving[self.chosen[i]] = 1
        if not self.rest_suffices(a):
            for i in range(n_chosen):
                self.leaving[self.chosen[i]] = 0
            return False
        self.measure_rest(a, rest, n_chosen)
        gain = self.sizes[a] * self.spreads[a] - self.sizes[rest] * self.spreads[rest]
        self.trial += 1
        self.saved_n = 0
        for i in range(n_chosen):
            least = gain
            b = self.cheapest(a, self.chosen[i], &least)
            if b == NOWHERE:
                self.undo()
                self.room += out
                for i in range(n_chosen):
                    self.leaving[self.chosen[i]] = 0
                return False
            if b == OUT:
                self.room -= self.count[self.chosen[i]]
                out += self.count[self.chosen[i]]
            else:
                self.save(b)
                self.enter(b, self.chosen[i])
            self.target[i] = <int32_t> b
            gain -= least
        self.undo()
        p = self.first[a]
        self.first[a] = -1
        while p >= 0:
            following = self.following[p]
            if not self.leaving[p]:
                self.following[p] = -1
                if self.first[a] < 0:
                    self.first[a] = p
                else:
                    self.following[self.last[a]] = p
                self.last[a] = p
            p = following
        self.copy(self.states, rest, self.states, a)
        self.sizes[a], self.spreads[a] = self.sizes[rest], self.spreads[rest]
        for i in range(n_chosen):
            self.leaving[self.chosen[i]] = 0
            if self.target[i] == OUT:
                self.following[self.chosen[i]] = self.first_out
                self.first_out = self.chosen[i]
            else:
                self.join(self.target[i], self.chosen[i])
        return True

    cdef bint rest_suffices(self, Py_ssize_t a) noexcept nogil:
        """Whether what stays of a cluster has the values that it needs, or nothing stays."""
        cdef int32_t p = self.first[a]
        cdef bint stays = False
        self.needs.forget()
        while p >= 0 and (self.needs.lacking or not stays):
            if not self.leaving[p]:
                self.work -= self.needs.columns
                self.needs.note(p, self.count[p])
                stays = True
            p = self.following[p]
        return not (stays and self.needs.lacking)

    cdef void measure_rest(self, Py_ssize_t a, Py_ssize_t rest, Py_ssize_t n_chosen) noexcept nogil:
        """Measure what stays of a cluster when the chosen pieces leave."""
        cdef int32_t p = self.first[a]
        if n_chosen == 1 and not self.shapes(a, self.chosen[0]):
            self.copy(self.states, a, self.states, rest)
            self.sizes[rest], self.spreads[rest] = self.sizes[a] - self.count[self.chosen[0]], self.spreads[a]
            return
        self.clear(rest)
        self.sizes[rest] = self.spreads[rest] = 0
        while p >= 0:
            if not self.leaving[p]:
                self.enter(rest, p)
            p = self.following[p]

    cdef bint shapes(self, Py_ssize_t a, int32_t p) noexcept nogil:
        """Whether a cluster may spread less without a piece: in some column no other one lies where it does."""
        cdef Py_ssize_t c
        cdef int32_t rank, other
        for c in range(self.columns):
            rank = self.ranks[c, self.position[p]]
            if (self.kinds[c] != VALUES and self.states[a, self.slots[c] + LOW] < rank
                    and rank < self.states[a, self.slots[c] + HIGH]):
                continue
            other = self.first[a]
            while other >= 0 and (other == p or self.ranks[c, self.position[other]] != rank):
                other = self.following[other]
            if other < 0:
                return True
        return False

    cdef void save(self, Py_ssize_t b) noexcept nogil:
        if self.stamp[b] == self.trial:
            return
        self.stamp[b] = self.trial
        self.saved[self.saved_n] = <int32_t> b
        self.saved_sizes[self.saved_n] = self.sizes[b]
        self.copy(self.states, b, self.saved_states, self.saved_n)
        self.saved_n += 1

    cdef void undo(self) noexcept nogil:
        cdef Py_ssize_t i, b, c
        for i in range(self.saved_n):
            b = self.saved[i]
            self.sizes[b] = self.saved_sizes[i]
            self.copy(self.saved_states, i, self.states, b)
            self.spreads[b] = 0
            for c in range(self.columns):
                self.spreads[b] += self.states[b, self.slots[c] + COST]

    cdef void dissolve(self, Py_ssize_t a) noexcept nogil:
        """All pieces leave."""
        cdef Py_ssize_t n = 0
        cdef int32_t p = self.first[a]
        if self.spreads[a] == 0:
            return
        while p >= 0:
            self.chosen[n] = p
            n += 1
            p = self.following[p]
        self.give(a, n)

    cdef void move(self, Py_ssize_t a) noexcept nogil:
        """Single pieces leave."""
        cdef int32_t p = self.first[a], following
        while p >= 0 and self.spreads[a]:
            following = self.following[p]
            if self.sizes[a] - self.count[p] >= self.k:
                self.chosen[0] = p
                self.give(a, 1)
            p = following

    cdef void narrow(self, Py_ssize_t a, Py_ssize_t c) noexcept nogil:
        """What makes a column wide leaves, as long as that pays."""
        cdef Py_ssize_t n, i, j
        cdef int32_t full
        cdef bint paid = True
        while paid and self.states[a, self.slots[c] + COST] and self.sizes[a] > self.k:
            paid = False
            n = self.present(a, c)
            if self.kinds[c] == NODES:
                # Only what is below one child of the closest common ancestor stays.
                full = self.states[a, self.slots[c] + COST]
                i = 0
                while i < n and not paid:
                    j = i
                    while j + 1 < n and self.between(c, self.values[i], self.values[j + 1]) < full:
                        j += 1
                    paid = self.confine(a, c, self.values[i], self.values[j])
                    i = j + 1
            else:
                i = 1
                while i < n and not paid:
                    paid = (self.confine(a, c, self.values[i], self.values[n - 1])
                            or self.confine(a, c, self.values[0], self.values[n - 1 - i]))
                    i *= 2

    cdef Py_ssize_t present(self, Py_ssize_t a, Py_ssize_t c) noexcept nogil:
        """List the different ranks of a cluster in a column, lowest first; how many there are."""
        cdef Py_ssize_t n = 0, found = 0, i
        cdef int32_t p = self.first[a]
        while p >= 0:
            self.values[n] = self.ranks[c, self.position[p]]
            n += 1
            p = self.following[p]
        qsort(&self.values[0], n, sizeof(int32_t), ascending)
        for i in range(n):
            if i == 0 or self.values[i] != self.values[found - 1]:
                self.values[found] = self.values[i]
                found += 1
        return found

    cdef bint confine(self, Py_ssize_t a, Py_ssize_t c, int32_t low, int32_t high) noexcept nogil:
        """Only what lies between two ranks of a column stays, if that pays and leaves enough."""
        cdef Py_ssize_t n = 0
        cdef int64_t staying = self.sizes[a]
        cdef int32_t p = self.first[a], rank
        while p >= 0:
            rank = self.ranks[c, self.position[p]]
            if not low <= rank <= high:
                self.chosen[n] = p
                n += 1
                staying -= self.count[p]
            p = self.following[p]
        return staying >= self.k and self.give(a, n)

    cdef void cut(self, Py_ssize_t a) noexcept nogil:
        """What is nearest to an outer record of a cluster of 2 k or more becomes one of its own, if that pays."""
        cdef Py_ssize_t fresh = self.n, i, n, best
        cdef int64_t staying = self.sizes[a], spread, least
        cdef int32_t p = self.first[a]
        if staying < 2 * self.k or self.spreads[a] == 0:
            return
        n = 0
        while p >= 0:
            self.chosen[n] = p
            n += 1
            p = self.following[p]
        self.clear(fresh)
        self.sizes[fresh] = self.spreads[fresh] = 0
        best = self.outermost(n)
        i = 0
        self.needs.forget()
        while True:
            # What is taken comes first, in the order in which it was.
            p = self.chosen[best]
            while best > i:
                self.chosen[best] = self.chosen[best - 1]
                best -= 1
            self.chosen[i] = p
            i += 1
            self.enter(fresh, p)
            self.work -= self.needs.columns
            self.needs.note(p, self.count[p])
            staying -= self.count[p]
            if (self.sizes[fresh] >= self.k and self.needs.lacking == 0) or staying < self.k:
                break
            best = self.nearest_piece(fresh, i, n)
        if staying < self.k or self.sizes[fresh] < self.k or self.needs.lacking:
            return
        self.needs.forget()
        for best in range(i, n):
            self.needs.note(self.chosen[best], self.count[self.chosen[best]])
        if self.needs.lacking == 0:
            self.part(a, i, n)

    cdef Py_ssize_t outermost(self, Py_ssize_t n) noexcept nogil:
        """Where the piece is that is furthest from the first one; the scratch row is left empty."""
        cdef Py_ssize_t row = self.n, c, i, best = 0
        cdef int64_t most = -1, distance
        for c in range(self.columns):
            self.put(row, c, self.ranks[c, self.position[self.chosen[0]]])
        for i in range(n):
            distance = 0
            for c in range(self.columns):
                distance += self.widened(row, c, self.ranks[c, self.position[self.chosen[i]]])
            if distance > most:
                most, best = distance, i
        self.clear(row)
        return best

    cdef Py_ssize_t nearest_piece(self, Py_ssize_t row, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
        """Where the piece is with which the row spreads least."""
        cdef Py_ssize_t c, i, best = begin
        cdef int64_t least = 0, spread
        self.work -= (end - begin) * self.columns
        for i in range(begin, end):
            spread = 0
            for c in range(self.columns):
                spread += self.widened(row, c, self.ranks[c, self.position[self.chosen[i]]])
            if i == begin or spread < least:
                least, best = spread, i
        return best

    cdef void part(self, Py_ssize_t a, Py_ssize_t taken, Py_ssize_t n) noexcept nogil:
        """The pieces that were taken are a cluster of their own if the two cost less than the one."""
        cdef Py_ssize_t fresh = self.n, i
        cdef int64_t before = self.sizes[a] * self.spreads[a], one = self.sizes[fresh] * self.spreads[fresh]
        # The state of what stays is made in place; it is made anew where nothing comes of it.
        self.clear(a)
        self.sizes[a] = 0
        for i in range(taken, n):
            self.enter(a, self.chosen[i])
        if one + self.sizes[a] * self.spreads[a] >= before:
            for i in range(taken):
                self.enter(a, self.chosen[i])
            return
        self.first[a] = self.first[fresh] = -1
        self.clear(a)
        self.clear(fresh)
        self.sizes[a] = self.sizes[fresh] = 0
        self.n += 1
        for i in range(n):
            self.append(fresh if i < taken else a, self.chosen[i])

    cdef bint exchange(self, Py_ssize_t a) noexcept nogil:
        """Single pieces change places with one of another cluster; whether all pieces had their turn.

        A slice of work may end within a large cluster, and the next one goes on with the next piece.
        """
        cdef int32_t p = self.first[a] if self.awaited < 0 else self.awaited, following
        self.awaited = -1
        while p >= 0 and self.spreads[a]:
            following = self.following[p]
            if self.shapes(a, p):
                self.swap(a, p)
            p = following
            if p >= 0 and self.work <= 0:
                self.awaited = p
                return False
        return True

    cdef bint swap(self, Py_ssize_t a, int32_t p) noexcept nogil:
        """Change a piece for one of the few clusters that it widens least, where that pays most, if it does."""
        cdef Py_ssize_t rest = self.n, b, c, i, best_b = -1
        cdef Py_ssize_t near[TRIED]
        cdef int64_t wider[TRIED]
        cdef int64_t delta, gain, most = 0, here = self.sizes[a] * self.spreads[a], one, other
        cdef int32_t q, best_q = -1
        cdef Py_ssize_t found = 0
        self.work -= 2 * self.n * self.columns
        self.look_up(p)
        for b in range(self.n):
            if b == a or self.sizes[b] == 0:
                continue
            delta = 0
            for c in range(self.columns):
                delta += self.more_with(b, c)
                if found == TRIED and delta >= wider[TRIED - 1]:
                    self.sooner(c)
                    break
            else:
                i = found if found < TRIED else TRIED - 1
                while i > 0 and wider[i - 1] > delta:
                    near[i], wider[i] = near[i - 1], wider[i - 1]
                    i -= 1
                near[i], wider[i] = b, delta
                found += found < TRIED
        self.leaving[p] = 1
        self.measure_rest(a, rest, 2)
        for i in range(found):
            b = near[i]
            q = self.first[b]
            while q >= 0:
                self.work -= self.columns
                one = self.sizes[rest] + self.count[q]
                other = self.sizes[b] - self.count[q] + self.count[p]
                if one >= self.k and other >= self.k:
                    gain = here + self.sizes[b] * self.spreads[b] - one * self.spread_with(rest, q)
                    if gain > most:
                        gain -= other * self.spread_without(b, q, p)
                        if gain > most and self.both_suffice(a, p, b, q):
                            most, best_b, best_q = gain, b, q
                q = self.following[q]
        self.leaving[p] = 0
        if best_b < 0:
            return False
        self.take_out(a, p)
        self.take_out(best_b, best_q)
        self.join(a, best_q)
        self.join(best_b, p)
        return True

    cdef int64_t spread_with(self, Py_ssize_t row, int32_t p) noexcept nogil:
        """What a cluster spreads with a piece more."""
        cdef Py_ssize_t c
        cdef int64_t spread = 0
        for c in range(self.columns):
            spread += self.widened(row, c, self.ranks[c, self.position[p]])
        return spread

    cdef int64_t spread_without(self, Py_ssize_t b, int32_t q, int32_t p) noexcept nogil:
        """What a cluster spreads with one piece in place of another."""
        cdef Py_ssize_t row = self.n + 1
        cdef int32_t other = self.first[b]
        self.clear(row)
        self.sizes[row] = 0
        self.enter(row, p)
        while other >= 0:
            self.work -= self.columns
            if other != q:
                self.enter(row, other)
            other = self.following[other]
        return self.spreads[row]

    cdef bint both_suffice(self, Py_ssize_t a, int32_t p, Py_ssize_t b, int32_t q) noexcept nogil:
        """Whether two clusters have the values that they need after a piece of each has changed places."""
        return self.suffices(a, p, q) and self.suffices(b, q, p)

    cdef bint suffices(self, Py_ssize_t a, int32_t without, int32_t more) noexcept nogil:
        cdef int32_t p = self.first[a]
        self.needs.forget()
        self.needs.note(more, self.count[more])
        while p >= 0 and self.needs.lacking:
            if p != without:
                self.work -= self.needs.columns
                self.needs.note(p, self.count[p])
            p = self.following[p]
        return self.needs.lacking == 0

    cdef void take_out(self, Py_ssize_t a, int32_t gone) noexcept nogil:
        """Remove a piece, and measure the cluster afresh."""
        cdef int32_t p = self.first[a], following
        self.first[a] = -1
        self.clear(a)
        self.sizes[a] = self.spreads[a] = 0
        while p >= 0:
            following = self.following[p]
            if p != gone:
                self.append(a, p)
            p = following

    def run(self, int64_t work):
        """Go on for about so many steps; whether all five turns are over."""
        cdef Py_ssize_t c
        self.work = work
        with nogil:
            while self.turn < 5 and self.work > 0:
                if self.place == self.n:
                    self.turn += 1
                    self.place = 0
                    continue
                self.work -= self.columns
                if self.turn == 0:
                    self.dissolve(self.place)
                elif self.turn == 1:
                    self.move(self.place)
                elif self.turn == 2:
                    for c in range(self.columns):
                        self.narrow(self.place, c)
                elif self.turn == 3:
                    self.cut(self.place)
                elif not self.exchange(self.place):
                    break
                self.place += 1
        return self.turn == 5

    cdef int32_t union(self, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) noexcept nogil:
        """What a column spans in two clusters together."""
        cdef Py_ssize_t slot = self.slots[c], at
        cdef int32_t low = self.states[a, slot + LOW], high = self.states[a, slot + HIGH], found = 0
        cdef uint32_t bits
        if self.kinds[c] != VALUES:
            low = self.states[b, slot + LOW] if self.states[b, slot + LOW] < low else low
            high = self.states[b, slot + HIGH] if self.states[b, slot + HIGH] > high else high
            return self.between(c, low, high)
        for at in range((self.ranks_in[c] + 31) >> 5):
            bits = <uint32_t> (self.states[a, slot + BITS + at] | self.states[b, slot + BITS + at])
            if at == 0:
                high = bits & 1
                bits &= ~<uint32_t> 1
            while bits:
                bits &= bits - 1
                found += 1
        if high:
            return self.fulls[c] if found else 0
        return self.table[self.begins[c] + found]

    def nearest(self, which):
        """Of each of some clusters the first one that it costs least to join, how much that is, and what it costs
        alone; there must be another."""
        cdef const int64_t[::1] asked = which
        neighbours_array, increases_array, costs_array = np.zeros((3, len(which)), dtype=np.int64)
        cdef int64_t[::1] neighbours = neighbours_array, increases = increases_array, costs = costs_array
        cdef Py_ssize_t i, a, b, c
        cdef int64_t together, increase
        with nogil:
            for i in range(asked.shape[0]):
                a = asked[i]
                costs[i] = self.sizes[a] * self.spreads[a]
                neighbours[i] = -1
                for b in range(self.n):
                    if b == a:
                        continue
                    together = 0
                    for c in range(self.columns):
                        together += self.union(a, b, c)
                    increase = (self.sizes[a] + self.sizes[b]) * together - costs[i] - self.sizes[b] * self.spreads[b]
                    if neighbours[i] < 0 or increase < increases[i]:
                        neighbours[i], increases[i] = b, increase
        return neighbours_array, increases_array, costs_array

    def cost(self):
        """What all clusters cost."""
        cdef Py_ssize_t b
        cdef int64_t cost = 0
        for b in range(self.n):
            cost += self.sizes[b] * self.spreads[b]
        return cost

    def left_out(self):
        """The combination and the count of each piece that is left out."""
        cdef int32_t p = self.first_out
        found = []
        while p >= 0:
            found.append((self.position[p], self.count[p]))
            p = self.following[p]
        return tuple(np.array(found, dtype=np.int64).reshape(-1, 2).T)

    def pieces(self):
        """The combination, the count and the cluster of each piece; clusters that were dissolved have no number."""
        cdef Py_ssize_t b, n = 0
        cdef int32_t p, number = 0
        found_array = np.empty((3, len(self.count)), dtype=np.int64)
        cdef int64_t[:, ::1] found = found_array
        for b in range(self.n):
            p = self.first[b]
            while p >= 0:
                found[0, n], found[1, n], found[2, n] = self.position[p], self.count[p], number
                n += 1
                p = self.following[p]
            number += self.first[b] >= 0
        return tuple(found_array[:, :n])
