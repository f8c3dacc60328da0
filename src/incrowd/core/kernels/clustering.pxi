# Clusters of near records: how much their cells spread, and K-Members. Included by compiled.pyx.

cdef enum:
    PLACES = 0  # numbers, or values in an order
    NODES = 1   # a tree
    VALUES = 2  # values without any order

cdef enum:
    BOTH = 0       # near records are wanted
    DISTANCE = 1   # matters for seeds alone
    PROTECTED = 2  # matters for growing alone, and the wider the better

cdef enum:
    COST = 0   # of a column's part in a state: what it spreads
    LOW = 1    # the lowest rank; of VALUES how many there are, missing not counted
    HIGH = 2   # the highest rank
    BITS = 3   # of VALUES which ones

cdef enum:
    GONE = 1 << 30  # on top of what a used up combination costs
    CHUNK = 1024    # so many at a time, while they are in the nearest cache


cdef inline int32_t highest_bit(uint32_t number) noexcept nogil:
    cdef int32_t at = 0
    if number >> 16:
        number >>= 16
        at += 16
    if number >> 8:
        number >>= 8
        at += 8
    if number >> 4:
        number >>= 4
        at += 4
    if number >> 2:
        number >>= 2
        at += 2
    return at + (number >> 1)


cdef struct Cell:
    # A cell to be compared with many clusters, beside all that there is to know of its column.
    int32_t rank, kind, slot, full, ranks_in, column
    const int32_t *table


cdef inline int32_t wider(const int32_t *state, const Cell *cell) noexcept nogil:
    """How much more a column of a cluster spans with one more cell; VALUES are looked up elsewhere."""
    cdef int32_t low, high, one, other, jump
    state += cell.slot
    low, high = state[LOW], state[HIGH]
    if low <= cell.rank <= high:
        return 0
    if cell.rank < low:
        low = cell.rank
    if cell.rank > high:
        high = cell.rank
    if low == high:
        return -state[COST]
    if cell.kind == PLACES:
        return (cell.full if low == 0 else cell.table[high] - cell.table[low]) - state[COST]
    jump = highest_bit(<uint32_t> (high - low))
    one = cell.table[<int64_t> jump * cell.ranks_in + low]
    other = cell.table[<int64_t> jump * cell.ranks_in + high - (1 << jump)]
    return (one if one > other else other) - state[COST]


cdef class Spreads:
    """What the cells of a cluster span, column by column, in whole units; one row of `states` is one cluster.

    Of each column: its kind, how many ranks it has (0 is missing), what the whole domain costs, and its part of the
    table: PLACES the position of each rank, NODES the cost of the closest common ancestor of each rank and the next
    one, then of 2, 4, 8, ... neighbours (the highest of them), VALUES the cost of 0, 1, 2, ... values.
    """

    cdef const int32_t[::1] kinds, ranks_in, fulls, table
    cdef const int64_t[::1] begins
    cdef int32_t[::1] slots
    cdef int32_t[:, ::1] states
    cdef Py_ssize_t columns, width

    def __init__(self, kinds, sizes, fulls, begins, table):
        self.kinds, self.ranks_in, self.fulls, self.begins, self.table = kinds, sizes, fulls, begins, table
        self.columns = len(kinds)
        if not len(sizes) == len(fulls) == len(begins) == len(kinds):
            raise ValueError("spreads: lengths differ")
        bits = np.where(np.asarray(kinds) == VALUES, (np.asarray(sizes) + 31) // 32, 0)
        ends = np.cumsum(BITS + bits)
        self.slots = (ends - BITS - bits).astype(np.int32)
        self.width = int((BITS + bits).sum())

    cdef inline int32_t between(self, Py_ssize_t c, int32_t low, int32_t high) noexcept nogil:
        """What a column spans from one rank to another, not lower one; never asked of VALUES."""
        cdef int64_t begin = self.begins[c]
        cdef int32_t one, other, jump
        if low == high:
            return 0
        if self.kinds[c] == PLACES:
            if low == 0:
                return self.fulls[c]
            return self.table[begin + high] - self.table[begin + low]
        jump = highest_bit(<uint32_t> (high - low))
        begin += <int64_t> jump * self.ranks_in[c]
        one = self.table[begin + low]
        other = self.table[begin + high - (1 << jump)]
        return one if one > other else other

    cdef void clear(self, Py_ssize_t row) noexcept nogil:
        """A cluster without records."""
        cdef Py_ssize_t c, at
        for at in range(self.width):
            self.states[row, at] = 0
        for c in range(self.columns):
            if self.kinds[c] != VALUES:
                self.states[row, self.slots[c] + LOW] = self.ranks_in[c]
                self.states[row, self.slots[c] + HIGH] = -1

    cdef inline int32_t widened(self, Py_ssize_t row, Py_ssize_t c, int32_t rank) noexcept nogil:
        """What a column of the cluster spans with one more cell."""
        cdef Py_ssize_t slot = self.slots[c]
        cdef int32_t low, high
        if self.kinds[c] != VALUES:
            low, high = self.states[row, slot + LOW], self.states[row, slot + HIGH]
            if low <= rank <= high:
                return self.states[row, slot + COST]
            return self.between(c, rank if rank < low else low, rank if rank > high else high)
        if self.states[row, slot + BITS + (rank >> 5)] >> (rank & 31) & 1:
            return self.states[row, slot + COST]
        low = self.states[row, slot + LOW]
        if rank == 0:
            return self.fulls[c] if low else 0
        if self.states[row, slot + BITS] & 1:
            return self.fulls[c]
        return self.table[self.begins[c] + low + 1]

    cdef inline bint put(self, Py_ssize_t row, Py_ssize_t c, int32_t rank) noexcept nogil:
        """Put a cell into the cluster; whether that changed anything."""
        cdef Py_ssize_t slot = self.slots[c]
        cdef int32_t cost = self.widened(row, c, rank)
        self.states[row, slot + COST] = cost
        if self.kinds[c] != VALUES:
            if self.states[row, slot + LOW] <= rank <= self.states[row, slot + HIGH]:
                return False
            if rank < self.states[row, slot + LOW]:
                self.states[row, slot + LOW] = rank
            if rank > self.states[row, slot + HIGH]:
                self.states[row, slot + HIGH] = rank
            return True
        if self.states[row, slot + BITS + (rank >> 5)] >> (rank & 31) & 1:
            return False
        self.states[row, slot + BITS + (rank >> 5)] |= <int32_t> (<uint32_t> 1 << (rank & 31))
        self.states[row, slot + LOW] += rank > 0
        return True


cdef class Grower(Spreads):
    """K-Members (Byun et al.): a cluster begins with the record furthest from the last one taken, and grows to k by the
    record with which it spreads least; of equals the first in order.

    Where a cluster needs different values, only records that bring one are looked at once as many are lacking as there
    are places, and it grows beyond k until nothing is lacking. If no record brings what is lacking, no cluster can be
    made of what is left.

    The records come as combinations with counts. Used up ones are marked and now and then left out.
    """

    cdef const int32_t[:, ::1] given
    cdef int32_t[:, ::1] ranks
    cdef int64_t[::1] left
    cdef int32_t[::1] at, roles, bias, total, costs, changes
    cdef int64_t[::1] offsets
    cdef int32_t[::1] changed
    cdef int64_t[:, ::1] taken
    cdef Py_ssize_t n, dead, n_taken, n_changed, begun
    cdef int64_t k, records, size, clusters
    cdef bint protects, over
    cdef Needs needs

    def __init__(self, measure, roles, ranks, counts, k, last, judged, least):
        super().__init__(*measure)
        self.needs = Needs(judged, least)
        if len(roles) != self.columns or len(ranks) != self.columns or not (
                ranks.shape[1] == judged.shape[1] == len(counts)):
            raise ValueError("grower: lengths differ")
        if not 0 <= last < max(1, len(counts)) or k < 1:
            raise ValueError("grower: no such record, or no such k")
        # Copies: used up combinations are left out of them.
        self.given, self.ranks, self.left, self.roles = ranks, ranks.copy(), counts.copy(), roles
        self.n, self.k, self.records = len(counts), k, int(counts.sum())
        self.at = np.arange(self.n, dtype=np.int32)
        self.bias = np.zeros(self.n, dtype=np.int32)
        self.total = np.zeros(self.n, dtype=np.int32)
        self.offsets = np.append(0, np.cumsum(np.asarray(self.ranks_in, dtype=np.int64)))
        self.costs = np.zeros(self.offsets[self.columns], dtype=np.int32)
        self.changes = np.zeros(self.offsets[self.columns], dtype=np.int32)
        self.changed = np.zeros(self.columns, dtype=np.int32)
        self.taken = np.empty((3, 1024), dtype=np.int64)
        self.states = np.zeros((2, self.width), dtype=np.int32)
        self.protects = bool((np.asarray(roles) == PROTECTED).any())
        if self.n:
            self.remember(last)

    cdef void remember(self, Py_ssize_t i) noexcept nogil:
        """Row 1 is the last record taken."""
        cdef Py_ssize_t c
        self.clear(1)
        for c in range(self.columns):
            self.put(1, c, self.ranks[c, i])

    cdef inline int32_t cost_with(self, Py_ssize_t row, Py_ssize_t c, int32_t rank) noexcept nogil:
        if self.roles[c] == PROTECTED:
            return self.fulls[c] - self.widened(row, c, rank)
        return self.widened(row, c, rank)

    cdef void sweep(self, Py_ssize_t row, int32_t unused) noexcept nogil:
        """Sum up, for every combination, what the row would spread with it, over all columns but those of one role."""
        cdef Py_ssize_t c, i, begin, end
        cdef int32_t rank
        cdef int64_t offset
        cdef int32_t *total
        cdef const int32_t *costs
        cdef const int32_t *ranks
        if self.n == 0:
            return
        total = &self.total[0]
        for c in range(self.columns):
            if self.roles[c] != unused and self.ranks_in[c] <= self.n:
                for rank in range(self.ranks_in[c]):
                    self.costs[self.offsets[c] + rank] = self.cost_with(row, c, rank)
        for begin from 0 <= begin < self.n by CHUNK:
            end = begin + CHUNK if begin + CHUNK < self.n else self.n
            for i in range(begin, end):
                self.total[i] = self.bias[i]
            for c in range(self.columns):
                if self.roles[c] == unused:
                    continue
                offset = self.offsets[c]
                if self.ranks_in[c] <= self.n:
                    costs, ranks = &self.costs[offset], &self.ranks[c, 0]
                    for i in range(begin, end):
                        total[i] += costs[ranks[i]]
                else:
                    for i in range(begin, end):
                        total[i] += self.cost_with(row, c, self.ranks[c, i])

    cdef void keep_up(self) noexcept nogil:
        """Correct the sums in the columns of the cluster that have changed."""
        cdef Py_ssize_t c, i, begin, end, place
        cdef int32_t rank, cost
        cdef int64_t offset
        cdef int32_t *total
        cdef const int32_t *changes
        cdef const int32_t *ranks
        if self.n == 0:
            return
        total = &self.total[0]
        for place in range(self.n_changed):
            c = self.changed[place]
            offset = self.offsets[c]
            for rank in range(self.ranks_in[c]):
                cost = self.cost_with(0, c, rank)
                self.changes[offset + rank] = cost - self.costs[offset + rank]
                self.costs[offset + rank] = cost
        for begin from 0 <= begin < self.n by CHUNK:
            end = begin + CHUNK if begin + CHUNK < self.n else self.n
            for place in range(self.n_changed):
                c = self.changed[place]
                changes, ranks = &self.changes[self.offsets[c]], &self.ranks[c, 0]
                for i in range(begin, end):
                    total[i] += changes[ranks[i]]

    cdef Py_ssize_t lowest(self, int32_t floor) noexcept nogil:
        """The first combination with the lowest sum; none is below the floor."""
        cdef Py_ssize_t i, begin, end, found = 0
        cdef int32_t least = 2147483647, here
        for begin from 0 <= begin < self.n by CHUNK:
            end = begin + CHUNK if begin + CHUNK < self.n else self.n
            here = 2147483647
            for i in range(begin, end):
                here = self.total[i] if self.total[i] < here else here
            if here < least:
                least = here
                found = begin
                while self.total[found] != here:
                    found += 1
                if least <= floor:
                    break
        return found

    cdef Py_ssize_t furthest(self) noexcept nogil:
        """The first combination with the highest sum, used up ones not counted."""
        cdef Py_ssize_t i, found = -1
        cdef int32_t most = -1
        for i in range(self.n):
            if self.total[i] > most and self.left[i]:
                most, found = self.total[i], i
        return found

    cdef int take(self, Py_ssize_t i, int64_t count) except -1 nogil:
        """Move records of a combination into the open cluster."""
        if self.n_taken == self.taken.shape[1]:
            with gil:
                self.taken = np.concatenate([self.taken, np.empty_like(self.taken)], axis=1)
        self.taken[0, self.n_taken] = self.at[i]
        self.taken[1, self.n_taken] = count
        self.taken[2, self.n_taken] = self.clusters
        self.n_taken += 1
        self.needs.note(self.at[i], count)
        self.left[i] -= count
        self.records -= count
        self.size += count
        if self.left[i] == 0:
            self.bias[i] = GONE
            self.total[i] += GONE
            self.dead += 1
        return 0

    cdef void leave_out(self) noexcept nogil:
        """Forget the combinations that are used up; the others keep their order."""
        cdef Py_ssize_t c, i, to
        for c in range(self.columns):
            to = 0
            for i in range(self.n):
                if self.left[i]:
                    self.ranks[c, to] = self.ranks[c, i]
                    to += 1
        to = 0
        for i in range(self.n):
            if self.left[i]:
                self.left[to], self.at[to], self.bias[to], self.total[to] = self.left[i], self.at[i], 0, self.total[i]
                to += 1
        self.n = to
        self.dead = 0

    cdef int begin_one(self) except -1 nogil:
        """Open a cluster with the record furthest from the last one."""
        cdef Py_ssize_t i, c
        if 8 * self.dead > self.n:
            self.leave_out()
        self.sweep(1, PROTECTED)
        # Used up combinations count as near by, not as far away: their sums are not looked at.
        i = self.furthest()
        self.clear(0)
        for c in range(self.columns):
            self.put(0, c, self.ranks[c, i])
        self.remember(i)
        self.begun = self.n_taken
        self.needs.forget()
        self.take(i, 1)
        self.sweep(0, DISTANCE)
        return 0

    cdef Py_ssize_t lowest_bringing(self, int64_t lacking) noexcept nogil:
        """The first combination with the lowest sum that has a new value where so many are lacking; -1 without one."""
        cdef Py_ssize_t i, found = -1
        cdef int32_t least = 2147483647
        for i in range(self.n):
            if self.left[i] and self.total[i] < least and self.needs.adds(self.at[i], lacking):
                least, found = self.total[i], i
        return found

    cdef void give_back(self) noexcept nogil:
        """The records of the open cluster are left again, and no other cluster is begun."""
        cdef Py_ssize_t i, j
        for j in range(self.begun, self.n_taken):
            i = 0
            while self.at[i] != self.taken[0, j]:
                i += 1
            if self.left[i] == 0:
                self.bias[i] = 0
                self.dead -= 1
            self.left[i] += self.taken[1, j]
            self.records += self.taken[1, j]
        self.n_taken = self.begun
        self.size = 0
        self.over = True

    cdef int32_t spread(self, Py_ssize_t row) noexcept nogil:
        """What is kept low, of one cluster."""
        cdef Py_ssize_t c
        cdef int32_t cost = 0
        for c in range(self.columns):
            if self.roles[c] == BOTH:
                cost += self.states[row, self.slots[c] + COST]
            elif self.roles[c] == PROTECTED:
                cost += self.fulls[c] - self.states[row, self.slots[c] + COST]
        return cost

    cdef int32_t spread_with(self, Py_ssize_t row, Py_ssize_t i) noexcept nogil:
        """The same with one more record."""
        cdef Py_ssize_t c
        cdef int32_t cost = 0
        for c in range(self.columns):
            if self.roles[c] != DISTANCE:
                cost += self.cost_with(row, c, self.given[c, i])
        return cost

    cdef int add_one(self) except -1 nogil:
        """Add the record with which the open cluster spreads least; all its equals where that changes nothing."""
        cdef Py_ssize_t c, i
        cdef int64_t count = 1, places = self.k - self.size if self.k > self.size else 1
        cdef bint chosen = self.needs.most_lacking() >= places
        self.n_changed = 0
        i = self.lowest_bringing(places) if chosen else self.lowest(0 if self.protects else self.spread(0))
        if i < 0:
            self.give_back()
            return 0
        for c in range(self.columns):
            if self.roles[c] != DISTANCE and self.put(0, c, self.ranks[c, i]):
                self.changed[self.n_changed] = <int32_t> c
                self.n_changed += 1
        if self.n_changed == 0 and not chosen:
            count = places - self.needs.most_lacking()
            count = self.left[i] if self.left[i] < count else count
        self.remember(i)
        self.take(i, count)
        if self.n_changed and (self.size < self.k or self.needs.lacking):
            if self.direct():
                self.sweep(0, DISTANCE)
            else:
                self.keep_up()
        return 0

    cdef bint direct(self) noexcept nogil:
        """Whether a changed column has more ranks than there are combinations, and so no costs in stock."""
        cdef Py_ssize_t place
        for place in range(self.n_changed):
            if self.ranks_in[self.changed[place]] > self.n:
                return True
        return False

    def run(self, int64_t work):
        """Go on for about so many steps; whether fewer than k records are left."""
        with nogil:
            while work > 0:
                if self.size == 0:
                    if self.records < self.k or self.over:
                        break
                    self.begin_one()
                    work -= 2 * self.n * self.columns
                else:
                    self.add_one()
                    work -= self.n * (1 + self.n_changed)
                if self.size >= self.k and self.needs.lacking == 0:
                    self.size = 0
                    self.clusters += 1
        return self.size == 0 and (self.records < self.k or self.over)

    def settle(self):
        """What is left joins the clusters, and what they cost in all: their records times what they spread.

        Each record joins the cluster that this makes least worse. All of them are one cluster where they suffice for
        it (after an interruption), and where there is no other.
        """
        cdef Py_ssize_t i, c, b, best
        cdef int64_t count, cost = 0
        if self.size or (self.records >= self.k and not self.over) or (self.records and not self.clusters):
            for i in range(self.n):
                if self.left[i]:
                    self.take(i, self.left[i])
            self.size = 0
            self.clusters += 1
        sizes_array = np.zeros(self.clusters, dtype=np.int64)
        cdef int64_t[::1] sizes = sizes_array
        self.states = np.zeros((self.clusters, self.width), dtype=np.int32)
        with nogil:
            for b in range(self.clusters):
                self.clear(b)
            for i in range(self.n_taken):
                self.join(self.taken[0, i], self.taken[1, i], self.taken[2, i], sizes)
            for i in range(self.n):
                count = self.left[i]
                if count:
                    # Its equals follow the first of them: that cluster has become no dearer, the others stay as they were.
                    best = self.cheapest(self.at[i], sizes)
                    self.take(i, count)
                    self.taken[2, self.n_taken - 1] = best
                    self.join(self.at[i], count, best, sizes)
            for b in range(self.clusters):
                cost += sizes[b] * self.spread(b)
        self.size = 0
        return cost

    cdef void join(self, Py_ssize_t i, int64_t count, Py_ssize_t b, int64_t[::1] sizes) noexcept nogil:
        cdef Py_ssize_t c
        sizes[b] += count
        for c in range(self.columns):
            self.put(b, c, self.given[c, i])

    cdef Py_ssize_t cheapest(self, Py_ssize_t i, int64_t[::1] sizes) noexcept nogil:
        """The first cluster with the least increase of records times spread when a record joins."""
        cdef Py_ssize_t b, best = 0
        cdef int64_t increase, least = 0
        for b in range(self.clusters):
            increase = (sizes[b] + 1) * self.spread_with(b, i) - sizes[b] * self.spread(b)
            if b == 0 or increase < least:
                least, best = increase, b
        return best

    def pieces(self):
        """The combination, the count and the cluster of each piece, in the order in which they were taken."""
        return tuple(np.asarray(self.taken[row, : self.n_taken]).copy() for row in range(3))
