# Clusters of Loukides' thesis: median-based subspaces (Algorithm 2), clusters of what is near a seed (Algorithm 1) or
# near the whole cluster (Algorithm 6). Included by compiled.pyx.
#
# Records are positions in an order of their own, with counts; equal records are one position. What a column spans is a
# whole number of units, so that sums are exact and equals are equal. A position of which some records are in one place
# and some in another is two pieces.

cdef enum:
    ON_LINE = 0   # the units of each rank
    IN_TREE = 1   # the units of the closest common ancestor of 2, 3, 5, 9, .. neighbours, the first being each rank
    IN_SET = 2    # the units of 0, 1, 2, .. different values
    BY_PAIR = 3   # the units of each two ranks; never a column that is grouped

cdef int64_t FARTHEST = 0x7FFFFFFFFFFFFFFF


cdef struct Held:
    # What a group has in one column. In a tree missing is a leaf like any other.
    int32_t low
    int32_t high
    int32_t distinct   # counted in sets; elsewhere 1 where there is any value
    int32_t missing


cdef class Scale:
    """How columns are measured: kinds, numbers of ranks, units of the whole domains, where tables begin, tables."""

    cdef const int32_t[::1] kinds
    cdef const int64_t[::1] widths
    cdef const int64_t[::1] full
    cdef const int64_t[::1] begins
    cdef const int64_t[::1] units
    cdef Py_ssize_t columns

    def __init__(self, scale):
        self.kinds, self.widths, self.full, self.begins, self.units = scale
        self.columns = self.kinds.shape[0]
        if not (self.widths.shape[0] == self.full.shape[0] == self.begins.shape[0] == self.columns):
            raise ValueError("Scale: lengths differ")

    cdef inline int64_t in_tree(self, Py_ssize_t c, int32_t low, int32_t high) noexcept nogil:
        cdef int32_t apart = high - low
        cdef int32_t jump = 0
        cdef int64_t one, other
        if apart == 0:
            return 0
        while (2 << jump) <= apart:
            jump += 1
        one = self.units[self.begins[c] + jump * self.widths[c] + low]
        other = self.units[self.begins[c] + jump * self.widths[c] + high - (1 << jump)]
        return one if one > other else other

    cdef inline int64_t pair(self, Py_ssize_t c, int32_t one, int32_t other) noexcept nogil:
        """What two ranks span."""
        cdef int64_t apart
        if one == other:
            return 0
        if self.kinds[c] == IN_TREE:
            return self.in_tree(c, one, other) if one < other else self.in_tree(c, other, one)
        if self.kinds[c] == BY_PAIR:
            return self.units[self.begins[c] + one * self.widths[c] + other]
        if one == 0 or other == 0:
            return self.full[c]
        if self.kinds[c] == IN_SET:
            return self.units[self.begins[c] + 2]
        apart = self.units[self.begins[c] + one] - self.units[self.begins[c] + other]
        return apart if apart > 0 else -apart

    cdef inline int64_t span(self, Py_ssize_t c, const Held *held) noexcept nogil:
        """What a group spans."""
        if held.distinct == 0:
            return 0
        if self.kinds[c] == IN_TREE:
            return self.in_tree(c, held.low, held.high)
        if held.missing:
            return self.full[c]
        if self.kinds[c] == IN_SET:
            return self.units[self.begins[c] + held.distinct]
        return self.units[self.begins[c] + held.high] - self.units[self.begins[c] + held.low]

    cdef inline void add(self, Py_ssize_t c, Held *held, int32_t rank, bint new) noexcept nogil:
        """A group with one more record; `new` tells of a set whether the group has the rank not yet."""
        if rank == 0 and self.kinds[c] != IN_TREE:
            held.missing = 1
            return
        if held.distinct == 0 or rank < held.low:
            held.low = rank
        if held.distinct == 0 or rank > held.high:
            held.high = rank
        if self.kinds[c] != IN_SET:
            held.distinct = 1
        elif new:
            held.distinct += 1

    cdef inline int64_t grown(self, Py_ssize_t c, const Held *held, int32_t rank, bint new) noexcept nogil:
        """What a group spans with one more record."""
        cdef Held more = held[0]
        self.add(c, &more, rank, new)
        return self.span(c, &more)


cdef class MedianPartitioner:
    """Median-based pre-partitioning: pieces are halved along the column of which they span the largest share while
    there is any and both halves have at least `least` records. Records with the median itself go half to the left, in order, the odd one
    too."""

    cdef const int32_t[:, ::1] ranks
    cdef const int32_t[::1] kinds
    cdef const int64_t[::1] begins
    cdef const double[::1] places
    cdef const double[::1] spans
    cdef int64_t least
    cdef int64_t[::1] at, counts, moved_at, moved_counts, out_at, out_counts
    cdef int32_t[::1] stamps
    cdef Tied *tied
    cdef int32_t stamp
    cdef Py_ssize_t out
    cdef Py_ssize_t split   # how many pieces the last halving added
    cdef list waiting
    cdef list starts

    def __cinit__(self):
        self.tied = NULL

    def __dealloc__(self):
        free(self.tied)

    def __init__(self, const int32_t[:, ::1] ranks, const int64_t[::1] counts, lines, int64_t least):
        """`lines`: kinds, where the places of each column's ranks begin, places, what the domains span."""
        cdef Py_ssize_t n = counts.shape[0]
        self.kinds, self.begins, self.places, self.spans = lines
        if ranks.shape[1] != n or ranks.shape[0] != self.kinds.shape[0] or least < 1:
            raise ValueError("MedianPartitioner: lengths differ, or there is no least size")
        self.ranks, self.least = ranks, least
        self.at, self.counts = np.arange(n, dtype=np.int64), np.array(counts)
        self.out_at, self.out_counts = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        self.make_room(n + 64)
        self.stamps = np.zeros(self.places.shape[0], dtype=np.int32)
        self.stamp = 0
        self.out = 0
        self.starts = [0]
        self.waiting = [(0, n)] if n else []

    cdef make_room(self, Py_ssize_t room):
        """For so many pieces."""
        self.at, self.counts = np.resize(self.at, room), np.resize(self.counts, room)
        self.moved_at, self.moved_counts = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        free(self.tied)
        self.tied = <Tied *> calloc(<size_t> room, sizeof(Tied))
        if self.tied == NULL:
            raise MemoryError()

    def work(self, Py_ssize_t pieces):
        """Halve until about so many pieces have been looked at; whether any are left."""
        cdef Py_ssize_t start, end, middle, seen = 0
        while self.waiting and seen < pieces:
            start, end = self.waiting.pop()
            seen += end - start
            if end + 1 > self.at.shape[0]:
                self.make_room(2 * end)
            if self.out + end - start > self.out_at.shape[0]:
                room = 2 * (self.out + end - start)
                self.out_at, self.out_counts = np.resize(self.out_at, room), np.resize(self.out_counts, room)
            with nogil:
                middle = self.halve(start, end)
            if middle < 0:
                self.starts.append(self.out)
            else:
                # The right half lies first, so that the left one is on top.
                self.waiting.append((start, middle))
                self.waiting.append((middle, end + self.split))
        return bool(self.waiting)

    def subspaces(self):
        """The positions and counts of all pieces, subspace by subspace, and where each begins."""
        starts = np.array(self.starts, dtype=np.int64)
        return np.asarray(self.out_at)[: self.out].copy(), np.asarray(self.out_counts)[: self.out].copy(), starts

    cdef double width(self, Py_ssize_t c, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """The range, a difference or the number of different values less one, as a share of the domain; 1 where some
        cells of a line are missing and some are not."""
        cdef Py_ssize_t i
        cdef int32_t rank, low = 0x7FFFFFFF, high = -1
        cdef int32_t distinct = 0
        cdef bint missing = False
        self.stamp += 1
        for i in range(start, end):
            rank = self.ranks[c, self.at[i]]
            if self.kinds[c] == ON_LINE:
                if rank == 0:
                    missing = True
                else:
                    if rank < low:
                        low = rank
                    if rank > high:
                        high = rank
            elif self.stamps[self.begins[c] + rank] != self.stamp:
                self.stamps[self.begins[c] + rank] = self.stamp
                distinct += 1
        if self.kinds[c] != ON_LINE:
            return (distinct - 1) / self.spans[c]
        if high < 0:
            return 0
        return 1 if missing else (self.places[self.begins[c] + high] - self.places[self.begins[c] + low]) / self.spans[c]

    cdef Py_ssize_t halve(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Where the left half begins, after the right one; -1 where it was not halved, and is put out."""
        cdef Py_ssize_t i, c, widest = 0, right = 0, left = 0
        cdef double width, most = -1
        cdef int64_t records = 0, below = 0, ties = 0, lower, upper, to_left, taken
        cdef int32_t first, second, rank
        for i in range(start, end):
            records += self.counts[i]
        if records >= 2 * self.least:
            for c in range(self.ranks.shape[0]):
                width = self.width(c, start, end)
                if width > most:
                    most, widest = width, c
        if most > 0:
            for i in range(start, end):
                self.tied[i - start].rank = self.ranks[widest, self.at[i]]
                self.tied[i - start].count = self.counts[i]
            qsort(self.tied, <size_t> (end - start), sizeof(Tied), by_rank)
            lower, upper = (records - 1) // 2, records // 2
            first = second = self.tied[0].rank
            taken = 0
            for i in range(end - start):
                if taken <= lower:
                    first = self.tied[i].rank
                if taken <= upper:
                    second = self.tied[i].rank
                taken += self.tied[i].count
            for i in range(end - start):
                if self.tied[i].rank < first:
                    below += self.tied[i].count
                elif self.tied[i].rank == first:
                    ties += self.tied[i].count
            # Between two different values the median is neither of them.
            to_left = (ties + 1) // 2 if first == second else ties
        if most <= 0 or below + to_left < self.least or records - below - to_left < self.least:
            for i in range(start, end):
                self.out_at[self.out] = self.at[i]
                self.out_counts[self.out] = self.counts[i]
                self.out += 1
            return -1
        for i in range(start, end):
            rank = self.ranks[widest, self.at[i]]
            taken = 0
            if rank < first:
                taken = self.counts[i]
            elif rank == first:
                taken = self.counts[i] if self.counts[i] < to_left else to_left
                to_left -= taken
            if taken:
                self.moved_at[left] = self.at[i]
                self.moved_counts[left] = taken
                left += 1
            if taken < self.counts[i]:
                self.at[start + right] = self.at[i]
                self.counts[start + right] = self.counts[i] - taken
                right += 1
        for i in range(left):
            self.at[start + right + i] = self.moved_at[i]
            self.counts[start + right + i] = self.moved_counts[i]
        self.split = left + right - (end - start)
        return start + right


cdef struct Candidate:
    int64_t apart
    int64_t piece


cdef inline bint sooner(const Candidate *one, const Candidate *other) noexcept nogil:
    return one.apart < other.apart or (one.apart == other.apart and one.piece < other.piece)


cdef void sink(Candidate *heap, Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    cdef Candidate moved = heap[at]
    cdef Py_ssize_t child
    while 2 * at + 1 < n:
        child = 2 * at + 1
        if child + 1 < n and sooner(&heap[child + 1], &heap[child]):
            child += 1
        if not sooner(&heap[child], &moved):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moved


cdef class NearSeed(Scale):
    """Greedy clustering: a cluster is a seed, the first record left, and what is nearest to it, one after the other,
    while the cluster spans no more than `limit`. The first `quasi` columns should span little, all others much."""

    cdef const int32_t[:, ::1] ranks
    cdef const int64_t[::1] at
    cdef int64_t[::1] left
    cdef const int64_t[::1] starts
    cdef int64_t[::1] alive, out_at, out_counts
    cdef int64_t[::1] stamps
    cdef Candidate *heap
    cdef Held *held
    cdef Py_ssize_t quasi, subspace, seed, living, out
    cdef int64_t limit, stamp
    cdef list ends
    cdef list singles

    def __cinit__(self):
        self.heap = NULL
        self.held = NULL

    def __dealloc__(self):
        free(self.heap)
        free(self.held)

    def __init__(self, scale, Py_ssize_t quasi, const int32_t[:, ::1] ranks, subspaces, int64_t limit):
        Scale.__init__(self, scale)
        self.at, counts, self.starts = subspaces
        cdef Py_ssize_t n = self.at.shape[0]
        if ranks.shape[0] != self.columns or len(counts) != n:
            raise ValueError("NearSeed: lengths differ")
        self.ranks, self.quasi, self.limit = ranks, quasi, limit
        self.left = np.array(counts, dtype=np.int64)
        most = int(np.diff(self.starts).max(initial=0))
        self.alive = np.empty(most, dtype=np.int64)
        self.out_at, self.out_counts = np.empty(3 * n + 3, dtype=np.int64), np.empty(3 * n + 3, dtype=np.int64)
        self.stamps = np.zeros(int(np.sum(self.widths)), dtype=np.int64)
        self.heap = <Candidate *> calloc(<size_t> most + 1, sizeof(Candidate))
        self.held = <Held *> calloc(<size_t> self.columns + 1, sizeof(Held))
        if self.heap == NULL or self.held == NULL:
            raise MemoryError()
        self.subspace, self.living, self.out, self.stamp = -1, 0, 0, 0
        self.ends = [0]
        self.singles = []

    def work(self, Py_ssize_t cells):
        """Make clusters until about so many cells have been compared; whether records are left."""
        cdef Py_ssize_t seen = 0, i
        cdef int64_t alone
        while seen < cells:
            while self.living == 0:
                self.subspace += 1
                if self.subspace + 1 >= self.starts.shape[0]:
                    return False
                self.living = self.starts[self.subspace + 1] - self.starts[self.subspace]
                for i in range(self.living):
                    self.alive[i] = self.starts[self.subspace] + i
            seen += self.living * self.columns
            with nogil:
                alone = self.cluster()
            self.ends.append(self.out)
            self.singles.append(False)
            if alone:
                # The other records that equal the seed fare as it does, one by one.
                self.out_at[self.out] = self.out_at[self.out - 1]
                self.out_counts[self.out] = alone
                self.out += 1
                self.ends.append(self.out)
                self.singles.append(True)
            with nogil:
                self.forget()
        return True

    def clusters(self):
        """The positions and counts of all pieces, cluster by cluster, where each begins, and which clusters stand for
        as many clusters of one record each."""
        return (
            np.asarray(self.out_at)[: self.out].copy(),
            np.asarray(self.out_counts)[: self.out].copy(),
            np.array(self.ends, dtype=np.int64),
            np.array(self.singles, dtype=np.bool_),
        )

    cdef void forget(self) noexcept nogil:
        cdef Py_ssize_t i, living = 0
        for i in range(self.living):
            if self.left[self.alive[i]] > 0:
                self.alive[living] = self.alive[i]
                living += 1
        self.living = living

    cdef inline void put(self, int64_t piece, int64_t count) noexcept nogil:
        cdef Py_ssize_t c, begin = 0
        cdef int32_t rank
        cdef bint new
        for c in range(self.columns):
            rank = self.ranks[c, self.at[piece]]
            new = self.stamps[begin + rank] != self.stamp
            self.stamps[begin + rank] = self.stamp
            self.add(c, &self.held[c], rank, new)
            begin += self.widths[c]
        self.left[piece] -= count
        self.out_at[self.out] = self.at[piece]
        self.out_counts[self.out] = count
        self.out += 1

    cdef inline int64_t with_piece(self, int64_t piece) noexcept nogil:
        """What the cluster spans with one more piece."""
        cdef Py_ssize_t c, begin = 0
        cdef int32_t rank
        cdef int64_t spans, found = 0
        for c in range(self.columns):
            rank = self.ranks[c, self.at[piece]]
            spans = self.grown(c, &self.held[c], rank, self.stamps[begin + rank] != self.stamp)
            found += spans if c < self.quasi else self.full[c] - spans
            begin += self.widths[c]
        return found

    cdef int64_t cluster(self) noexcept nogil:
        """One cluster; how many further records that equal the seed are clusters of their own."""
        cdef int64_t seed = self.alive[0], nearest, apart
        cdef Py_ssize_t i, c, n = 0, grown = 0
        cdef int64_t first = -1
        self.stamp += 1
        for c in range(self.columns):
            self.held[c].low = self.held[c].high = self.held[c].distinct = self.held[c].missing = 0
        self.put(seed, 1)
        for i in range(self.living):
            if self.left[self.alive[i]] > 0:
                self.heap[n].piece = self.alive[i]
                self.heap[n].apart = 0
                n += 1
        for c in range(self.columns):
            for i in range(n):
                apart = self.pair(c, self.ranks[c, self.at[seed]], self.ranks[c, self.at[self.heap[i].piece]])
                self.heap[i].apart += apart if c < self.quasi else self.full[c] - apart
        for i in range(n // 2 - 1, -1, -1):
            sink(self.heap, i, n)
        while n > 0:
            nearest = self.heap[0].piece
            if first < 0:
                first = nearest
            if self.with_piece(nearest) > self.limit:
                break
            self.put(nearest, self.left[nearest])
            grown += 1
            n -= 1
            self.heap[0] = self.heap[n]
            sink(self.heap, 0, n)
        if grown or self.left[seed] == 0:
            return 0
        # While the nearest record is one that equals the seed, the last of these may still find another.
        apart = self.left[seed] - 1 if first == seed else self.left[seed]
        self.left[seed] -= apart
        return apart
